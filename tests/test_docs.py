"""The documentation builds without a warning, its links lead somewhere, and it loads nothing from elsewhere."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.web import browser as browsers

ROOT = Path(__file__).parent.parent


class Page(HTMLParser):
    """What a page links to, what it loads, and the places in it that can be linked to."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.places = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.places |= {found[key] for key in ("id", "name") if found.get(key)}
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])
        elif tag == "link" and found.get("rel") in ("stylesheet", "icon", "preconnect", "preload"):
            self.loads.append(found["href"])
        elif found.get("src"):
            self.loads.append(found["src"])


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return {path.relative_to(folder): Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}, folder


def test_every_link_within_the_site_leads_somewhere(site):
    pages, folder = site
    broken = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or path.name == "404.html":
                continue
            target = folder / path if not parts.path else folder / path.parent / unquote(parts.path)
            target = target / "index.html" if target.is_dir() else target
            known = pages.get(target.resolve().relative_to(folder.resolve()))
            here = parts.fragment in ("", "__consent") or (known and unquote(parts.fragment) in known.places)
            if not target.exists() or not here:
                broken.append(f"{path}: {link}")
    assert not broken


def test_nothing_is_loaded_from_elsewhere(site):
    pages, folder = site
    assert not [load for page in pages.values() for load in page.loads if urlsplit(load).netloc]
    for style in folder.rglob("*.css"):
        assert not re.findall(r"url\([\"']?https?:", style.read_text(encoding="utf-8"))


def test_every_page_can_be_found(site):
    pages, _ = site
    reachable, new = set(), {Path("index.html")}
    while new:
        reachable |= new
        links = {Path(os.path.normpath(path.parent / urlsplit(to).path)) for path in new for to in pages[path].links}
        new = {link for link in links if link in pages} - reachable
    lost = {path for path in pages if path.name != "404.html"} - reachable
    assert not lost, "nothing links to these pages: add them to nav in mkdocs.yml"


def test_pages_can_be_looked_over(site, tmp_path):
    """None is taller than 4,000 pixels, but for generated reference and tables; the longest are measured."""
    pages, folder = site
    generated = re.compile(r"api.*|measured|paper|404")
    written = [path for path in pages if len(path.parts) == 1 and not generated.fullmatch(path.stem)]
    longest = sorted(written, key=lambda path: (folder / path).stat().st_size)[-16:]
    browser, tall = browsers.started(tmp_path / "profile"), {}
    try:
        browser.screen(1280, 900)
        for path in longest:
            browser.open((folder / path).as_uri())
            tall[path.name] = browser.run("return document.documentElement.scrollHeight")
            assert browser.run("return document.documentElement.scrollWidth") <= 1280, path
    finally:
        browser.driver.quit()
    assert {name: height for name, height in tall.items() if height > 4000} == {}
