"""A connection that is thrown away is closed before its driver notices that it was left open."""

import gc

from knowgrad.storage.connection import Connection


class Raw:
    """Complains, as database drivers do, when it is thrown away while open."""

    def __init__(self, complaints):
        self.complaints, self.is_open = complaints, True

    def close(self):
        self.is_open = False

    def __del__(self):
        if self.is_open:
            self.complaints.append("still open")


def use(raw):
    """A connection that is part of a cycle of garbage as soon as nobody has it, younger than its raw one."""
    connection = Connection(iter([raw]).__next__, lambda raw: True)
    connection.itself = connection
    assert connection.run(lambda raw: raw.is_open)
    return connection


def test_a_connection_in_a_cycle_of_garbage_is_closed():
    complaints = []
    for _ in range(10):
        use(Raw(complaints))
    gc.collect()
    assert complaints == []


def test_a_connection_is_closed_once():
    raw = Raw([])
    connection = use(raw)
    connection.close()
    assert not raw.is_open
    raw.close = None  # another call would fail
    connection.close()
