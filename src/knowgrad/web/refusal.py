"""How a request is refused: a status, and the same shape of JSON for every reason."""

from __future__ import annotations

from typing import Any

from knowgrad import errors

STATUS: tuple[tuple[type[errors.KnowgradError], int], ...] = (
    (errors.UnknownStudyError, 404),
    (errors.UnknownTrialError, 404),
    (errors.ConflictError, 409),
    (errors.MismatchError, 409),
    (errors.NoDataError, 409),
    (errors.StorageError, 503),
)


class Refusal(Exception):
    """A request that is not carried out. `kind` is the name of an error class of the package where there is one."""

    def __init__(self, status: int, message: str, kind: str = "Refused") -> None:
        super().__init__(message)
        self.status, self.kind = status, kind

    def json(self) -> dict[str, Any]:
        return {"error": {"type": self.kind, "message": str(self)}}


BROKEN = Refusal(500, "the server failed; its log says more", "InternalError")


def refusal_of(error: errors.KnowgradError) -> Refusal:
    """What an error of the package means over HTTP: the request is at fault, unless another status says more."""
    status = next((code for kind, code in STATUS if isinstance(error, kind)), 422)
    return Refusal(status, str(error), type(error).__name__)
