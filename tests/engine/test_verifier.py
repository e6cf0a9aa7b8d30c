"""The stand-alone verifier, the published vectors and the engine's dice agree; nothing tampered with passes (CF-3)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from games.engine.dice import SecretDice, Tray, commitment, die

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "docs/dice-vectors.json"
SECRET, GAME = b"a secret of thirty-two bytes....", "8a1f7a52-9f4e-4b7e-8a65-0d2b7c9d1e3f"
pytestmark = pytest.mark.rule("CF-3")


def verification(*arguments):
    """The verifier's exit status and what it prints, in a bare interpreter without this project's packages."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(ROOT / "tools/verify_dice.py"), *map(str, arguments)],
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def transcript():
    tray = Tray(SecretDice(SECRET, GAME), entered={("0/hand", 0): 4})
    tray.pool("war:1/attacker", 4, 6, "G2-DIP-2")
    tray.roll("hand", 6, "G2-DICE-2")
    tray.shuffle("order", range(9), "G2-AGG-6")
    rolls = [
        {"label": r.label, "index": r.index, "sides": r.sides, "value": r.value, "source": r.source} for r in tray.all
    ]
    return {"game": GAME, "commitment": commitment(SECRET), "secret": SECRET.hex(), "rolls": rolls}


def transcript_file(folder, read):
    path = folder / "transcript.json"
    path.write_text(json.dumps(read))
    return path


def test_the_engine_and_the_verifier_agree_with_every_vector():
    games = json.loads(VECTORS.read_text())["games"]
    rolls = [(g, r) for g in games for r in g["rolls"]]
    for game, roll in rolls:
        secret = bytes.fromhex(game["secret"])
        assert die(secret, game["game"], roll["label"], roll["index"], roll["sides"]) == roll["value"]
        assert commitment(secret) == game["commitment"]
    assert max(r["tries"] for _, r in rolls) >= 3
    assert {r["sides"] for _, r in rolls} >= {1, 2, 6, 3_000_000_000, 2**32}
    assert len(games) == 3
    status, found = verification("--vectors", VECTORS)
    assert (status, found.strip()) == (0, f"{len(rolls)} dice computed again, 0 entered by hand, 0 wrong")


def test_a_vector_that_was_changed_is_found(tmp_path):
    vectors = json.loads(VECTORS.read_text())
    vectors["games"][0]["rolls"][0]["tries"] += 1
    path = tmp_path / "vectors.json"
    path.write_text(json.dumps(vectors))
    assert verification("--vectors", path)[0] == 1


def test_a_transcript_comes_out_and_lists_what_was_entered_by_hand(tmp_path):
    status, found = verification(transcript_file(tmp_path, transcript()))
    assert (status, found.splitlines()) == (
        0,
        ["entered by hand: 0/hand no. 0 (d6) shows 4", "12 dice computed again, 1 entered by hand, 0 wrong"],
    )


def other_value(read):
    read["rolls"][0]["value"] = read["rolls"][0]["value"] % 6 + 1


def other_label(read):
    read["rolls"][0]["label"] = "1/war:1/attacker"
    read["rolls"][0]["sides"] = 10**9


def other_game(read):
    read["game"] = GAME[::-1]


def other_commitment(read):
    read["commitment"] = commitment(b"another")


def other_secret(read):
    read["secret"] = b"another".hex()


def use_twice(read):
    read["rolls"].append(read["rolls"][0])


def from_nowhere(read):
    read["rolls"][0]["source"] = "test"


def not_on_the_die(read):
    read["rolls"][4]["value"] = 7


@pytest.mark.parametrize(
    "tamper",
    [other_value, other_label, other_game, other_commitment, other_secret, use_twice, from_nowhere, not_on_the_die],
)
def test_a_transcript_that_was_tampered_with_does_not_pass(tmp_path, tamper):
    read = transcript()
    tamper(read)
    status, found = verification(transcript_file(tmp_path, read))
    assert status == 1
    assert "WRONG" in found


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"secret": "xyz"}'])
def test_what_is_no_transcript_is_reported_as_none(tmp_path, text):
    path = tmp_path / "transcript.json"
    path.write_text(text)
    assert verification(path)[0] == 2


def test_the_pages_of_a_game_are_checked_together_and_against_the_commitment_that_was_written_down(tmp_path):
    read = transcript()
    pages = [{**read, "rolls": read["rolls"][:5]}, {**read, "results": read["rolls"][5:]}]
    del pages[1]["rolls"]
    paths = []
    for n, page in enumerate(pages):
        paths.append(tmp_path / f"{n}.json")
        paths[-1].write_text(json.dumps(page))
    status, found = verification("--commitment", read["commitment"].upper(), *paths)
    assert (status, found.splitlines()[-1]) == (0, "12 dice computed again, 1 entered by hand, 0 wrong")
    assert verification("--commitment", "0" * 64, *paths)[0] == 1
    paths[1].write_text(json.dumps({**pages[1], "game": "another"}))
    assert verification(*paths)[0] == 2
    paths[1].write_text(json.dumps({**pages[1], "secret": None}))
    assert verification(paths[1])[0] == 2
