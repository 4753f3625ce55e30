"""Debian's Chromium, driven by Selenium. `make browser` installs both where that can be done."""

import shutil
import time
from pathlib import Path

import pytest
from selenium import webdriver

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,1000",
    "--hide-scrollbars",
)
SHOTS = Path(__file__).parents[2] / "build" / "screenshots"


class Browser:
    """One Chromium, with what the tests need of it."""

    def __init__(self, folder):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for flag in (*FLAGS, f"--user-data-dir={folder}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))

    def open(self, address):
        """The page at the address, parsed: on a busy machine the driver may return while a redirect is under way."""
        self.driver.get(address)
        self.wait("return document.body && document.readyState === 'complete'")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def wait(self, script, *arguments, seconds=240):
        """Until the script returns something true; that is returned."""
        deadline = time.monotonic() + seconds
        while not (found := self.run(f"if (document.body) {{ {script} }}", *arguments)):
            says = "return document.documentElement.textContent"
            assert time.monotonic() < deadline, f"never came true: {script}; the page says: {self.run(says)[:2000]}"
            time.sleep(0.1)
        return found

    def until(self, condition, seconds=60):
        """Until something outside the page is so."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, "never came true"
            time.sleep(0.1)

    def drawn(self):
        """Until the page shows, charts included, the study as it is."""
        self.wait("return document.body.dataset.drawn && document.body.dataset.drawn === document.body.dataset.version")

    def screen(self, width, height, *, phone=False):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def scheme(self, name):
        feature = {"name": "prefers-color-scheme", "value": name}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def picture(self, name):
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(SHOTS / f"{name}.png"))

    def log(self):
        """What the console said since the last time."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def errors(self):
        """What went wrong since the last time: scripts, refusals by the policy, files.

        Not that the server was busy, nor that the one of the page before is gone.
        """
        here = self.run("return location.origin")
        said = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        ours = [message for message in said if message.startswith(here) or not message.startswith("http")]
        return [message for message in ours if "status of 503" not in message]


def started(folder):
    """A browser, or a skip that says why there is none."""
    missing = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    if missing:
        pytest.skip(f"no {' and no '.join(missing)} on this machine, and none could be installed (make browser)")
    return Browser(folder)
