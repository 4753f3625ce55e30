"""The command `knowgrad`."""

from pathlib import Path

import click

import knowgrad as kg


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="knowgrad")
def main() -> None:
    """Choose what to try next when every try is expensive and noisy, and several run at once."""


@main.command()
@click.option(
    "--out",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    default=Path("knowgrad-demo.svg"),
    show_default=True,
    help="Where to save the picture of the run.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the study.")
@click.option("--trials", type=click.IntRange(min=8), default=40, show_default=True, help="Evaluations to spend.")
@click.option("--workers", type=click.IntRange(min=1), default=4, show_default=True, help="Evaluations at once.")
def demo(out: Path, seed: int, trials: int, workers: int) -> None:
    """Minimize a noisy function whose answer is known, and compare."""
    from knowgrad.cli.demo import run

    try:
        run(out, seed=seed, trials=trials, workers=workers)
    except (kg.errors.KnowgradError, OSError) as error:
        raise click.ClickException(str(error)) from error
