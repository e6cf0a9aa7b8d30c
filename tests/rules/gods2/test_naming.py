"""Names (G2-HREC-3)."""

import pytest

from games.gods2.rules.declaring import DeclareWar
from games.gods2.rules.naming import NamePlace, PlaceNamed
from games.gods2.rules.posting import WarDeclared, name_of
from tests.playbook import event_like, of_kind, refused
from tests.rules.gods2.era import ANA, GM, two_peoples


@pytest.mark.rule("G2-HREC-3")
def test_a_war_has_a_neutral_name_until_a_gm_names_it() -> None:
    book, dwarves, elves = two_peoples()
    wars = [
        of_kind(book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA), WarDeclared)[0].war for _ in range(2)
    ]
    assert [name_of(book.state, war) for war in wars] == ["War 1 of century 1", "War 2 of century 1"]

    events = book.when(NamePlace(kind="war", subject=wars[0], name="War of the Beards"), by=GM)

    assert type(events[0]) is PlaceNamed and events[0] == event_like(PlaceNamed, subject=wars[0])
    assert name_of(book.state, wars[0]) == "War of the Beards"
    with refused("name.taken", book.state):
        book.when(NamePlace(kind="war", subject=wars[1], name="war of the beards"), by=GM)
    with refused("subject.missing", book.state):
        book.when(NamePlace(kind="city", subject=wars[1], name="Rome"), by=GM)
