"""`Event`: a line of the log. The log of events is the state of a study; `ledger` turns it into trials."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the log: what happened, and plain JSON values about it.

    | kind | data |
    |---|---|
    | created | format, uid, name, time, and what the study is of: see `record` |
    | queued | number, params, source, retry_of, and how many workers were lost with the point |
    | asked | number, batch, worker, lease, deadline; and params and source where the point was not queued before |
    | queued | ahead: a model chose it for whoever comes next; lease, deadline: for how long it is good for that |
    | queued, asked | measure: the outcomes that are asked for, if not all |
    | renewed | numbers, lease, deadline |
    | told | number, value, sem; outcomes: those that came now, each a pair of a value and a standard error; cost |
    | told | at: the fidelity of a run that was stopped; reason, why; paused, if it can be continued |
    | queued, asked | continues: the number of the paused trial that it continues |
    | reported | number, at, value: a step of a learning curve |
    | measured | number, outcomes: the same, of a trial that waits for more of them |
    | failed | number, reason, and the traceback and the cost where there is one |
    | expired | number |
    | corrected | number, state, value, sem, failure, outcomes: as it should have been; time, by, reason, key |
    | discarded, restored, noted | number; time, by, reason (of a note its text), key |
    | changed | space and format; words, what is new of it; earlier, the values of new parameters in trials before;
      numbers, of queued points that no longer fit; time, by, reason, key |
    | turn | ticket, lease, deadline: somebody is choosing points, and others had better wait |

    What happens to a trial also has a `time`: seconds since 1970 by the writer's own clock. Nothing depends on it.
    """

    kind: str
    data: Mapping[str, Any]
