"""The process that answers questions which fit models: `python -m knowgrad.web.worker`, started by `workers`.

It reads the storage's address, then one question after the other from its standard input, and writes the answers to its
standard output: each a status, a length, and so many bytes of JSON.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import struct
import sys
import threading
import traceback
from typing import Any, BinaryIO

from knowgrad.errors import KnowgradError
from knowgrad.text import plain
from knowgrad.web.api import Call
from knowgrad.web.hub import Hub
from knowgrad.web.operations import BY_NAME
from knowgrad.web.present import encoded
from knowgrad.web.refusal import BROKEN, Refusal, refusal_of

LENGTH = struct.Struct("!HQ")  # a status, and a length
POLITENESS = 5  # added to the niceness: whoever tells a result goes first


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    if hasattr(os, "nice"):
        os.nice(POLITENESS)
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints is no answer
    hub = Hub(json.loads(sys.stdin.buffer.readline()))
    questions: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, questions), daemon=True).start()
    while True:
        status, content = answered(hub, questions.get())
        output.write(LENGTH.pack(status, len(content)) + content)
        output.flush()


def _listen(source: BinaryIO, questions: queue.Queue[dict[str, Any]]) -> None:
    """Until the server is gone: then nobody waits for what is being computed."""
    for line in source:
        questions.put(json.loads(line))
    os._exit(0)


def answered(hub: Hub, question: dict[str, Any]) -> tuple[int, bytes]:
    """A status and JSON, whatever happens."""
    operation = BY_NAME[question["operation"]]
    try:
        call = Call(hub, question["path"], question["query"], question["body"])
        return operation.status, hub.still(lambda: encoded(operation.run(call)))
    except KnowgradError as error:
        refusal = refusal_of(error)
    except Refusal as error:
        refusal = error
    except Exception:
        print(plain(traceback.format_exc()), file=sys.stderr, flush=True)
        refusal = BROKEN
    return refusal.status, encoded(refusal.json())


if __name__ == "__main__":
    main()
