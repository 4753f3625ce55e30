"""Everything knowgrad raises on purpose.

    KnowgradError
    ├── SpaceError (ValueError)         a parameter, a constraint or a set of params that makes no sense
    │   └── EmptyDomainError            no feasible point was found
    ├── ArgumentError (ValueError)      an option or a number outside what the call accepts
    ├── NotANumberError (TypeError)     a result that is not a real number
    ├── UnknownTrialError (LookupError) a trial that is not this study's
    ├── ConflictError (ValueError)      a second, different outcome for a trial that already has one
    ├── ObjectiveError (RuntimeError)   an objective whose evaluations fail from the first on
    ├── NoDataError (RuntimeError)      a question that needs at least one result, asked before there is one
    ├── MissingPackageError (ImportError) an optional package that is not installed
    ├── UnknownStudyError (LookupError) a study that the storage does not hold
    ├── MismatchError (ValueError)      a study of this name is there, and is another one
    ├── ServiceError (RuntimeError)     what a knowgrad server answered, if it is none of these
    └── StorageError (RuntimeError)     a storage that cannot be used as it is
        ├── CorruptStorageError         what was written is not what is read
        ├── StorageFullError            no room for another event
        ├── StorageMovedError           a file that was deleted, moved or replaced while it was open
        └── StorageUnreachableError     no answer in time: a server that is down, a file that stays locked

    StorageWarning (UserWarning)        a storage that can be used, but has to be looked at
    SuspiciousResultWarning (UserWarning) a result that looks like a mistake
    ObjectiveWarning (UserWarning)      results that may not be what they are taken for

Each message says what was expected, what came, and what to do. A call that raises has changed nothing.
"""


class KnowgradError(Exception):
    """Base of all errors raised on purpose."""


class SpaceError(KnowgradError, ValueError):
    """A parameter, a constraint or a set of params that makes no sense."""


class EmptyDomainError(SpaceError):
    """No feasible point was found."""


class ArgumentError(KnowgradError, ValueError):
    """An option or a number outside what the call accepts."""


class NotANumberError(KnowgradError, TypeError):
    """A result that is not a real number."""


class UnknownTrialError(KnowgradError, LookupError):
    """A trial that is not this study's."""


class ConflictError(KnowgradError, ValueError):
    """A second, different outcome for a trial that already has one."""


class ObjectiveError(KnowgradError, RuntimeError):
    """An objective whose evaluations fail from the first on. Nothing of them was recorded."""


class NoDataError(KnowgradError, RuntimeError):
    """A question that needs at least one result, asked before there is one."""


class MissingPackageError(KnowgradError, ImportError):
    """An optional package that is not installed."""


class UnknownStudyError(KnowgradError, LookupError):
    """A study that the storage does not hold."""


class MismatchError(KnowgradError, ValueError):
    """A study of this name is there, and is another one."""


class ServiceError(KnowgradError, RuntimeError):
    """What a knowgrad server answered, if it is no other error of these."""


class StorageError(KnowgradError, RuntimeError):
    """A storage that cannot be used as it is."""


class CorruptStorageError(StorageError):
    """What was written is not what is read."""


class StorageFullError(StorageError):
    """No room for another event. Everything written before is still there."""


class StorageMovedError(StorageError):
    """A file that was deleted, moved or replaced while it was open. Nothing was written."""


class StorageUnreachableError(StorageError):
    """No answer in time: a server that is down, a file that stays locked."""


class CopyWarning(UserWarning):
    """Trials of a study that have no place in the space of its copy. They are still in the study."""


class StorageWarning(UserWarning):
    """A storage that can be used, but has to be looked at: a file that lacks its log, or is on a network."""


class SuspiciousResultWarning(UserWarning):
    """A result that looks like a mistake, such as a slip of the decimal point: it is recorded all the same."""


class ObjectiveWarning(UserWarning):
    """Results that may not be what they are taken for: all the same, whatever the params."""
