"""Takes small pictures of the built site, to look at: `make docs`, then `python -m docs.pictures.site`.

The landing page, the results and the tutorial; on a light and a dark screen, and as wide as a phone.
"""

from __future__ import annotations

import base64
import io
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from tests.web import browser as browsers

FOLDER = Path(__file__).parent / "site"
SITE = Path(__file__).parents[2] / "site"
PAGES = ("index", "results", "tutorial")
SCREENS = {"light": ("light", 1280, 1000, 0.6), "dark": ("dark", 1280, 1000, 0.6), "phone": ("light", 390, 1000, 1.0)}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        browser = browsers.started(Path(folder) / "profile")
        try:
            for screen, (scheme, width, height, scale) in SCREENS.items():
                browser.screen(width, height)
                browser.scheme(scheme)
                for page in PAGES:
                    browser.open((SITE / f"{page}.html").as_uri())
                    browser.run("localStorage.clear()")  # where the theme remembers the first screen's scheme
                    browser.open((SITE / f"{page}.html").as_uri())
                    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": scale}
                    shot = browser.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "clip": clip})
                    taken = Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB")
                    taken.quantize(64).save(FOLDER / f"{page}-{screen}.png", optimize=True)
        finally:
            browser.driver.quit()


if __name__ == "__main__":
    main()
