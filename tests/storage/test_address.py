"""A password never appears in an error, whatever the form of the address."""

import traceback

import pytest

import knowgrad as kg
from knowgrad.errors import ArgumentError, KnowgradError
from knowgrad.storage import open_storage, studies
from knowgrad.storage.address import shown_address, without_password

FORMS = [
    "postgresql://me:{}@127.0.0.1:1/db",
    "postgres://me:{}@127.0.0.1:1/db",
    "postgresql://127.0.0.1:1/db?user=me&password={}",
    "postgresql://me@127.0.0.1:1/db?password={}&connect_timeout=1",
    "postgresql+psycopg://me:{}@127.0.0.1:1/db",
    "mysql://me:{}@127.0.0.1/db",
    "postgresql://me:{}@127.0.0.1:port/db",
    "postgresql://me:{}@[::1/db",
    "postgresql://me:{}@127.0.0.1:1,127.0.0.1:2/db",
    "postgresql://me:{}@127.0.0.1:1/db?nonsense=1",
    "postgresql://me:{}@127.0.0.1:1/db?sslpassword={}",
    "postgresql:/me:{}@127.0.0.1:1/db",
    "Postgres:me:{}@127.0.0.1:1/db",
    "host=127.0.0.1 port=1 user=me password='{}'",
    r"dbname = db password = 'a\'{}'",
    r"password=a\ {} host=127.0.0.1",
]
PASSWORDS = ["secret", "se@cret", "secret:42", "sec/ret", "secret?x", "sec#ret", "s%65cret", "secret%"]


@pytest.mark.parametrize("password", PASSWORDS)
@pytest.mark.parametrize("form", FORMS)
def test_no_part_of_a_password_is_told(form, password, monkeypatch):
    monkeypatch.setenv("KNOWGRAD_PATIENCE", "0")
    address = form.replace("{}", password)
    for call in (studies, kg.Study.load, lambda place: open_storage(place, "mine").read()):
        with pytest.raises(KnowgradError) as error:
            call(address)
        said = "".join(traceback.format_exception(error.value))
        for part in ("secret", "cret", "ret@", "sec/", "sec#"):
            assert part not in said.replace("test_no_part_of_a_password", "")


def test_no_file_is_named_like_an_address(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for address in ("host=h user=me", "postgresql:/me@h/db", "dbname=studies"):
        with pytest.raises(ArgumentError, match="postgresql://user@host/database"):
            kg.Study({"x": (0.0, 1.0)}, storage=address, name="mine")
    kg.Study({"x": (0.0, 1.0)}, storage="lab=2.db", name="mine")
    assert [path.name for path in tmp_path.iterdir()] == ["lab=2.db"]


def test_what_is_no_password_is_shown():
    assert shown_address("postgresql://me:secret@host:5432/db?x=1") == "postgresql://me:***@host:5432/db?x=1"
    assert shown_address("postgresql://me@host/db") == "postgresql://me@host/db"
    assert shown_address("lab.db") == "lab.db"
    assert shown_address("host=h password='a b' user=u") == "host=h password=*** user=u"
    assert shown_address(r"host=h password='a\'b' user=u") == "host=h password=*** user=u"
    assert shown_address(r"host=h password=a\ b user=u") == "host=h password=*** user=u"
    assert without_password("postgresql://me@host/db", "no host") == "no host"
