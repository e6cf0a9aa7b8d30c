"""The Die Tower corrected by its world master: what may be amended, and what cannot be."""

import pytest

from games.dietower.models import Distance, Sheet, Tower, TowerDie, Vitality
from games.engine.errors import Refused
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from tests.games.dietower import Evening, alteration, altered, begin, fighting

pytestmark = [pytest.mark.django_db, pytest.mark.rule("CF-10", "DT-TBL-6")]


def refused_change(here: Evening, *changes: Change) -> None:
    """These changes are refused as what cannot be, and nothing has changed."""
    before = here.game.digest
    with pytest.raises(Refused) as refused:
        here.run(Amend(changes=changes, reason="A slip."), "gm")
    assert (refused.value.code, here.game.digest) == ("amend.invalid", before), changes
    here.rows_agree()


@pytest.mark.rule("DT-WSH-1", "DT-CHR-3")
def test_a_sheet_is_corrected_and_what_comes_next_knows_it():
    here = begin()
    ann = here.of("ann")
    here.run(alteration("sheets", ann, level="4", wishes="4", weapon='"axe"'), "gm")
    assert Sheet.objects.values_list("level", "wishes", "weapon").get(actor=ann) == (4, 4, "axe")
    here.rows_agree()
    here.does("ann", "ask-wish", kind="group", text="They let us pass.")
    refused_change(here, altered("sheets", ann, wishes="3"))  # four are held
    refused_change(here, altered("sheets", ann, level="3"))


@pytest.mark.rule("DT-CMB-8", "DT-CHR-5")
def test_the_health_of_a_monster_is_corrected_and_a_beaten_one_is_both():
    here = fighting()
    gnaw = here.of("Gnaw")
    here.run(alteration("vitalities", gnaw, health="7"), "gm")
    assert Vitality.objects.get(actor=gnaw).health == 7
    refused_change(here, altered("vitalities", gnaw, health="0"))
    refused_change(here, altered("actors", gnaw, condition='"beaten"'))
    refused_change(here, altered("vitalities", gnaw, health="1001"))
    both = altered("vitalities", gnaw, health="0"), altered("actors", gnaw, condition='"beaten"')
    here.run(Amend(changes=both, reason="It was hit twice more."), "gm")
    here.rows_agree()
    with pytest.raises(Refused) as refused:
        here.does("ann", "declare-attack", target=gnaw, uses="weapon")
    assert refused.value.code == "target.invalid"


@pytest.mark.rule("DT-CMB-12")
def test_a_band_is_corrected_and_the_next_move_starts_from_it():
    here = fighting()
    ann, gnaw = here.of("ann"), here.of("Gnaw")
    here.run(alteration("distances", f"{ann}/{gnaw}", band='"distant"'), "gm")
    assert Distance.objects.get(a=ann, b=gnaw).band == "distant"
    with pytest.raises(Refused) as refused:
        here.does("ann", "move-actor", target=gnaw, band="medium")
    assert refused.value.code == "band.limit"
    here.does("ann", "move-actor", target=gnaw, band="long")
    refused_change(here, altered("distances", f"{ann}/{gnaw}", band='"far"'))
    here.rows_agree()


@pytest.mark.rule("DT-TWR-1", "DT-SIM-1", "DT-SIM-4")
def tower_of_three():
    """A game whose tower has three dice and waits for none."""
    while True:
        here = begin({"half_width": 8})
        here.builds("ann", 3)
        if not here.state.due_placements():
            return here


def test_a_height_is_corrected_with_its_dice_and_never_without():
    here = tower_of_three()
    game, dice = here.id, TowerDie.objects.filter(game=here.id)
    top = Change(deed=Deed.DELETE, table="dice", row="3")
    refused_change(here, altered("towers", game, height="2"))
    refused_change(here, altered("towers", game, height="13"))
    refused_change(here, top)
    refused_change(here, altered("dice", "3", x="null", y="null"))
    refused_change(here, altered("dice", "3", level="4"))
    refused_change(here, altered("towers", game, mode='"physical"'))
    here.run(Amend(changes=(altered("towers", game, height="2"), top), reason="It was not placed."), "gm")
    assert (Tower.objects.get(game=game).height, dice.count()) == (2, 2)
    here.run(alteration("dice", "2", x="8", y="-8"), "gm")
    here.rows_agree()
    here.fails("ann")
    # At (8, -8) any shift outwards is too much: 21 shifts of 36 stand in x, and 21 in y.
    assert here.events_of("RiskShown")[-1]["falls"] == 1296 - 21 * 21
    third = here.state.dice[2]
    values = {"level": "3", "placement": f'"{third.placement}"', "actor": f'"{third.actor}"', "x": "0", "y": "0"}
    fields = tuple(FieldChange(field=name, value=value) for name, value in values.items())
    created = Change(deed=Deed.CREATE, table="dice", row="3", fields=fields)
    refused_change(here, created)
    here.run(Amend(changes=(created, altered("towers", game, height="3")), reason="It was placed after all."), "gm")
    assert dice.count() == 3
    here.rows_agree()


@pytest.mark.rule("DT-WSH-1", "DT-CHR-2", "DT-CHR-4")
def test_more_wishes_than_the_level_and_people_who_cannot_be_are_refused():
    here = fighting()
    ann, gnaw = here.of("ann"), here.of("Gnaw")
    for table, row, values in (
        ("sheets", ann, {"wishes": "2"}),
        ("sheets", ann, {"level": "0"}),
        ("sheets", ann, {"level": "21"}),
        ("actors", ann, {"condition": '"beaten"'}),
        ("actors", ann, {"seat": "null"}),
        ("actors", ann, {"kind": '"npc"'}),
        ("actors", gnaw, {"condition": '"fallen"'}),
        ("courses", here.id, {"step": '"free"'}),
    ):
        refused_change(here, altered(table, row, **values))


@pytest.mark.rule("DT-CMB-14", "DT-CHK-15")
def test_nobody_who_has_fallen_is_on_turn_or_rolls():
    here = fighting()
    ann, bob = here.of("ann"), here.of("bob")
    refused_change(here, altered("actors", ann, condition='"fallen"'))
    here.run(alteration("actors", bob, condition='"fallen"'), "gm")  # whose turn it is not
    here.rows_agree()
    here.does("ann", "end-turn")
    assert here.state.encounter.turn == here.of("Gnaw")
    free = begin()
    free.tries("ann")
    refused_change(free, altered("actors", free.of("ann"), condition='"fallen"'))


@pytest.mark.rule("DT-CHK-14")
def test_two_open_checks_or_rolls_of_one_character_cannot_be():
    here = begin(people=("ann", "bob", "cat"))
    here.does("cat", "request-check", intent="climb")
    here.tries("ann")
    here.tries("bob")
    (first, second) = (here.roll_of(name) for name in ("ann", "bob"))
    refused_change(here, altered("rolls", second, actor=f'"{here.of("ann")}"'))
    refused_change(here, Change(deed=Deed.DELETE, table="rolls", row=str(first)))
    mine, theirs = (here.state.rolls[roll].check for roll in (first, second))
    for check in (here.asked_check(), theirs):
        refused_change(here, altered("checks", check, actor=f'"{here.of("ann")}"'))
    refused_change(here, altered("checks", mine, actor=f'"{here.of("cat")}"'))
    assert {roll.actor for roll in here.state.rolls.values()} == {here.of("ann"), here.of("bob")}
