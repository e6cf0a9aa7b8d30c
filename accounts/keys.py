"""Secrets that people carry: how they are made, recognised and hashed.

A secret is a word that names its kind, an underscore and random base62 characters. The word lets secret scanners find
one that was published by mistake. 40 characters hold 238 bits, 24 hold 142: nobody guesses them, so one round of
SHA-256 is hash enough and a look-up by digest reveals nothing by its timing.
"""

import hashlib
import re
import secrets
import string

ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
TOKEN_WORD, TOKEN_LETTERS = "theo", 40
INVITATION_WORD, INVITATION_LETTERS = "theoinvite", 24
REFRESH_WORD, REFRESH_LETTERS = "theorefresh", 40
CALENDAR_WORD, CALENDAR_LETTERS = "theocal", 40
CLIENT_WORD, CLIENT_LETTERS = "theoapp", 16
SHOWN = 8

TOKEN_SHAPE = re.compile(rf"{TOKEN_WORD}_[0-9A-Za-z]{{{TOKEN_LETTERS}}}")
INVITATION_SHAPE = re.compile(rf"{INVITATION_WORD}_[0-9A-Za-z]{{{INVITATION_LETTERS}}}")
REFRESH_SHAPE = re.compile(rf"{REFRESH_WORD}_[0-9A-Za-z]{{{REFRESH_LETTERS}}}")
CALENDAR_SHAPE = re.compile(rf"{CALENDAR_WORD}_[0-9A-Za-z]{{{CALENDAR_LETTERS}}}")
CLIENT_SHAPE = re.compile(rf"{CLIENT_WORD}_[0-9A-Za-z]{{{CLIENT_LETTERS}}}")
"""The id of an application: public, and no secret."""


def new(word: str, characters: int) -> str:
    """A fresh secret: `<word>_<random base62 characters>`."""
    return f"{word}_" + "".join(secrets.choice(ALPHABET) for _ in range(characters))


def digest(plain: str) -> str:
    """What is stored in its place: SHA-256, 64 hexadecimal digits."""
    return hashlib.sha256(plain.encode()).hexdigest()


def key_preview(plain: str) -> str:
    """The first characters after the word: enough to distinguish two secrets, of no use to a thief."""
    return plain.partition("_")[2][:SHOWN]
