"""Names (G2-HREC-3): the god who caused a thing names it in its century, else a GM; before it is neutral."""

from uuid import UUID

import pytest

from games.engine.board.board import Square
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import EndNow
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.cities.events import CityFounded
from games.gods2.rules.declarations.events import WarDeclared, name_of
from games.gods2.rules.history.commands import NamePlace
from games.gods2.rules.history.events import NameAsked, PlaceNamed
from games.gods2.rules.setup.events import FeatureAdded
from games.gods2.rules.state.value_types import Place, Target
from tests.playbook import Playbook, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, GM, minutes, place, two_peoples
from tests.rules.gods2.joint import replays_alike, with_powers

FOR_ANA = Actor(Issuer.GM, user=UUID(int=2), on_behalf_of=ANA)


def at_war(times: int = 1) -> tuple[Playbook, list[UUID]]:
    """A game in which Ashkar has let the Dwarves declare war on the Elves."""
    book, dwarves, elves = two_peoples()
    command = DeclareWar(attacker=dwarves, defender=elves)
    return book, [of_kind(book.when(command, by=ANA), WarDeclared)[0].war for _ in range(times)]


@pytest.mark.rule("G2-HREC-3")
def test_a_war_has_a_neutral_name_until_the_god_who_caused_it_names_it() -> None:
    book, wars = at_war(2)
    assert [name_of(book.state, war) for war in wars] == ["War 1 of century 1", "War 2 of century 1"]
    questions = of_kind([h.event for h in book.log], NameAsked)
    assert [(e.kind, e.subject, e.name, e.seat) for e in questions] == [
        ("war", wars[0], "War 1 of century 1", ANA),
        ("war", wars[1], "War 2 of century 1", ANA),
    ]
    assert {h.audience for h in book.log if isinstance(h.event, NameAsked)} == {f"gm+seat:{ANA}"}
    assert not book.state.view_for(frozenset({BEN})).prompts

    events = book.when(NamePlace(kind="war", subject=wars[0], name="War of the Beards"), by=ANA)

    assert [(e.kind, e.subject) for e in of_kind(events, PlaceNamed)] == [("war", wars[0])]
    assert name_of(book.state, wars[0]) == "War of the Beards"
    assert {h.audience for h in book.log if isinstance(h.event, PlaceNamed)} == {"public"}
    assert [p.subject for p in book.state.prompts.values() if p.kind == "NAME"] == [wars[1]]
    with refused("name.taken", book.state):
        book.when(NamePlace(kind="war", subject=wars[1], name="war of the beards"), by=FOR_ANA)
    with refused("subject.missing", book.state):
        book.when(NamePlace(kind="city", subject=wars[1], name="Rome"), by=GM)


@pytest.mark.rule("G2-HREC-3")
def test_others_do_not_name_it_and_after_the_century_a_gm_does() -> None:
    book, (war,) = at_war()
    named = NamePlace(kind="war", subject=war, name="The Long March")
    for other in (BEN, GM):
        with refused("name.not_yours", book.state):
            book.when(named, by=other)
    book.when(EndNow(), by=GM)
    assert [p.subject for p in book.state.prompts.values() if p.kind == "NAME"] == [war]
    book.wait(minutes(31))
    assert not [p for p in book.state.prompts.values() if p.kind == "NAME"]
    assert name_of(book.state, war) == "War 1 of century 1"
    with refused("name.not_yours", book.state):
        book.when(named, by=ANA)
    book.when(named, by=GM)
    book.when(NamePlace(kind="war", subject=war, name="The Short March"), by=GM)
    assert name_of(book.state, war) == "The Short March"


@pytest.mark.rule("G2-HREC-3")
def test_cities_and_features_are_named_by_the_god_who_made_them() -> None:
    effects = [{"op": "feature_add", "feature": "fertile_land", "scope": "target"}]
    book, dwarves, _ = with_powers(
        bloom={"codes": ["F"], "target": "square", "effects": effects},
        rise={"codes": ["X"], "effects": [{"op": "learn", "knowledge": "civilization", "free": True}]},
    )
    events = book.when(CastPower(power="bloom", targets=(Target(squares=(place(0, 0),)),)), by=ANA)
    feature = of_kind(events, FeatureAdded)[0].feature
    events += book.when(CastPower(power="rise", targets=(Target(race=dwarves),)), by=ANA)
    city = of_kind(events, CityFounded)[0].city
    assert [(e.kind, e.subject, e.name) for e in of_kind(events, NameAsked)] == [
        ("feature", feature, "Fertile Land at 0, 0"),
        ("city", city, "City 1 of the Dwarves"),
    ]
    book.when(NamePlace(kind="feature", subject=feature, name="The Meadow"), by=ANA)
    book.when(NamePlace(kind="city", subject=city, name="Khazad"), by=ANA)
    assert (book.state.features[feature].name, book.state.cities[city].name) == ("The Meadow", "Khazad")


@pytest.mark.rule("G2-HREC-3")
def test_a_gm_names_lands_by_their_squares_and_races() -> None:
    book, dwarves, _ = two_peoples()
    north = (Place(x=1, y=0), Place(x=0, y=0))
    with refused("name.not_yours", book.state):
        book.when(NamePlace(kind="land", squares=north, name="Northmark"), by=ANA)
    book.when(NamePlace(kind="land", squares=north, name="Northmark"), by=GM)
    (land,) = book.state.lands.values()
    assert (land.name, land.squares) == ("Northmark", (Square(0, 0), Square(0, 1)))
    with refused("land.named", book.state):
        book.when(NamePlace(kind="land", squares=(Place(x=1, y=0),), name="Southmark"), by=GM)
    with refused("name.taken", book.state):
        book.when(NamePlace(kind="land", squares=(Place(x=5, y=0),), name="northmark"), by=GM)
    with refused("square.off_map", book.state):
        book.when(NamePlace(kind="land", squares=(Place(x=50, y=0),), name="Nowhere"), by=GM)
    with refused("subject.missing", book.state):
        book.when(NamePlace(kind="land", name="Nothing"), by=GM)
    book.when(NamePlace(kind="race", subject=dwarves, name="Deep Dwarves"), by=GM)
    assert book.state.races[dwarves].name == "Deep Dwarves"
    with refused("name.taken", book.state):
        book.when(NamePlace(kind="race", subject=dwarves, name="Elves"), by=GM)


def test_naming_is_a_legal_command_of_each_god_for_their_own_things() -> None:
    book, (war,) = at_war()
    mine, theirs, gms = (
        {
            o.arguments["kind"].values[0]: o.arguments.get("subject")
            for o in legal_commands_for(book.state, (NamePlace,), who)
        }
        for who in (Actor(Issuer.SEAT, seat=ANA), Actor(Issuer.SEAT, seat=BEN), GM)
    )
    assert list(mine) == ["war"] and mine["war"].values == (war,)
    assert not theirs and sorted(gms) == ["land", "race"]


@pytest.mark.rule("G2-LOG-1")
def test_the_log_of_names_leads_to_the_same_state() -> None:
    book, (war,) = at_war()
    book.when(NamePlace(kind="war", subject=war, name="The Long March"), by=ANA)
    book.when(NamePlace(kind="land", squares=(Place(x=0, y=0),), name="Northmark"), by=GM)
    book.wait(minutes(31))
    assert replays_alike(book)
