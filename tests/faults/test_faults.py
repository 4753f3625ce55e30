"""Every fault scenario, a few times; `make faults` runs them at their full figures."""

import pytest

from tests.faults.scenario import CannotRun, Place, scenarios

CASES = [(each, kind) for each in scenarios() if each.quick for kind in each.kinds]


@pytest.mark.parametrize(("case", "kind"), CASES, ids=lambda x: x if isinstance(x, str) else x.run.__name__)
def test_no_harm_is_done(case, kind, tmp_path, request):
    if kind == "sqlite":
        place = Place(kind, f"sqlite:///{tmp_path / 'studies.db'}", tmp_path)
    else:
        server = request.getfixturevalue("postgres_server")
        place = Place(kind, server.new_database(), tmp_path, server)
    try:
        assert case.run(place, case.quick)
    except CannotRun as reason:
        pytest.skip(str(reason))
