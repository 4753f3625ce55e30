"""The command `knowgrad`: one file per command."""

import click

from knowgrad.cli.demo import demo
from knowgrad.cli.group import Commands


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="knowgrad")
def main() -> None:
    """Choose what to try next when every try is expensive and noisy, and several run at once."""


for command in (demo,):
    main.add_command(command)
