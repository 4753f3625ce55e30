"""A real server in a thread, on a free port of the loopback address."""

import threading
import time
from contextlib import contextmanager
from http.client import HTTPConnection

from knowgrad.web.client import Client
from knowgrad.web.serve import Service


@contextmanager
def serving(storage, **options):
    """The service, running; stopped at the end."""
    service = Service(str(storage), **{"allow_edit": True, **options})
    thread = threading.Thread(target=service.run)
    thread.start()
    try:
        deadline = time.monotonic() + 30
        while not service.server.started and time.monotonic() < deadline:
            time.sleep(0.01)
        assert service.server.started
        yield service
    finally:
        service.server.should_exit = True
        thread.join(30)


def client(service):
    return Client(service.address, service.token)


def raw(service, method, path, body=None, headers=None):
    """One request exactly as given: status, headers by lower-case name, body."""
    connection = HTTPConnection("127.0.0.1", service.port, timeout=30)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def authorized(service, **headers):
    return {"Authorization": f"Bearer {service.token}", "Content-Type": "application/json", **headers}
