"""Maps from files of any kind: each is laid, or refused in one sentence: the file, the place and what stands there."""

import gzip
import json
import re
from functools import partial

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from core.letter_map import MapFault, read_rows
from worlds.map_files import LETTERS, AtlasError, Chart, read_json, read_letters, read_map
from worlds.models import World

TEXT = "PWF\nMID\n"
CHART = Chart(3, 2, ("P", "W", "F", "M", "I", "D"))
CELLS = {"width": 3, "height": 2, "cells": [{"terrain": letter} for letter in CHART.terrain]}
gzipped = partial(gzip.compress, mtime=0)  # its bytes are in the names of tests, which every process calls alike
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-32")


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("earth.txt", TEXT),
        ("earth.txt", TEXT.lower()),
        ("earth.txt", "PWF  \r\nMID\t\r\n\r\n\r\n"),
        ("earth", TEXT.rstrip()),
        ("MAP.JSON", json.dumps(CELLS)),
        ("map.json.gz", json.dumps(CELLS, indent=2)),
        ("map.txt", json.dumps(CELLS)),
        ("map.json", json.dumps({"rows": ["pwf", "MID"]})),
        ("map", json.dumps({"width": 3, "height": 2, "rows": ["PWF", "MID"]})),
    ],
)
def test_a_map_of_any_kind_is_read(name: str, text: str, encoding: str, pack) -> None:
    assert read_map(name, pack(text.encode(encoding))) == CHART


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.txt", b"PWF\nPXF", "a.txt: Row 2, column 2: 'X' is no terrain; use one of P plains, "),
        ("a.txt", b"PWF\nPW", "a.txt: Row 2, column 3: nothing stands there; row 1 has 3 squares and this one 2, "),
        ("a.txt", b"PW\nPWF", "a.txt: Row 2, column 3: 'F' stands there; row 1 has 2 squares and this one 3, "),
        ("a.txt", "P\u00e9".encode(), r"a.txt: Row 1, column 2: '\xe9' is no terrain"),
        ("a.txt", b"PW\nP\xe9", "a.txt: Row 2, column 2: byte 0xe9 is not UTF-8; save the file as UTF-8."),
        (
            "a.txt",
            "PW".encode("utf-16")[:-1],
            "a.txt: Row 1, column 2: byte 0x57 is not UTF-16; save the file as UTF-8.",
        ),
        ("a.txt", b"", "a.txt: There are no rows; "),
        ("a.txt", b"P" * 4097, "a.txt: A map of 4097 by 1 squares does not fit; "),
        ("A.JSON", b"PWF", "A.JSON: Row 1, column 1: 'P' stands there, which is not JSON"),
        ("a.json", b'{"rows": ["P",\n}', "a.json: Row 2, column 1: '}' stands there, which is not JSON"),
        ("a.json", b'{"rows": ["P"', "a.json: Row 1, column 14: the file ends there, which is not JSON"),
        ("a.json", b'{"rows": ["PW", "PX"]}', "a.json: Row 2, column 2: 'X' is no terrain"),
        ("a.json", b'{"width": 3, "rows": ["PW"]}', "a.json: The width is 3; by the rows it is 2."),
        ("a.json", b'{"rows": ["P\\nW"]}', "a.json: The rows of a map are a list of texts"),
        ("a.json", b"[" * 100_000, "a.json: Row 1: this is no JSON"),
        ("a.json", b'{"width": ' + b"9" * 5000 + b"}", "a.json: Row 1: this is no JSON"),
        ("a.gz", gzipped(b"PWF")[:-4], "a.gz: The file ends in the middle of its gzip."),
        ("a.json", b'{"rows": ["P"], "rows": ["W"]}', "a.json: The key 'rows' stands twice in one object; keep one."),
        (
            "a.json",
            b'{"width": 1, "height": 1, "cells": [{"terrain": "P", "terrain": "W"}]}',
            "a.json: The key 'terrain' stands twice in one object; keep one.",
        ),
        ("a.json", b'{"a\\n": 1, "a\\n": 2}', r"a.json: The key 'a\n' stands twice in one object; keep one."),
        ("a.gz", gzipped(gzipped(b"PWF")), "a.gz: This is gzip inside a gzip; pack the map once."),
        ("a.gz", gzipped(b"PWF") * 2, "a.gz: Something stands behind the gzip of the map; pack the map alone."),
        ("a.gz", b"\x1f\x8bnonsense", "a.gz: This is gzip that cannot be unpacked"),
    ],
)
def test_a_file_that_is_no_map_is_refused_in_one_sentence(name: str, content: bytes, sentence: str) -> None:
    with pytest.raises(AtlasError) as refusal:
        read_map(name, content)
    assert refusal.value.message.startswith(sentence) and refusal.value.message.endswith(".")
    assert "\n" not in refusal.value.message


