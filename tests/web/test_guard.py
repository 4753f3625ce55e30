"""Nobody without the token, from another site, or with too much in hand gets in; reliability tests 22 and 23."""

import json
import resource
import socket
from http.client import HTTPResponse

import pytest

import knowgrad as kg
from knowgrad.errors import ArgumentError, ServiceError
from knowgrad.web.body import DEEPEST, LARGEST, deeper_than, parsed, read_body
from knowgrad.web.guard import Access, allowed_hosts
from knowgrad.web.operations import OPERATIONS
from knowgrad.web.refusal import Refusal
from knowgrad.web.requests import Create
from knowgrad.web.serve import Service
from tests.web.serving import authorized, client, raw, serving

PAGES = [("GET", each) for each in ("/", "/study/abc", "/assets/style.css", "/assets/plotly.js", "/favicon.ico")]
ROUTES = [*sorted({(each.method, each.path) for each in OPERATIONS}), ("GET", "/api/openapi.json"), *PAGES]
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")


@pytest.fixture(scope="module")
def storage(tmp_path_factory):
    path = tmp_path_factory.mktemp("guard") / "studies.db"
    study = kg.Study({"x": (0.0, 1.0)}, storage=path, name="s", seed=0)
    study.ask(2)
    return path


@pytest.fixture(scope="module")
def service(storage):
    with serving(storage) as service:
        yield service


@pytest.fixture(autouse=True)
def unchanged(storage):
    """Whatever a test tries here, the study stays as it was."""
    before = kg.Study.load(storage, "s").version
    yield
    assert kg.Study.load(storage, "s").version == before


def filled(path):
    return path.replace("{study}", "s").replace("{number}", "0").replace("{kind}", "history")


def cookie(service):
    """What a browser has after it was opened with the token."""
    status, headers, _ = raw(service, "GET", f"/?token={service.token}")
    assert status == 200
    value, *attributes = headers["set-cookie"].split("; ")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(attributes)
    return value


def from_page(service, **changes):
    """The headers of a write from our own page, some of them changed; None leaves one out."""
    _, _, page = raw(service, "GET", "/study/s", headers={"Cookie": cookie(service)})
    csrf = page.decode().partition('data-csrf="')[2].partition('"')[0]
    headers = {
        "Cookie": cookie(service),
        "Origin": service.address,
        "X-Knowgrad-Csrf": csrf,
        "Content-Type": "application/json",
        "Sec-Fetch-Site": "same-origin",
    }
    return {name: value for name, value in (headers | changes).items() if value is not None}


@pytest.mark.parametrize(("method", "path"), [(m, p) for m in METHODS for p in sorted({p for _, p in ROUTES})])
def test_every_route_and_method_is_refused_without_the_token(service, method, path):
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Cookie": "knowgrad=1"}, {"Authorization": "Basic YTpi"}):
        status, found, _ = raw(service, method, filled(path), b"{}", {"Content-Type": "application/json", **headers})
        assert status == 401
        assert "access-control-allow-origin" not in found


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{port}", "127.0.0.1:{port}:80", ""]
)
def test_other_host_names_are_refused_even_with_the_token(service, host):
    headers = authorized(service, Host=host.format(port=service.port))
    assert raw(service, "GET", "/api/studies", headers=headers)[0] == 403
    assert raw(service, "GET", f"/?token={service.token}", headers=headers)[0] == 403


def test_own_host_names_are_taken(service):
    for host in ("127.0.0.1", "localhost", "LOCALHOST"):
        assert raw(service, "GET", "/api/studies", headers=authorized(service, Host=f"{host}:{service.port}"))[0] == 200


def test_pages_have_the_policy_and_no_cors(service):
    for path in ("/", "/api/studies", "/assets/style.css", "/nothing"):
        _, headers, _ = raw(service, "GET", path, headers={"Cookie": cookie(service), "Origin": "http://evil.example"})
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert "access-control-allow-origin" not in headers
        assert "server" not in headers


def test_the_icon_is_there_by_the_name_that_browsers_try_first(service):
    status, headers, body = raw(service, "GET", "/favicon.ico", headers={"Cookie": cookie(service)})
    assert status == 200
    assert headers["content-type"] == "image/svg+xml"
    assert b"<svg" in body


