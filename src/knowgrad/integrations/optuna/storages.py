"""Optuna's storages by address, with knowgrad's errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import optuna
from optuna.storages import BaseStorage
from optuna.study import StudyDirection
from sqlalchemy.exc import SQLAlchemyError

from knowgrad.errors import ConflictError, StorageError, UnknownStudyError

SQLITE = "sqlite:///"


def load_study(url: str, name: str) -> optuna.Study:
    """The Optuna study of this name; nothing is created."""
    file = Path(url.removeprefix(SQLITE))
    if url.startswith(SQLITE) and not file.exists():
        raise UnknownStudyError(f"optuna storage: expected a file, got {url}, which is not there; check the address")
    with _understood(url):
        return optuna.load_study(study_name=name, storage=url)


def create_study(storage: str | BaseStorage, name: str | None, directions: Sequence[str]) -> optuna.Study:
    """A new Optuna study."""
    ways = [StudyDirection[direction.upper()] for direction in directions]
    with _understood(str(storage)):
        return optuna.create_study(storage=storage, study_name=name, directions=ways)


@contextmanager
def _understood(where: str) -> Iterator[None]:
    try:
        yield
    except KeyError as error:
        raise UnknownStudyError(f"optuna storage: expected a study of that name in {where}, got none") from error
    except optuna.exceptions.DuplicatedStudyError as error:
        raise ConflictError(f"optuna storage: expected a new name, got one that is in {where}; pass another") from error
    except SQLAlchemyError as error:
        reason = str(error).splitlines()[0]
        raise StorageError(f"optuna storage: expected a database, got {where}: {reason}") from error
