"""What to say when the host of an integration is not installed."""

from knowgrad.errors import MissingPackageError


def missing(host: str, package: str, error: ModuleNotFoundError) -> Exception:
    """The error to raise for a failed import: about the host, or the same one if it was about something else."""
    if (error.name or "").split(".")[0] != host:
        return error
    return MissingPackageError(
        f"knowgrad.integrations.{host}: expected the package {host}, which is not installed; pip install '{package}'"
    )
