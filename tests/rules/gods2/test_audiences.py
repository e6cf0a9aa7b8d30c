"""What one god may not know changes nothing of what that god reads (P5)."""

from typing import Any

from games.engine.audience import readable
from games.engine.game_state import dump
from games.engine.lifecycle.gm_commands import Start
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.century.commands import OpenSession
from games.gods2.rules.pantheon.commands import DraftPantheonOrder, SignPantheonOrder
from games.gods2.rules.setup.commands import DefineGod, SetMap
from games.gods2.rules.state.value_types import CardOf
from tests.playbook import Playbook
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, HOST, define, lobby, minutes, shares, units


def play_game(cards: tuple[CardOf, ...], amount: int, *, drafting: bool, author: Any) -> Playbook:
    """Two centuries of a game in which Ashkar's cards, mana and drafts differ, and who declares the war."""
    book = lobby()
    book.when(SetMap(width=8, height=3, rows=("PPPPPPPP",) * 3), by=HOST)
    for seat, name in ((ANA, "Ashkar"), (CLEO, "Cirra")):
        book.when(DefineGod(seat=seat, name=name, cards=cards, amount=amount), by=HOST)
    book.when(DefineGod(seat=BEN, name="Belun", amount=20), by=HOST)
    dwarves = define(book, "Dwarves", units((1, 1, 1), (2, 1, 1), (3, 1, 1)), pantheon=shares(a=60, c=40))
    elves = define(book, "Elves", units((4, 1, 1), (5, 1, 1)), pantheon=shares(b=100))
    book.when(Start(), by=HOST)
    book.when(OpenSession(), by=GM)
    if drafting:
        order = book.when(DraftPantheonOrder(race=dwarves, pantheon=shares(a=50, c=50)), by=ANA)[0].order
        book.when(SignPantheonOrder(order=order), by=CLEO)
    book.when(DeclareWar(power="order_war", attacker=dwarves, defender=elves), by=author)
    book.wait(minutes(60))
    return book


def readable_log(book: Playbook) -> list[tuple[str, str, str, Any]]:
    """What Belun reads of the log."""
    return [
        (type(h.event).__name__, h.event.model_dump_json(), h.text, h.rolls)
        for h in book.log
        if readable(h.audience, (BEN,), gm=False)
    ]


def test_two_games_that_differ_in_secrets_show_everybody_else_the_same() -> None:
    one = play_game((CardOf(sphere="FE", count=6),), 20, drafting=False, author=ANA)
    other = play_game((CardOf(sphere="LI", count=2),), 90, drafting=True, author=CLEO)

    assert readable_log(one) == readable_log(other)
    assert len(readable_log(one)) > 40

    views = [dump(book.state.view_for(frozenset({BEN}))) for book in (one, other)]
    for state in views:
        state["timers"] = sorted(
            (k, t["due"], t["subject"]) for k, t in state["timers"].items() if t["shown"] == "public"
        )
        state["info"].pop("timers_set")
    assert views[0] == views[1]
