"""Every id that a golden game answers with carries the game's slot: in REST and GraphQL, to players and game-masters.

People and packs live in no game, and have ids of their own.
"""

import re
from uuid import UUID

import pytest

from accounts.models import User
from core.ids import slot_of
from games.engine.kernel import Actor
from games.gods2.packs.models import PackVersion
from games.models import Game, Seat
from tests import forms
from tests.api.worlds import restore_afterwards
from tests.golden.tale import Tale
from tests.security.addresses import MISSING, PICTURES, Question, graphql, hidden_ids, rest
from tests.security.grounds import Ground, Viewer
from tests.security.looking import answer_to, client_of

IDENTITY = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
LEAST_ANSWERED, LEAST_IDS = 20 if forms.SHORT else 40, 7
IN_SHORT = frozenset({"arrival", "elves", "evening", "event", "led"})
"""The games that are looked through in the short form of the suite, by their game-masters: one of each ruleset."""
GRAPH = "game" if forms.SHORT else ""
"""The part of the graph that is asked; all of it where this says none."""


def check_slots(game: Game, gm: Actor) -> None:
    """Ask every address and query about the game as its game-master and as a player; look at each id."""
    seat = Seat.objects.select_related("user").filter(game=game, role="player").order_by("name").first()
    lead = Seat.objects.select_related("user").get(pk=gm.seat)
    viewers = {"gm": Viewer(lead.user, as_gm=True)}
    if seat is not None and not forms.SHORT:
        viewers["player"] = Viewer(seat.user, frozenset({seat.pk}))
    ground = Ground(game, gm, seat or lead, lead, viewers, ("", {}))
    elsewhere = {MISSING, *User.objects.values_list("pk", flat=True), *PackVersion.objects.values_list("pk", flat=True)}
    with restore_afterwards():
        for name, viewer in viewers.items():
            client = client_of(viewer.user)
            seen: set[UUID] = set()
            answered = 0
            for question in questions_about(ground, viewer):
                status, _, body = answer_to(client, viewer, question)
                answered += status == 200
                found = {UUID(each.decode()) for each in IDENTITY.findall(body)} - elsewhere
                misplaced = {each for each in found if slot_of(each) != slot_of(game.pk)}
                assert not misplaced, f"{name} asks {question}: {misplaced}"
                seen |= found
            assert answered >= LEAST_ANSWERED and len(seen) >= LEAST_IDS, f"{answered} answers, {len(seen)} ids"


def look_through_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check the ids of every golden game at its end; in the short form those of one game of each ruleset."""
    told = Tale.assert_transcript

    def look_and_tell(tale: Tale, name: str) -> None:
        if not forms.SHORT or name in IN_SHORT:
            check_slots(tale.fresh(), tale.gm)
        told(tale, name)

    monkeypatch.setattr(Tale, "assert_transcript", look_and_tell)


def questions_about(ground: Ground, viewer: Viewer) -> list[Question]:
    """Everything that is read, each second of it in the short form; pictures show no id, and are left out."""
    hidden = hidden_ids(ground)
    asked = [*rest(ground, hidden, ""), *graphql(ground, hidden, as_gm=viewer.as_gm, only=GRAPH, depth=1 - forms.SHORT)]
    left_out = (*PICTURES, "after=", "/rulesets/", "/commands/")  # examples of commands are of no game
    return forms.some([question for question in asked if not any(part in question.path for part in left_out)], 2)
