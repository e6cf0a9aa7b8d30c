"""Whom events attack: the player of the character that somebody else attacks (DT-CMB-5)."""

from uuid import UUID

from games.dietower.rules import RULESET
from games.dietower.rules.combat.action_events import AttackDeclared
from games.dietower.rules.state.schema_types import Uses
from games.engine.attacks import targets_of
from tests.playbook import Playbook
from tests.rules.dietower.fights import hit, monsters_turn
from tests.rules.dietower.stage import S1, S2, monster, npc, pc


def attacked(book: Playbook, actor: UUID, target: UUID) -> tuple[UUID, ...]:
    declared = AttackDeclared(attack=UUID(int=0xA7), actor=actor, target=target, uses=Uses.NONE)
    return targets_of(RULESET.attacks, declared, book.state)


def test_a_monster_attacks_the_player_of_a_character_and_nobody_by_the_blow_itself() -> None:
    book, beast = monsters_turn()
    assert attacked(book, beast, pc(book, S1)) == (S1,)
    assert attacked(book, npc(book), pc(book, S2)) == (S2,)
    position = len(book.log)
    hit(book, beast, pc(book, S1), 1)
    assert [(type(h.event), h.attacked) for h in book.log[position:] if h.attacked] == [(AttackDeclared, (S1,))]


def test_players_attack_each_other_and_nobody_themselves_or_the_world_master() -> None:
    book, beast = monsters_turn()
    assert attacked(book, pc(book, S1), pc(book, S2)) == (S2,)
    assert attacked(book, pc(book, S1), pc(book, S1)) == ()
    assert attacked(book, pc(book, S1), beast) == attacked(book, beast, monster(book, "Fang")) == ()


def test_every_event_that_attacks_is_tried_here() -> None:
    assert set(RULESET.attacks) == {AttackDeclared}
