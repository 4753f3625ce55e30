"""What to say when a table needs a package that is not installed."""

from knowgrad.errors import MissingPackageError


def missing(package: str, purpose: str) -> MissingPackageError:
    return MissingPackageError(
        f"{purpose}: expected the package {package}, which is not installed; pip install {package}, or export CSV"
    )
