"""What two threads reach of what two processes do: a part of `compare_cart.py --threads` and `compare_forest.py`.

Throughput, in fits a minute: a process of two threads against two processes of one thread that fit the same table side
by side. Both ways take turns, so that whatever else the machine does hinders them alike; still, an idle one tells more.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

FIT_WHEN_ASKED = """
import sys, time
sys.path.insert(0, {folder!r})
import bough
from compare_cart import FIVE, Case, ours
case = {case!r}
X, y = case.make()
made = {{
    "tree": lambda: ours(case, {n_jobs}),
    "surrogates": lambda: ours(case, {n_jobs}, missing=FIVE),
    "forest": lambda: bough.RandomForestClassifier(n_estimators=20, n_jobs={n_jobs}),
}}
model = made[{what!r}]().fit(X, y)
print("ready", flush=True)
for _ in sys.stdin:
    before = time.process_time(), time.thread_time()
    model.fit(X, y)
    print(time.process_time() - before[0], time.thread_time() - before[1], flush=True)
"""


class Worker:
    """A process that fits a table whenever it is asked to."""

    def __init__(self, case, n_jobs: int, what: str) -> None:
        code = FIT_WHEN_ASKED.format(folder=str(Path(__file__).parent), case=case, n_jobs=n_jobs, what=what)
        self.process = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.process.stdout.readline()

    def ask(self) -> None:
        """Begin a fit."""
        self.process.stdin.write("fit\n")
        self.process.stdin.flush()

    def wait(self) -> tuple[float, float]:
        """End it: CPU seconds of all threads, and of the one that made the call."""
        every, caller = self.process.stdout.readline().split()
        return float(every), float(caller)

    def close(self) -> None:
        """End the process."""
        self.process.stdin.close()
        self.process.wait()


def two_threads(case, rounds: int, what: str) -> dict[str, float]:
    """What a process of two threads reaches of what two processes of one thread reach, in fits a minute.

    `what` is fitted: "tree", the same with "surrogates", or "forest". Also the CPU time that two threads take for a fit
    over that of one, and the share of it that falls to the thread that made the call: an even load is one half.
    """
    both, one, other = Worker(case, 2, what), Worker(case, 1, what), Worker(case, 1, what)
    together, apart, cpu_two, cpu_one, shares = [], [], [], [], []
    try:
        for _ in range(rounds):
            start = time.perf_counter()
            both.ask()
            every, caller = both.wait()
            together.append(time.perf_counter() - start)
            cpu_two.append(every)
            shares.append(caller / every)
            start = time.perf_counter()
            for worker in (one, other):
                worker.ask()
            cpu_one += [worker.wait()[0] for worker in (one, other)]
            apart.append((time.perf_counter() - start) / 2)
    finally:
        for worker in (both, one, other):
            worker.close()
    median = statistics.median
    return {
        "throughput": median(apart) / median(together),
        "work": median(cpu_two) / median(cpu_one),
        "caller": median(shares),
    }
