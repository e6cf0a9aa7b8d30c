"""The commands of every game in the menu of those who may issue them: what is listed is accepted, what is not says why.

Legal is what the command's own refusals leave over: each test compares the two.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from uuid import UUID

import orjson
import pytest

from api.representations.issuing.commands import listing_json, parse_command
from games.engine.errors import Refused
from games.engine.insight.domains import ListOf, Range
from games.engine.insight.legal_commands import LegalCommand, LegalCommandFilter, legal_commands_for, names_of
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import EndNow, Pause, Resume, Start
from games.engine.ruleset import TABLE
from games.engine.savepoint import Savepoint
from tests.engine.cairns import ANN, GM_ACTOR, HOST_ACTOR, Cairns, table
from tests.engine.test_manual_dice import real_table
from tests.play.ruleless import body_for
from tests.toy.rules.commands import RollStones

ANN_ACTS = Actor(Issuer.SEAT, user=UUID(int=7), seat=ANN)
STRANGER = Actor(Issuer.SEAT, user=UUID(int=8))
NOBODY = Actor(Issuer.SEAT)
VIEWERS = {"player": ANN_ACTS, "host": HOST_ACTOR, "gm": GM_ACTOR, "stranger": STRANGER, "nobody": NOBODY}


def lobby() -> Cairns:
    return table()


def running() -> Cairns:
    cairns = table()
    cairns.when(Start(), GM_ACTOR)
    return cairns


def paused() -> Cairns:
    cairns = running()
    cairns.when(Pause(), HOST_ACTOR)
    return cairns


def finished() -> Cairns:
    cairns = table(options='{"tides": 1}')
    cairns.when(Start(), GM_ACTOR)
    cairns.when(EndNow(), GM_ACTOR)
    return cairns


MOMENTS = (lobby, running, paused, finished)


def menu(cairns: Cairns, actor: Actor) -> list[LegalCommand]:
    """The entries of the commands of every game."""
    seen = cairns.state.view_for(frozenset({actor.seat} if actor.seat else ()), gm=actor.is_gm)
    return legal_commands_for(seen, TABLE.commands, actor)


def legal(cairns: Cairns, actor: Actor) -> set[str]:
    return {entry.command for entry in menu(cairns, actor) if entry.legal}


ALWAYS = {"add-seat", "invite", "hand-over", "remove-seat"}
SEATED = {"hand-over", "report-message", "send-message"}
LEADING = ALWAYS | {"report-message", "send-message"}
CORRECTING = {"overrule", "amend"}


@pytest.mark.parametrize(
    ("_case", "moment", "player", "host", "gm", "stranger"),
    [
        ("lobby", lobby, SEATED, LEADING | {"start"}, LEADING | CORRECTING | {"start"}, {"join"}),
        (
            "running",
            running,
            SEATED,
            LEADING | {"pause", "extend", "end-now", "fire-now"},
            LEADING | CORRECTING | {"pause", "extend", "end-now", "fire-now", "rewind"},
            {"join"},
        ),
        (
            "paused",
            paused,
            SEATED,
            LEADING | {"extend", "resume"},
            LEADING | CORRECTING | {"extend", "resume", "rewind"},
            {"join"},
        ),
        ("finished", finished, {"hand-over"}, ALWAYS, ALWAYS | CORRECTING | {"rewind"}, set[str]()),
    ],
)
def test_each_finds_what_they_may_do_at_each_moment(_case, moment, player, host, gm, stranger):
    cairns = moment()
    expected = {"player": player, "host": host, "gm": gm, "stranger": stranger, "nobody": set()}
    assert {name: legal(cairns, actor) for name, actor in VIEWERS.items()} == expected


def test_what_is_barred_says_what_the_command_would_refuse_with():
    for moment in MOMENTS:
        for actor in (HOST_ACTOR, GM_ACTOR):
            cairns = moment()
            barred = {entry.command: entry.barred for entry in menu(cairns, actor) if not entry.legal}
            for command in (Start(), Pause(), Resume(), EndNow()):
                if command.slug() in barred:
                    with pytest.raises(Refused) as refused, Savepoint(cairns.state):
                        cairns.when(command, actor)
                    assert barred[command.slug()].code in (refused.value.code, "clock.paused"), command.slug()


def bodies(cairns: Cairns, actor: Actor, chance: Random) -> Iterator[tuple[str, bytes]]:
    """A body for each legal entry that can say all."""
    seen = cairns.state.view_for(frozenset({actor.seat} if actor.seat else ()), gm=actor.is_gm)
    narrow = LegalCommandFilter(legal=True)
    found = legal_commands_for(seen, TABLE.commands, actor, narrow)
    answer = orjson.loads(orjson.dumps(listing_json("toy", found, names_of(seen, found), narrow)))
    for entry in answer["results"]:
        if not entry.get("partial"):
            yield entry["command"], orjson.dumps(body_for(entry, answer, chance))


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment.__name__)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_what_the_schemas_admit_is_accepted(moment, viewer):
    chance, actor, cairns, tried = Random(1), VIEWERS[viewer], moment(), 0
    for _ in range(8):
        for command, body in bodies(cairns, actor, chance):
            tried += 1
            with Savepoint(cairns.state) as savepoint:
                cairns.when(parse_command("toy", command, body), actor)
                savepoint.undo()
    assert tried or viewer in ("nobody", "stranger")


def test_a_name_that_is_taken_is_said_to_be_so():
    cairns = running()
    entries = [e for e in menu(cairns, STRANGER) if e.command == "join"]
    assert [e.arguments["name"].taken for e in entries] == [("Ann", "Bob", "Host", "Master")] * 2


@pytest.mark.parametrize("is_public", [True, False])
def test_an_invitation_is_taken_by_its_code_in_a_public_game_as_in_a_private_one(is_public):
    cairns = running()
    cairns.state.info = replace(cairns.state.info, is_public=is_public)
    found = [e for e in menu(cairns, STRANGER) if e.command == "join" and "code" in e.arguments]
    assert [(e.required, e.partial) for e in found] == [(("code",), True)]


def test_dice_of_the_table_are_asked_for_with_their_number_and_sides():
    cairns = real_table()
    assert not legal(cairns, GM_ACTOR) & {"enter-die", "enter-dice"}
    cairns.when(RollStones(dice=3), ANN)
    found = {entry.command: entry for entry in menu(cairns, GM_ACTOR)}
    assert (found["enter-die"].arguments["value"], found["enter-dice"].arguments["values"]) == (
        Range(1, 6),
        ListOf(Range(1, 6), 3, 3, unique=False),
    )
    assert not legal(cairns, ANN_ACTS) & {"enter-die", "enter-dice"}
    bodies_now = dict(bodies(cairns, GM_ACTOR, Random(1)))
    cairns.when(parse_command("toy", "enter-dice", bodies_now["enter-dice"]), GM_ACTOR)
    assert not legal(cairns, GM_ACTOR) & {"enter-die", "enter-dice"}
