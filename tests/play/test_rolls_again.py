"""Each command that rolls dice is done twice where it rolled, in each ruleset; see `tests/play/rolling.py`.

Of the commands that only let a game go on to dice that no command names (a turn's end, a question's last answer)
those that did so in the games are done again; those whose own work comes to a die are found by their code, and none
is missing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from uuid import UUID

import pytest

from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.tower.commands import AmendConsequence, WriteConsequence
from games.gods2.rules.state.records import City, Level
from games.gods2.rules.war.preview_commands import SetCasualties
from tests.play.moments import PLAYED
from tests.play.rolling import Rolling
from tests.play.rolls_by_reading import may_roll
from tests.play.tables import table
from tests.rules.albraxas import test_seals
from tests.rules.dawn import test_motions
from tests.rules.dietower import test_attacks, test_checks, test_people
from tests.rules.dietower.stage import GM as WORLD_MASTER
from tests.rules.dietower.stage import S2
from tests.rules.forgeborn import test_clauses_of_deeds, test_conflicts, test_creation, test_map
from tests.rules.gods2 import test_city_site, test_growth_previews, test_roll_tables, test_war_previews
from tests.rules.gods2.era import GM
from tests.rulesets import RULESETS

Story = Callable[[], object]


def a_city_falls_as_a_game_master_places_the_losses() -> None:
    """A war that is shown beforehand, in which the winner is civilized and takes a city."""
    book, orcs, elves, war = test_war_previews.at_war()
    preview = test_war_previews.preview_of(book, war)
    book.state.races[orcs] = replace(book.state.races[orcs], level=Level.CIVILIZED)
    square = preview.moves[-1].to_square
    city = City(UUID(int=77), elves, square.square)
    book.state.cities[city.id] = city
    losses, squares, moves = preview.losses, preview.squares, preview.moves
    book.when(SetCasualties(prompt=preview.prompt, losses=losses, squares=squares, moves=moves), by=GM)


def a_roll_with_extra_dice_closes_as_its_owner_falls(*, amended: bool) -> None:
    """A terrible thing strikes down somebody with successes left over; amended: only when it is amended."""
    book = test_checks.playing()
    actor = test_checks.pc(book, S2)
    test_checks.roll_check(book, actor, (6, 6), cd=Cd.TOUGH)
    test_checks.fall(book)
    (consequence,) = book.state.consequences
    said = {"consequence": consequence, "kind": "death", "text": "The roof."}
    struck = {**said, "targets": ({"actor": actor, "fallen": True},)}
    if amended:
        spared = {**said, "targets": ({"actor": actor, "fallen": False},)}
        book.when(WriteConsequence.model_validate(spared), by=WORLD_MASTER)
        book.when(AmendConsequence.model_validate({**struck, "reason": "so"}), by=WORLD_MASTER)
    else:
        book.when(WriteConsequence.model_validate(struck), by=WORLD_MASTER)


STORIES: Mapping[str, Sequence[Story]] = {
    "albraxas": (test_seals.test_a_digest_alone_is_opened_when_all_are_in,),
    "dawn": (test_motions.test_a_motion_that_fails_after_the_last_round_ends_the_age,),
    "dietower": (
        test_attacks.test_a_fall_drops_what_the_other_side_of_the_attack_owes,
        test_people.test_the_die_of_a_secret_mystery_is_a_secret_too,
        partial(a_roll_with_extra_dice_closes_as_its_owner_falls, amended=False),
        partial(a_roll_with_extra_dice_closes_as_its_owner_falls, amended=True),
    ),
    "forgeborn": (
        test_creation.test_a_pool_sent_along_is_of_the_dice_that_are_left,
        test_conflicts.test_the_prince_is_swayed_once,
        test_conflicts.test_the_game_master_refuses_an_artifact_once,
        test_conflicts.test_an_action_with_its_pool_is_one_command_without_a_referee,
        test_map.test_the_service_drops_for_the_table_when_it_is_asked_to_or_nobody_answers,
        partial(test_clauses_of_deeds.test_a_ruling_is_asked_only_where_artifacts_are_named, True, True),
    ),
    "gods2": (
        test_growth_previews.test_primitive_units_go_to_bare_squares_first,
        test_roll_tables.test_the_land_is_shattered_on_ten_squares_drawn_without_repetition,
        partial(
            test_city_site.test_a_city_that_begins_with_the_century_is_asked_in_the_lane_of_growth_and_the_board_waits,
            "chosen",
        ),
        test_city_site.test_a_gm_chooses_among_the_squares_with_most_units,
        a_city_falls_as_a_game_master_places_the_losses,
    ),
}
"""Positions in which something rolls that it does not in the games that are watched: tests of rules."""
HELD = "it takes up the command that waits for the dice, which is done again itself"
CARRIED = "what a vote carries is a host's command, which is done again itself"
NOT_DONE_AGAIN: Mapping[str, Mapping[str, str]] = {
    "": {"enter-die": HELD, "enter-dice": HELD, "propose-vote": CARRIED, "answer-vote": CARRIED},
    "dietower": {"end-now": "the deadline of a turn passes it on; no roll is open then"},
    "forgeborn": {
        "accept-map": "it is asked where there is a referee, for whom no threat is drawn",
        "place-ruins": "it is asked where there is a referee, for whom no threat is drawn",
    },
    "gods2": {
        "order-migration": "it decides the casting of which it is the short form, which is done again itself",
    },
}
"""Why a command whose work comes to a die by its code is not done again; "": in every ruleset."""


FEW = 4
"""So many games of a ruleset are watched."""


@pytest.mark.rule("CF-3")
@pytest.mark.parametrize("ruleset", PLAYED)
def test_a_command_that_rolls_is_taken_again_and_its_dry_run_comes_to_the_same(ruleset: str) -> None:
    by_reading = may_roll(RULESETS[ruleset])
    reasons = {**NOT_DONE_AGAIN[""], **NOT_DONE_AGAIN.get(ruleset, {})}
    rolling = Rolling(frozenset(by_reading - reasons.keys()))
    play, numbers = PLAYED[ruleset]
    with rolling.watching():
        for story in chain(STORIES[ruleset], (partial(play, number) for number in numbers[:FEW])):
            story()
    assert (by_reading | rolling.seen) - rolling.again.keys() == reasons.keys()


def test_reasons_are_given_for_rulesets_that_there_are() -> None:
    assert NOT_DONE_AGAIN.keys() <= {"", *RULESETS}


TABLES: Mapping[str, tuple[tuple[int, ...], int]] = {
    "albraxas": ((1,), 150),
    "dawn": ((4,), 120),
    "dietower": ((4,), 150),
    "forgeborn": ((0, 4), 100),
    "gods2": ((0,), 250),
}
"""Tables of people who know schemas alone, and so many rounds at each."""


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("ruleset", TABLES)
def test_what_people_come_to_roll_by_menus_alone_is_taken_again_too(ruleset: str) -> None:
    numbers, rounds = TABLES[ruleset]
    rolling = Rolling()
    with rolling.watching():
        for number in numbers:
            table(ruleset, number).play(rounds)
    assert rolling.seen and rolling.seen == rolling.again.keys()
