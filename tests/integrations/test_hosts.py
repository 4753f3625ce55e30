"""Without its host an integration says what to install."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(("host", "package"), [("optuna", "optuna"), ("sklearn", "scikit-learn"), ("ray", "ray[tune]")])
def test_a_missing_host_is_named_with_the_remedy(host, package):
    code = f"import sys; sys.modules[{host!r}] = None; import knowgrad.integrations.{host}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"MissingPackageError: knowgrad.integrations.{host}: expected the package {host}" in done.stderr
    assert f"pip install '{package}'" in done.stderr
