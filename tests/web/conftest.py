"""One browser for all tests of the pages."""

import pytest

from tests.web.browser import started


@pytest.fixture(scope="package")
def browser(tmp_path_factory):
    browser = started(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.driver.quit()


@pytest.fixture
def usual(browser):
    """A large, light screen to begin with, and a console that has said nothing."""
    browser.screen(1280, 1000)
    browser.scheme("light")
    browser.log()
