"""Real engines for exports; each is started where it is installed, else its tests skip and say so."""

import os
import pwd
import runpy
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

MAKERS = runpy.run_path(str(Path(__file__).resolve().parent.parent / "exports" / "makers.py"))
_MADE = {}


@pytest.fixture(scope="session")
def makers():
    return MAKERS


@pytest.fixture(scope="session")
def make_classifier():
    def make(kind, name):
        if (kind, name) not in _MADE:
            _MADE[kind, name] = MAKERS["fitted"](kind, name)
        return _MADE[kind, name]

    return make


def pytest_generate_tests(metafunc):
    if "kind" in metafunc.fixturenames:
        metafunc.parametrize("kind", list(MAKERS["CLASSIFIERS"]))
    if "number_kind" in metafunc.fixturenames:
        metafunc.parametrize("number_kind", list(MAKERS["REGRESSORS"]))


def pytest_terminal_summary(terminalreporter):
    """Say how many cases each engine has answered as the model does."""
    cases = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", "") == "call":
                for name, count in getattr(report, "user_properties", ()):
                    if name.startswith("cases in "):
                        cases[name] = cases.get(name, 0) + count
    for name, count in sorted(cases.items()):
        terminalreporter.write_line(f"{name}: {count:,}")


def _postgres_programs():
    """The folder of initdb and postgres, which Debian keeps out of the path."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "postgres").exists()), None)


@pytest.fixture(scope="session")
def postgres(tmp_path_factory):
    """A connection to a server of our own: on loopback, in a temporary folder, not as root, ended afterwards."""
    psycopg = pytest.importorskip("psycopg", reason="needs the package psycopg: pip install 'bough[engines]'")
    programs = _postgres_programs()
    if programs is None:
        pytest.skip("needs a PostgreSQL server: tools/engines.sh installs it")
    user, more = None, {}
    folder = tmp_path_factory.mktemp("postgres")
    if os.geteuid() == 0:  # the server refuses to run as root
        names = {entry.pw_name for entry in pwd.getpwall()}
        user = "postgres" if "postgres" in names else "nobody"
        more = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
        for parent in [folder, *folder.parents]:
            if parent == Path("/") or parent.stat().st_mode & 0o001:
                continue
            parent.chmod(parent.stat().st_mode | 0o011)
        os.chown(folder, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
    data = folder / "data"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.STDOUT, "cwd": "/", **more}
    command = [programs / "initdb", "-D", data, "-U", "bough", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C"]
    subprocess.run(command, check=True, timeout=120, **quiet)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["-c", "listen_addresses=127.0.0.1", "-c", f"port={port}", "-c", f"unix_socket_directories={folder}"]
    options += ["-c", "fsync=off", "-c", "shared_buffers=16MB", "-c", "max_connections=8"]
    server = subprocess.Popen([programs / "postgres", "-D", data, *options], **quiet)
    connection = None
    try:
        connection = _connected(psycopg, port, server)
        yield connection
    finally:
        if connection is not None:
            connection.close()
        server.send_signal(signal.SIGINT)  # ends at once, whoever is still connected
        server.wait(timeout=60)


def _connected(psycopg, port, server):
    deadline = time.monotonic() + 60
    while True:
        try:
            return psycopg.connect(host="127.0.0.1", port=port, user="bough", dbname="postgres")
        except psycopg.OperationalError:
            if time.monotonic() > deadline or server.poll() is not None:
                raise
            time.sleep(0.2)
