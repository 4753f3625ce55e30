"""`knowgrad dashboard`: the live page and the HTTP API of a storage."""

import click

from knowgrad.cli.common import storage_option
from knowgrad.errors import MissingPackageError, StorageError
from knowgrad.storage import place_of, studies
from knowgrad.text import shown


@click.command()
@click.argument("place", metavar="[STORAGE]", required=False)
@storage_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; others need a --token.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8750, show_default=True, help="0 takes a free one.")
@click.option(
    "--token",
    envvar="KNOWGRAD_TOKEN",
    show_envvar=True,
    help="Secret that clients must know, at least 16 characters; random if left out, on a loopback address.",
)
@click.option("--allow-host", "names", multiple=True, help="A further name by which browsers address the server.")
@click.option("--allow-edit", is_flag=True, help="Allow writes: create, suggest, complete, fail, and edits by hand.")
@click.option("--create", is_flag=True, help="Create the file if it does not exist; needs --allow-edit.")
@click.option("--open/--no-open", "open_browser", default=True, show_default=True, help="Open a browser.")
def dashboard(
    place: str | None,
    storage: str,
    host: str,
    port: int,
    token: str | None,
    names: tuple[str, ...],
    allow_edit: bool,
    create: bool,
    open_browser: bool,
) -> None:
    """Show the studies of STORAGE live in a browser, and serve them over HTTP, until interrupted."""
    try:
        from knowgrad.web.serve import Service
    except ModuleNotFoundError as error:
        if error.name not in ("starlette", "uvicorn", "anyio", "h11", "msgspec"):
            raise
        raise MissingPackageError(
            f"dashboard: expected {error.name} to be installed, and it is not; run: "
            "pip install starlette uvicorn h11 msgspec plotly"
        ) from error
    _check_file(place or storage, create=create, allow_edit=allow_edit)
    service = Service(place or storage, host=host, port=port, token=token, allow_edit=allow_edit, names=names)
    click.echo(f"Dashboard: {service.entrance}")
    click.echo(f"HTTP API:  {service.address}/api  (Authorization: Bearer {service.token})")
    click.echo("Ctrl-C ends it." if allow_edit else "Read-only; --allow-edit allows writes. Ctrl-C ends it.")
    service.run(open_browser=open_browser)


def _check_file(storage: str, *, create: bool, allow_edit: bool) -> None:
    """A file of studies, or none where one is to be begun: a page about a mistyped name would show nothing for ever."""
    if create and not allow_edit:
        raise click.UsageError("--create: expected --allow-edit beside it, got none; pass both")
    where = place_of(storage)
    if isinstance(where, str):
        return  # a database may be away for a while: the page says so
    if where.exists():
        studies(where)
    elif create:
        where.touch()
    else:
        raise StorageError(
            f"storage: expected a file of studies, got {shown(str(where))}, which does not exist; check the path, or "
            "begin a new file with --allow-edit --create"
        )
