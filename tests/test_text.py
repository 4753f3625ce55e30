"""Text from outside is harmless wherever it goes: recorded, printed, put into messages."""

import re

import pytest

import knowgrad as kg
from knowgrad.errors import ConflictError, NoDataError, ObjectiveError
from knowgrad.text import brief, brief_repr, describe, measured, note, one_line, plain

SPACE = {"x": (0.0, 1.0)}
QUICK = {"method": "random", "seed": 0, "progress": False}
NASTY = "\x1b]0;title\x07 \ud800 \u202egnp.exe \x00 \x9b31m \u2028 \x7f \r"
CLEAN = r"\x1b]0;title\x07 \ud800 \u202egnp.exe \x00 \x9b31m \u2028 \x7f \r"


def test_what_a_terminal_obeys_becomes_visible_and_the_rest_stays():
    assert plain(NASTY) == CLEAN
    assert plain(CLEAN) == CLEAN
    ordinary = "größer 漢字 שלום \U0001f469\u200d\U0001f52c ± 1e-3\n\tindented \\x1b"
    assert plain(ordinary) == ordinary
    plain(NASTY).encode()


def test_every_character_is_safe_afterwards():
    text = plain("".join(map(chr, range(0x110000))))
    text.encode()
    assert [c for c in text if not c.isprintable() and ord(c) < 0xA0] == ["\t", "\n"]
    assert plain(text) == text


def test_one_line_is_one_line():
    assert one_line("a\n b\r\n\tc\x85d\u2029e\x1b") == r"a b c d e\x1b"


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no words")

    __repr__ = __str__


class Loud(Exception):
    def __str__(self):
        return NASTY * 100


def test_an_exception_is_described_even_if_it_cannot_be_shown():
    assert describe(Mute()) == "Mute (its message cannot be shown)"
    assert describe(Loud()).startswith(r"Loud: \x1b]0;title\x07 \ud800")
    assert len(describe(Loud())) < 450
    assert describe(KeyError()) == "KeyError"
    odd = type("Od\x1bd", (Exception,), {})
    assert describe(odd("a")) == r"Od\x1bd: a"


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("kind", "said"), [(Mute, "the last with: Mute (its mess"), (Loud, r"with: Loud: \x1b]0;title")]
)
def test_a_run_survives_whatever_is_raised(workers, kind, said):
    def objective(params):
        raise kind

    with pytest.raises(NoDataError) as raised:
        kg.minimize(objective, SPACE, n_trials=2, workers=workers, catch=Exception, **QUICK)
    assert plain(raised.value) == str(raised.value)
    assert said in str(raised.value)
    with pytest.raises(ObjectiveError) as stopped:
        kg.minimize(objective, SPACE, n_trials=2, workers=workers, **QUICK)
    assert plain(stopped.value) == str(stopped.value)
    assert said in str(stopped.value)


def test_a_reason_is_recorded_harmlessly(database):
    study = kg.Study(SPACE, storage=database, method="random", seed=0)
    (trial,) = study.ask()
    assert study.fail(trial, NASTY).reason == CLEAN
    assert study.fail(trial, NASTY).reason == CLEAN  # the same again is fine
    assert kg.Study.load(database).trials[0].reason == CLEAN
    with pytest.raises(ConflictError) as raised:
        study.tell(trial, 1.0)
    assert plain(raised.value) == str(raised.value)


def test_names_and_workers_are_printable():
    for call in (lambda: kg.Study(SPACE, name=NASTY), lambda: kg.Study(SPACE).ask(worker=NASTY)):
        with pytest.raises(kg.errors.ArgumentError) as raised:
            call()
        assert plain(raised.value) == str(raised.value)


def test_a_recommendation_prints_its_options_harmlessly():
    study = kg.Study({"act": [NASTY, "b"]}, seed=0)
    study.add({"act": NASTY}, 0.0)
    assert "\x1b" not in str(study.recommend())


def test_a_note_is_one_line_on_stderr(capsys):
    note("a\nb\x1b")
    assert capsys.readouterr() == ("", "knowgrad: a b\\x1b\n")


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.1 + 0.2, "0.3"), (1 / 3, "0.333333"), (1234567.5, "1234568"), (1e-7, "1e-07"), (2e20, "2e+20"), (7, "7")],
)
def test_numbers_for_people_have_six_digits(value, said):
    assert brief(value) == said


@pytest.mark.parametrize(
    ("value", "error", "said"),
    [
        (48.8123, 0.5234, "48.81 ± 0.52"),
        (1000.05123, 0.0011, "1000.0512 ± 0.0011"),
        (0.00012, 3.0, "0.00012 ± 3"),
        (0.0, 0.25, "0 ± 0.25"),
        (1 / 3, 0.0, "0.333333 ± 0"),
        (1 / 3, None, "0.333333"),
    ],
)
def test_a_value_has_the_digits_that_its_error_leaves(value, error, said):
    assert measured(value, error) == said


def test_reprs_have_six_digits_and_leave_out_what_is_not_set():
    study = kg.Study(SPACE, seed=0)
    for x in (0.1, 1 / 3, 0.7, 0.9, 0.95):
        study.add({"x": x}, 10 / 3 * x, sem=0.01)
    for answer in (study.trials[1], study.recommend(), study.diagnostics()):
        found = re.findall(r"(?<![\w.])\d+\.\d+", repr(answer))
        numbers = [number for number in found if float(number) < 1e6]  # times are in seconds since 1970
        assert numbers
        assert all(len(number.replace(".", "").lstrip("0")) <= 6 for number in numbers), repr(answer)
        assert "None" not in repr(answer)
    assert brief_repr((1 / 3, 2)) == "(0.333333, 2)"
