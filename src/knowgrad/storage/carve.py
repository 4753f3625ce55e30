"""Events out of the bytes of a damaged SQLite file, whatever has become of its pages.

A row is a header, which gives the type of each column, and the columns after it. The last two columns of an event are
texts of 16 characters, so its header ends in two known bytes, and those can be looked for anywhere. A row is believed
only if its digest is right. A row too long for its page goes on in a chain of others.
"""

from collections.abc import Iterator

from knowgrad.errors import CorruptStorageError
from knowgrad.storage import tables
from knowgrad.trial import Event

PAGE = 4096
TEXT, END = 13, bytes([13 + 2 * 16] * 2)  # the code of an empty text; the codes of digest and receipt
HEADERS = range(7, 16)  # bytes a header may have: one for its length, and one to three for each of six columns
WHOLE, PART = PAGE - 35, (PAGE - 12) * 32 // 255 - 23  # bytes of a row in its own page: at most, and if it goes on


def carve(content: bytes) -> Iterator[tuple[str, int, Event]]:
    """Study, number and event of every row that is whole. The same row may come more than once."""
    at = content.find(END)
    while at >= 0:
        end = at + len(END)
        for size in HEADERS:
            if size <= end and content[end - size] == size:
                yield from _row(content, end - size, size)
        at = content.find(END, at + 1)


def _row(content: bytes, start: int, size: int) -> Iterator[tuple[str, int, Event]]:
    codes, at = [], start + 1
    while at < start + size:
        code, at = _varint(content, at)
        codes.append(code)
    if at != start + size or len(codes) != 6 or any(code < TEXT or not code % 2 for code in codes[:1] + codes[2:]):
        return
    lengths = [_whole_bytes(code) if i == 1 else (code - TEXT) // 2 for i, code in enumerate(codes)]
    payload = _payload(content, start, size + sum(lengths))
    ends = [size + sum(lengths[: i + 1]) for i in range(6)]
    study, number, kind, data, digest, _ = (payload[e - n : e] for e, n in zip(ends, lengths, strict=True))
    value = codes[1] - 8 if codes[1] in (8, 9) else int.from_bytes(number, "big", signed=True)
    try:
        name = study.decode()
        yield name, value, tables.checked(name, value, value, kind.decode(), data.decode(), digest.decode())
    except (UnicodeDecodeError, CorruptStorageError):
        return


def _payload(content: bytes, start: int, size: int) -> bytes:
    """The bytes of a row, gathered from all pages it lies in."""
    if size <= WHOLE:
        return content[start : start + size]
    kept = PART + (size - PART) % (PAGE - 4)
    kept = kept if kept <= WHOLE else PART
    found, rest = content[start : start + kept], content[start + kept : start + kept + 4]
    while len(found) < size and (page := int.from_bytes(rest, "big")) and page * PAGE <= len(content):
        block = content[(page - 1) * PAGE : page * PAGE]
        rest, found = block[:4], found + block[4 : 4 + size - len(found)]
    return found


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """A whole number in seven bits a byte, and where it ends."""
    value = 0
    for byte in content[at : at + 9]:
        value, at = value << 7 | byte & 0x7F, at + 1
        if byte < 0x80:
            break
    return value, at


def _whole_bytes(code: int) -> int:
    """How many bytes a column of this code for whole numbers has."""
    return {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}.get(code, 0)
