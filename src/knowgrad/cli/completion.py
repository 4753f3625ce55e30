"""`knowgrad completion`: what makes a shell complete commands, options and names of studies."""

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of SHELL: eval "$(knowgrad completion bash)"."""
    kind = get_completion_class(shell)
    assert kind is not None  # the shells above are click's own
    click.echo(kind(ctx.find_root().command, {}, "knowgrad", "_KNOWGRAD_COMPLETE").source())
