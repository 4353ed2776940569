"""The list of commands. Each is a file of its own with light imports, so that `--help` answers at once."""

import difflib
import importlib

import click

__all__ = ["bough"]

_COMMANDS = (
    "fit",
    "predict",
    "show",
    "rules",
    "explain",
    "ask",
    "evaluate",
    "validate",
    "compare",
    "prune",
    "candidates",
    "export",
    "diff",
    "datasets",
)


class _Commands(click.Group):
    """A group that imports a command when it is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"bough.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not ctx.resilient_parsing and name not in _COMMANDS and not name.startswith("-"):
            near = difflib.get_close_matches(name, _COMMANDS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(_COMMANDS)}."
            raise click.UsageError(f"no command {name!r}: {hint}")
        return super().resolve_command(ctx, args)


def _print_completion(ctx: click.Context, _: click.Parameter, shell: str | None) -> None:
    if shell is None:
        return
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    if kind is not None:
        click.echo(kind(bough, {}, "bough", "_BOUGH_COMPLETE").source())
    ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="bough")
@click.option(
    "--completion", type=click.Choice(["bash", "zsh", "fish"]), expose_value=False, is_eager=True,
    callback=_print_completion, help='Print the completions of a shell: eval "$(bough --completion bash)".',
)  # fmt: skip
def bough() -> None:
    """Readable decision trees from nominal, numeric, ordered and incomplete data.

    A table is a CSV (also .gz and .zst), Excel, Parquet, Arrow or JSON-lines file, '-' for standard input, or the name
    of a bundled data set such as penguins. `bough COMMAND --help` says more.
    """
