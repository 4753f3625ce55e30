"""Reliability test 21: requests generated from the API's own document never break the server or its promises."""

import os

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
from knowgrad.web.openapi import document
from tests.web.serving import serving

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
    study = kg.Study({"x": (0.0, 1.0), "c": ["a", "b"]}, storage=path, name="0", seed=0, method="random")
    for trial in study.ask(5):
        study.tell(trial, trial.params["x"])
    study.ask(2, lease=1_000, worker="0")
    with serving(path) as service:
        yield service


schema = schemathesis.openapi.from_dict(document("test"))


@schema.parametrize()
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_the_api_keeps_its_promises(case, service):
    case.path_parameters = {**case.path_parameters, **({"study": "0"} if "study" in case.path_parameters else {})}
    case.call_and_validate(
        base_url=service.address, headers={"Authorization": f"Bearer {service.token}"}, checks=CHECKS
    )
