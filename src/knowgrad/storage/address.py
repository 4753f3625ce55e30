"""The address of a database in words for people: errors are copied into logs and reports, and a password has no
business there, however the address was written."""

import re
from urllib.parse import unquote

HIDDEN = "***"
NAMED = re.compile(r"(pass\w*|sslpassword)(\s*=\s*)('(?:\\.|[^'\\])*'?|(?:\\.|[^&\s\\])*)", re.IGNORECASE)
MEANT = re.compile(r"postgres\w*:|(?:host\w*|port|user|dbname|pass\w*)\s*=", re.IGNORECASE)
SHORTEST = 3  # characters of a part of a password that is looked for in other texts


def shown_address(address: str) -> str:
    """The address without its password."""
    head, separator, tail = address.rpartition("@")  # a password may have an @ of its own
    if separator:
        before, colon, rest = head.rpartition("://") if "://" in head else ("", "", head)
        user, also, _ = rest.partition(":")
        head = before + colon + user + (f":{HIDDEN}" if also else "")
    return NAMED.sub(rf"\1\2{HIDDEN}", head + separator + tail)


def is_meant_for_a_database(text: str) -> bool:
    """Is this an address that was mistyped, or written in another way? As a path it would show its password."""
    return MEANT.match(text.strip()) is not None


def without_password(address: str, text: str) -> str:
    """A text about the address, an error message, say, in which no part of its password is left."""
    for secret in sorted(_secrets(address), key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return text


def _secrets(address: str) -> set[str]:
    """The passwords, as written and as meant, and the parts in which a careless reading may tear them."""
    head, separator, _ = address.rpartition("@")
    whole = {head.rpartition("://")[2].partition(":")[2]} if separator else set()
    whole |= {text for match in NAMED.finditer(address) for text in (match[3], match[3].strip("'"))}
    whole |= {unquote(each) for each in whole}
    parts = {part for each in whole for part in re.split(r"[@:/?#&\[\],]", each) if len(part) >= SHORTEST}
    return {each for each in whole | parts if each}