def test_a_token_in_the_address_opens_pages_and_not_the_api(service):
    assert raw(service, "GET", f"/api/studies?token={service.token}")[0] == 401
    assert raw(service, "GET", "/?token=wrong")[0] == 401
    status, headers, _ = raw(service, "GET", f"/study/s?token={service.token}")
    assert status == 200
    assert service.token not in headers["set-cookie"]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"X-Knowgrad-Csrf": None}, 403),
        ({"X-Knowgrad-Csrf": "0" * 64}, 403),
        ({"Origin": None}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": None}, 415),
        ({"Cookie": None}, 401),
    ],
)
def test_forged_writes_are_refused(service, change, status):
    headers = from_page(service, **change)
    assert raw(service, "POST", "/api/studies/s/suggest", b'{"client_id": "evil"}', headers)[0] == status
    assert raw(service, "POST", "/api/studies/s/trials/0/complete", b'{"value": 1}', headers)[0] == status


def test_a_write_from_our_page_gets_through_to_the_checks(service):
    assert raw(service, "POST", "/api/studies/s/suggest", b"{}", from_page(service))[0] == 422


def test_other_origins_are_refused_with_the_bearer_token_too(service):
    headers = authorized(service, Origin="http://evil.example")
    assert raw(service, "POST", "/api/studies/s/suggest", b'{"client_id": "e"}', headers)[0] == 403


def test_a_header_that_comes_twice_counts_as_none(service):
    lines = [
        "GET /api/studies HTTP/1.1",
        f"Host: 127.0.0.1:{service.port}",
        f"Authorization: Bearer {service.token}",
        "Authorization: Bearer other",
        "Connection: close",
    ]
    assert exchange(service, "\r\n".join([*lines, "", ""]).encode())[0] == 401


def test_without_leave_to_edit_nothing_is_written(storage):
    with serving(storage, allow_edit=False) as service:
        with pytest.raises(ServiceError, match="without --allow-edit"):
            client(service).study("s").suggest(1, client_id="one")
        assert raw(service, "GET", "/api/studies/s", headers=authorized(service))[0] == 200


def exchange(service, *parts):
    """Bytes sent in parts; the status and the body of the answer."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as wire:
        for part in parts:
            wire.sendall(part)
        answer = HTTPResponse(wire)
        answer.begin()
        return answer.status, answer.read()


def head(service, length):
    path = "/api/studies/s/trials/0/complete"
    lines = [f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{service.port}", f"Authorization: Bearer {service.token}"]
    lines += ["Content-Type: application/json", length, "", ""]
    return "\r\n".join(lines).encode()


def test_oversized_bodies_are_refused_with_flat_memory(service):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for length in (LARGEST + 1, 10**12):
        assert exchange(service, head(service, f"Content-Length: {length}"))[0] == 413
    assert exchange(service, head(service, "Transfer-Encoding: chunked"))[0] == 411
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # kilobytes


def test_deep_bodies_are_refused(service):
    path = "/api/studies/s/add"
    for levels in (DEEPEST + 1, 1_000, 100_000):
        body = b'{"params": ' + b"[" * levels + b"]" * levels + b', "value": 1}'
        assert raw(service, "POST", path, body, authorized(service))[0] == 422
    for levels in (1, 2, DEEPEST):
        nested = json.loads("[" * levels + "]" * levels)
        assert deeper_than(levels - 1, {"a": nested})
        assert not deeper_than(levels + 1, {"a": nested})
    with pytest.raises(Refusal, match="at most 32 levels"):
        parsed(Create, b'{"name": "n", "space": {"a": ' + b"[" * 31 + b"]" * 31 + b"}" + b"}")


def test_slow_bodies_time_out(service, monkeypatch):
    monkeypatch.setattr("knowgrad.web.app.read_body", _impatient)
    status, answer = exchange(service, head(service, "Content-Length: 100"), b'{"va')
    assert status == 408
    assert json.loads(answer)["error"]["message"].startswith("body: expected it within")


async def _impatient(kind, request, long):
    return await read_body(kind, request, long, patience=0.2)


def test_beyond_loopback_a_token_must_be_chosen(storage):
    for host in ("0.0.0.0", "192.0.2.7", "::"):
        with pytest.raises(ArgumentError, match="expected a loopback address"):
            Service(str(storage), host=host)
    with pytest.raises(ArgumentError, match="at least 16 characters"):
        Service(str(storage), token="short")


def test_names_are_exact():
    assert allowed_hosts("127.0.0.1", 8750) == {"127.0.0.1:8750", "localhost:8750", "[::1]:8750"}
    assert allowed_hosts("0.0.0.0", 8750, ["lab.example"]) == {"0.0.0.0:8750", "lab.example:8750"}
    one, two = (Access("t" * 16, allowed_hosts("127.0.0.1", port), True) for port in (1, 2))
    assert one.cookie != two.cookie
    assert one.derived("cookie") != one.derived("csrf")


def test_every_service_draws_its_own_token(storage):
    made = [Service(str(storage)) for _ in range(2)]
    for service in made:
        service.socket.close()
        assert len(service.token) >= 40
    assert made[0].token != made[1].token
