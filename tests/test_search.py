"""The search of the documentation, in a browser, on pages that are read from the disk."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.browser import started

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    browser = started(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.driver.quit()


def test_search_works_without_a_server(browser, tmp_path):
    """On a copy of the site's settings with one page: reading all of them takes long."""
    (tmp_path / "docs" / "javascripts").mkdir(parents=True)
    (tmp_path / "docs" / "index.md").write_text("# Mortar\n\nThe haystack has a marzipan needle in it.\n")
    script = "javascripts/iframe-worker.js"
    (tmp_path / "docs" / script).write_text((ROOT / "docs" / script).read_text(encoding="utf-8"))
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nvalidation:")[0]
    (tmp_path / "mkdocs.yml").write_text(settings)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, timeout=120)
    browser.open((tmp_path / "site" / "index.html").as_uri())
    browser.find("[data-md-component=search-query]").send_keys("marzipan")
    browser.wait("return document.querySelector('.md-search-result__item')?.textContent.includes('needle')", seconds=60)
    assert browser.find(".md-search-result__item").is_displayed()
