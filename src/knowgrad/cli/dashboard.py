"""`knowgrad dashboard`: the live page and the HTTP API of a storage."""

import click

from knowgrad.cli.common import storage_option
from knowgrad.errors import MissingPackageError


@click.command()
@click.argument("place", metavar="[STORAGE]", required=False)
@storage_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; others need a --token.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8750, show_default=True, help="0 takes a free one.")
@click.option(
    "--token",
    envvar="KNOWGRAD_TOKEN",
    show_envvar=True,
    help="What clients must know, at least 16 characters; drawn at random if left out, on a loopback address.",
)
@click.option("--allow-host", "names", multiple=True, help="A further name by which browsers address the server.")
@click.option("--allow-edit", is_flag=True, help="Take writes: create, suggest, complete, fail, and edits by hand.")
@click.option("--open/--no-open", "open_browser", default=True, show_default=True, help="Open a browser.")
def dashboard(
    place: str | None,
    storage: str,
    host: str,
    port: int,
    token: str | None,
    names: tuple[str, ...],
    allow_edit: bool,
    open_browser: bool,
) -> None:
    """Show the studies of STORAGE live in a browser, and serve them over HTTP, until interrupted."""
    try:
        from knowgrad.web.serve import Service
    except ModuleNotFoundError as error:
        if error.name not in ("starlette", "uvicorn", "anyio", "h11", "msgspec"):
            raise
        raise MissingPackageError(
            f'dashboard: expected {error.name} to be installed, and it is not; run: pip install "knowgrad[web]"'
        ) from error
    service = Service(place or storage, host=host, port=port, token=token, allow_edit=allow_edit, names=names)
    click.echo(f"Dashboard: {service.entrance}")
    click.echo(f"HTTP API:  {service.address}/api  (Authorization: Bearer {service.token})")
    click.echo("Ctrl-C ends it." if allow_edit else "Reading only; --allow-edit takes writes. Ctrl-C ends it.")
    service.run(open_browser=open_browser)
