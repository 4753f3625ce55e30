"""Reliability test 21: requests generated from the API's own document never break the server or its promises."""

import os
from collections import defaultdict

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

import knowgrad as kg
from knowgrad.storage import studies
from knowgrad.web.openapi import document
from knowgrad.web.operations import OPERATIONS
from tests.web.serving import client, serving

PENDING = {operation.run.__name__: 5 + i for i, operation in enumerate(OPERATIONS)}  # each has a trial of its own
OWN = {"rename_study": "", "delete_study": ""}  # these have a study of their own, by its uid
SEEN = defaultdict(set)  # statuses by operation
EXAMPLES = int(os.environ.get("KNOWGRAD_EXAMPLES", "12"))  # of each operation; `make faults` takes more
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
]


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    path = tmp_path_factory.mktemp("schema") / "studies.db"
    study = kg.Study({"x": (0.0, 1.0)}, storage=path, name="0", seed=0, method="random")
    for trial in study.ask(5):
        study.tell(trial, trial.params["x"])
    study.ask(len(OPERATIONS), lease=1_000, worker="0")
    for name in ("correct", "discard", "restore"):
        study.tell(PENDING[name], 1.0)
    study.discard(PENDING["restore"], "to be restored")
    for name in OWN:
        kg.Study({"x": (0.0, 1.0)}, storage=path, name=name, seed=0)
    OWN.update({each.name: each.uid for each in studies(path) if each.name in OWN})  # a uid outlives a name
    with serving(path) as service:
        yield service


described = document("test")
del described["security"]  # tests/web/test_guard.py is about the token; here it is always there
schema = schemathesis.openapi.from_dict(described)


@schema.parametrize()
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_the_api_keeps_its_promises(case, service):
    name = case.operation.definition.raw["operationId"]
    real = {"study": OWN.get(name, "0"), "number": PENDING[name]}  # else hardly a request would find what it is about
    case.path_parameters = {name: real.get(name, value) for name, value in case.path_parameters.items()}
    response = case.call_and_validate(
        base_url=service.address, headers={"Authorization": f"Bearer {service.token}"}, checks=CHECKS, timeout=60
    )
    SEEN[name].add(response.status_code)
    if name == "suggest" and response.status_code == 200:  # else thousands of points would be running in the end
        study = client(service).study("0")
        for trial in response.json()["trials"]:
            if trial["number"] > max(PENDING.values()) and trial["state"] == "pending":
                study.stop(trial["number"])


def test_every_operation_was_also_carried_out():
    done = {name for name, seen in SEEN.items() if seen & {200, 201}}
    never = {"delete_study", "front"}  # nobody guesses the name; the study has one objective
    never |= {"report", "end_early", "pause", "resume"}  # it has no fidelity
    assert done == {operation.run.__name__ for operation in OPERATIONS} - never