def test_a_small_file_is_not_unpacked_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("worlds.map_files.MAX_BYTES", 1000)
    with pytest.raises(AtlasError, match=r"a\.gz: The file is larger than 1000 bytes unpacked\."):
        read_map("a.gz", gzip.compress(b"P" * 100_000))


def test_a_feature_has_a_name_that_can_be_stored() -> None:
    for name in ("\ud800", "a\x00"):
        cell = {"terrain": "P", "features": [{"kind": "river", "name": name}]}
        with pytest.raises(AtlasError, match="a cell gives a feature a name"):
            read_json({"width": 1, "height": 1, "cells": [cell]})


letters = st.sampled_from('PFDMIWpfdmiwX \t\r\n\ufeff\x00\x85\u2028\u00e9{}[]",:')
keys = st.sampled_from(("width", "height", "cells", "rows", "terrain", "features", "kind"))
files = st.one_of(
    st.binary(max_size=60),
    st.text(letters, max_size=40).map(str.encode),
    st.text(max_size=30).map(lambda text: text.encode("utf-16", "surrogatepass")),
    st.recursive(
        st.none() | st.integers() | st.floats() | st.text(letters, max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4),
        max_leaves=12,
    ).map(lambda data: json.dumps(data).encode()),
)


@settings(max_examples=300)
@given(st.sampled_from(("a", "a.txt", "a.json", "A.JSON.GZ")), files, st.booleans())
def test_whatever_a_file_holds_it_is_a_map_or_one_sentence(name: str, content: bytes, packed: bool) -> None:
    try:
        chart = read_map(name, gzip.compress(content) if packed else content)
    except AtlasError as refusal:
        assert refusal.code == "map.invalid"
        assert refusal.message.startswith(f"{name}: ") and refusal.message.endswith(".") and "\n" not in refusal.message
    else:
        assert len(chart.terrain) == chart.width * chart.height > 0


@given(st.lists(st.text(letters, max_size=6), max_size=5))
def test_rows_are_read_alike_from_a_file_and_by_the_command(rows: list[str]) -> None:
    """`set-map` reads with `read_rows`; a file has no rows with line ends in them."""
    rows = [re.sub(r"[\r\n\x85\u2028\ufeff]", "", row) for row in rows]
    try:
        laid: tuple[str, ...] | str = read_rows(rows, LETTERS)
    except MapFault as fault:
        laid = fault.message
    try:
        chart = read_letters("\n".join(rows))
        assert laid == tuple("".join(row) for row in chart.rows())
    except AtlasError as refusal:
        assert laid == refusal.message


@pytest.mark.django_db
def test_the_command_says_what_is_wrong_with_which_file(tmp_path) -> None:
    bad = tmp_path / "BAD.TXT"
    bad.write_bytes(b"PX")
    with pytest.raises(CommandError, match=r"map\.invalid: BAD\.TXT: Row 1, column 2: 'X' is no terrain"):
        call_command("atlas", "import", str(bad), name="Bad")
    with pytest.raises(CommandError, match=r"none\.txt cannot be read: No such file"):
        call_command("atlas", "import", str(tmp_path / "none.txt"), name="None")
    good = tmp_path / "MAP.JSON"
    good.write_bytes(gzip.compress(json.dumps(CELLS).encode("utf-16")))
    call_command("atlas", "import", str(good), name="Good")
    world = World.objects.get()
    assert (world.name, world.width, world.height) == ("Good", 3, 2)
