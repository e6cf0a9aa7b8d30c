"""Treasures: artifacts of persons of the world (DT-TRS-*)."""

from uuid import UUID

import pytest

from games.dietower.rules.actors.commands import SetState
from games.dietower.rules.actors.events import ActorFell, ActorStateSet
from games.dietower.rules.cards import character_card
from games.dietower.rules.combat.action_events import MonsterBeaten
from games.dietower.rules.state.schema_types import Condition, Harm, Target, Uses
from games.dietower.rules.tower.commands import AmendConsequence, WriteConsequence
from games.engine.artifacts.commands import CreateArtifact, HandArtifact
from games.engine.artifacts.events import ArtifactCreated, ArtifactPassed
from games.engine.insight.cards import CardLine, CardPart
from games.engine.kernel import Event
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dietower.scenes import declare, fighting, let_fall, set_attack
from tests.rules.dietower.stage import GM, S1, S2, close, npc, pc, playing


def create(book: Playbook, name: str = "Ring", holder: UUID | None = None) -> UUID:
    """A new artifact."""
    (event,) = book.when(CreateArtifact(name=name, holder=holder), GM)
    assert isinstance(event, ArtifactCreated)
    return event.artifact


@pytest.mark.rule("DT-TRS-1")
def test_an_actor_has_a_treasure_and_nobody_may() -> None:
    book = playing()
    holders = (pc(book, S1), None)
    made = [create(book, f"Ring {n}", holder) for n, holder in enumerate(holders)]
    assert tuple(book.state.artifacts[each].holder for each in made) == holders


@pytest.mark.rule("DT-TRS-1")
def test_who_was_never_shown_gets_none() -> None:
    book = playing()
    odo = npc(book)
    assert not book.state.actors[odo].shown
    with refused("holder.unable", book.state):
        create(book, holder=odo)
    assert odo not in book.state.possible_holders()


def lies_there(events: list[Event], struck: type[Event], ring: UUID, former: UUID) -> None:
    """Somebody was struck down, and what they had is nobody's."""
    passed = event_like(ArtifactPassed, artifact=ring, holder=None, former=former, under=("DT-TRS-2",))
    found = of_kind(events, struck, ArtifactPassed)
    assert isinstance(found[0], struck) and found[1:] == [passed]


@pytest.mark.rule("DT-TRS-2", "DT-CHR-4")
def test_what_somebody_has_whom_the_world_master_lets_fall_lies_there() -> None:
    book = playing()
    ring = create(book, holder=pc(book, S1))
    events = book.when(SetState(actor=pc(book, S1), state=Condition.FALLEN, reason="a fever"), by=GM)
    lies_there(events, ActorStateSet, ring, pc(book, S1))


@pytest.mark.rule("DT-TRS-2", "DT-AMB-64")
def test_who_is_up_again_gets_it_back_from_the_world_master_alone() -> None:
    book = playing()
    ring = create(book, holder=pc(book, S1))
    for state in (Condition.FALLEN, Condition.ACTIVE):
        book.when(SetState(actor=pc(book, S1), state=state, reason="so"), by=GM)
    assert book.state.artifacts[ring].holder is None
    book.when(HandArtifact(artifact=ring, holder=pc(book, S1)), by=GM)
    assert book.state.artifacts[ring].holder == pc(book, S1)


@pytest.mark.rule("DT-TRS-2", "DT-TWR-4")
def test_what_somebody_has_whom_a_terrible_thing_strikes_down_lies_there() -> None:
    book = playing()
    ring, crown = create(book, holder=pc(book, S1)), create(book, "Crown", pc(book, S2))
    due = let_fall(book)
    both = tuple(Target(actor=pc(book, seat), fallen=True) for seat in (S1, S2))
    events = book.when(WriteConsequence(consequence=due, kind=Harm.DEATH, text="A beam.", targets=both[:1]), by=GM)
    lies_there(events, ActorFell, ring, pc(book, S1))
    amended = AmendConsequence(consequence=due, kind=Harm.DEATH, text="A wall.", targets=both, reason="worse")
    lies_there(book.when(amended, by=GM), ActorFell, crown, pc(book, S2))


@pytest.mark.rule("DT-TRS-2", "DT-CMB-8")
def test_what_a_monster_has_that_is_beaten_lies_there() -> None:
    book, beast = fighting(health=1)
    ring = create(book, holder=beast)
    set_attack(book, declare(book, S1, beast, Uses.WEAPON), (4, 3), (5,))
    lies_there(close(book, S1), MonsterBeaten, ring, beast)


@pytest.mark.rule("DT-TRS-1")
def test_a_treasure_stands_on_the_card_of_who_has_it() -> None:
    book = playing()
    assert "Treasures" not in labels(book)
    create(book, holder=pc(book, S1))
    create(book, "Crown", pc(book, S1))
    assert CardLine("Treasures", "Crown and Ring") in parts(book)


def parts(book: Playbook) -> tuple[CardPart, ...]:
    """What the card of the first character says."""
    card = character_card(book.state, pc(book, S1))
    assert card is not None
    return card.parts


def labels(book: Playbook) -> set[str]:
    return {part.label for part in parts(book)}


@pytest.mark.rule("DT-TRS-1")
def test_a_correction_gives_no_treasure_to_one_who_was_never_shown() -> None:
    book = playing()
    odo = npc(book)
    ring = create(book)
    change = Change(
        deed=Deed.ALTER, table="artifacts", row=str(ring), fields=(FieldChange(field="person", value=f'"{odo}"'),)
    )
    with refused("amend.invalid"):
        book.when(Amend(changes=(change,), reason="so"), by=GM)
