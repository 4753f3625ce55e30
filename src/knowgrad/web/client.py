"""A client of the HTTP service: the verbs of a study, over the network, with the standard library alone.

client = Client("http://127.0.0.1:8750", token)
study = client.create("yield", {"temperature": {"type": "float", "low": 20, "high": 90}}, direction="maximize")
for trial in study.suggest(4, client_id="bench 1"):
    study.complete(trial["number"], run(trial["params"]))
print(study.recommend())
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from knowgrad import errors

Value = float | Mapping[str, Any]  # of a trial: a number, or named outcomes


class _NoRedirects(HTTPRedirectHandler):
    """A redirect is an answer like others: following it would send the token to whatever place it names."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Client:
    """Speaks to one server. Errors of the package arrive as what they are; others as `errors.ServiceError`."""

    def __init__(self, address: str, token: str, *, timeout: float = 60.0) -> None:
        self.address, self.timeout = address.rstrip("/"), timeout
        self._token = token
        self._opener = build_opener(ProxyHandler({}), _NoRedirects)  # the token goes to this server and nowhere else

    def studies(self) -> list[dict[str, Any]]:
        """All studies: name, uid, events, created."""
        found: list[dict[str, Any]] = self.call("GET", "/api/studies")["studies"]
        return found

    def create(
        self, name: str, parameters: Mapping[str, Any], *, constraints: list[Any] | None = None, **options: Any
    ) -> StudyClient:
        """A new study, or the one that is there if it is the same; options as for `Study`."""
        space = {"parameters": dict(parameters), "constraints": constraints or []}
        made = self.call("POST", "/api/studies", {"name": name, "space": space, **options})
        return StudyClient(self, made["uid"])

    def study(self, name: str) -> StudyClient:
        """One that is there, by name or uid."""
        found = self.call("GET", f"/api/studies/{quote(name, safe='')}")
        if found["name"] != name:  # found by its uid, to which the server gives way: is there one of this name?
            found = next((each for each in self.studies() if each["name"] == name), found)
        return StudyClient(self, found["uid"])

    def call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """One request; what the server refuses is raised."""
        headers = {"Authorization": f"Bearer {self._token}"}
        data = None
        if body is not None:
            data = json.dumps(body, allow_nan=False).encode()
            headers["Content-Type"] = "application/json"
        request = Request(self.address + path, data, headers, method=method)
        try:
            with self._opener.open(request, timeout=self.timeout) as response:
                answer: dict[str, Any] = json.load(response)
                return answer
        except HTTPError as error:
            with error:
                raise _raised(error) from None


class StudyClient:
    """One study. A trial is a dict; it is named by its number."""

    def __init__(self, client: Client, uid: str) -> None:
        self.client, self.uid = client, uid

    def suggest(
        self,
        count: int = 1,
        *,
        client_id: str,
        key: str | None = None,
        lease: float | None = None,
        given: Mapping[str, Any] | None = None,
        shared: Mapping[str, int] | Sequence[str] | None = None,
        measure: str | Sequence[str] | None = None,
    ) -> list[dict[str, Any]]:
        """Points to try: this client's active ones first; the same key gets the same answer again."""
        body = {"count": count, "client_id": client_id, "key": key, "lease": lease, "given": given, "shared": shared}
        found: list[dict[str, Any]] = self._post("suggest", measure=measure, **body)["trials"]
        return found

    def complete(
        self, number: int, value: Value, sem: float | None = None, *, cost: float | None = None
    ) -> dict[str, Any]:
        return self._post(f"trials/{number}/complete", value=value, sem=sem, cost=cost)

    def report(self, number: int, at: float, value: float) -> dict[str, Any]:
        """A step of a learning curve."""
        return self._post(f"trials/{number}/report", at=at, value=value)

    def worth_continuing(self, number: int) -> bool:
        """As `Study.worth_continuing`."""
        return bool(self.client.call("GET", self._path(f"trials/{number}/continue"))["worth_continuing"])

    def end(self, number: int, **said: Any) -> dict[str, Any]:
        """As `Study.stop`: its last report is its result; cost, reason."""
        return self._post(f"trials/{number}/end", **said)

    def pause(self, number: int, **said: Any) -> dict[str, Any]:
        """As `Study.pause`: cost, reason."""
        return self._post(f"trials/{number}/pause", **said)

    def resume(self, number: int, *, at: float | None = None) -> dict[str, Any]:
        """As `Study.resume`."""
        return self._post(f"trials/{number}/resume", at=at)

    def fail(self, number: int, reason: str, *, cost: float | None = None) -> dict[str, Any]:
        return self._post(f"trials/{number}/fail", reason=reason, cost=cost)

    def correct(self, number: int, value: Value | None = None, **said: Any) -> dict[str, Any]:
        """As `Study.correct`: sem, failed, reason, by, key. To forget a standard error, pass sem=None."""
        told = {name: each for name, each in {"value": value, **said}.items() if name == "sem" or each is not None}
        return self.client.call("POST", self._path(f"trials/{number}/correct"), told)

    def discard(self, number: int, reason: str, *, by: str | None = None, key: str | None = None) -> dict[str, Any]:
        return self._post(f"trials/{number}/discard", reason=reason, by=by, key=key)

    def restore(self, number: int, **said: Any) -> dict[str, Any]:
        """As `Study.restore`: reason, by, key."""
        return self._post(f"trials/{number}/restore", **said)

    def note(self, number: int, text: str, *, by: str | None = None, key: str | None = None) -> dict[str, Any]:
        return self._post(f"trials/{number}/note", text=text, by=by, key=key)

    def renew(self, number: int, lease: float) -> dict[str, Any]:
        return self._post(f"trials/{number}/renew", lease=lease)

    def stop(self, number: int) -> dict[str, Any]:
        return self._post(f"trials/{number}/stop")

    def add(self, params: Mapping[str, Any], value: Value, sem: float | None = None) -> dict[str, Any]:
        return self._post("add", params=dict(params), value=value, sem=sem)

    def add_many(self, rows: Sequence[Mapping[str, Any]], **options: Any) -> dict[str, Any]:
        """As `Study.add_many` with a list of dicts: what was added, and which rows were refused and why."""
        return self._post("add-many", rows=[dict(row) for row in rows], **options)

    def enqueue(self, params: Mapping[str, Any]) -> dict[str, Any]:
        return self._post("enqueue", params=dict(params))

    def recommend(
        self,
        *,
        given: Mapping[str, Any] | None = None,
        tolerance: Mapping[str, float] | None = None,
        chance: float | None = None,
        weights: Mapping[str, float] | None = None,
        at: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        tables = {"given": given, "tolerance": tolerance, "weights": weights, "at": at}
        return self._get("recommend", chance=chance, **{name: _json(table) for name, table in tables.items()})

    def front(self, *, chance: float | None = None, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """As `Study.front`: points with what to expect of each outcome there."""
        return self._get("front", chance=chance, given=_json(given))

    def predict(self, points: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Posterior mean and sd at points, as lists."""
        return self._get("predict", points=json.dumps([dict(point) for point in points]))

    def gain(self, q: int = 1, *, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return self._get("gain", q=q, given=_json(given))

    def plan(
        self, budget: float, *, setup: float = 0.0, each: float = 1.0, given: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """How many points to ask for next, what the budget is expected to gain, and when to stop."""
        return self._get("plan", budget=budget, setup=setup, each=each, given=_json(given))

    def change(
        self,
        parameters: Mapping[str, Mapping[str, Any] | None] | None = None,
        *,
        earlier: Mapping[str, Any] | None = None,
        constraints: Sequence[Any] | None = None,
        **said: Any,
    ) -> dict[str, Any]:
        """As `Study.change`, with tables: `{"temperature": {"low": 20, "high": 120}}`; None drops a parameter."""
        body = {"parameters": dict(parameters or {}), "earlier": earlier, "constraints": constraints, **said}
        return self._post("change", **body)

    def rename(self, name: str) -> dict[str, Any]:
        return self._post("rename", name=name)

    def delete(self, name: str) -> dict[str, Any]:
        """For good; its name says that it is meant."""
        return self._post("delete", name=name)

    def summary(self) -> dict[str, Any]:
        return self._get("")

    def trials(self, state: str | None = None) -> Iterator[dict[str, Any]]:
        """All of them, page after page."""
        after: int | None = None
        while True:
            page = self._get("trials", state=state, after=after, limit=500)
            yield from page["trials"]
            after = page["next"]
            if after is None:
                return

    def _get(self, path: str, **query: Any) -> dict[str, Any]:
        told = urlencode({name: value for name, value in query.items() if value is not None})
        return self.client.call("GET", self._path(path) + (f"?{told}" if told else ""))

    def _post(self, path: str, **body: Any) -> dict[str, Any]:
        return self.client.call("POST", self._path(path), {k: v for k, v in body.items() if v is not None})

    def _path(self, path: str) -> str:
        return f"/api/studies/{self.uid}" + (f"/{path}" if path else "")


def _json(table: Mapping[str, Any] | None) -> str | None:
    return None if table is None else json.dumps(dict(table))


def _raised(error: HTTPError) -> errors.KnowgradError:
    """The error that the answer names, if it is one of ours."""
    if 300 <= error.code < 400:
        where = str(error.headers.get("Location"))[:200]
        return errors.ServiceError(
            f"HTTP {error.code}: expected an answer, got a redirect to {where!r}, which is not followed because the "
            "token is for this server alone; if that is the server, pass its address to Client"
        )
    try:
        told = json.load(error)["error"]
        kind, message = str(told["type"]), str(told["message"])
    except (ValueError, KeyError, TypeError):
        kind, message = "", f"expected JSON, got HTTP {error.code}"
    known = getattr(errors, kind, None) if kind.endswith("Error") else None
    if isinstance(known, type) and issubclass(known, errors.KnowgradError):
        return known(message)
    return errors.ServiceError(f"HTTP {error.code}: {message}")
