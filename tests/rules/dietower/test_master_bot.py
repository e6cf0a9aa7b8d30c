"""The world master's bot leads a table: what it says of a roll, what goes first, and what an evening is made of."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Any

import pytest

from games.dietower.rules.actors.commands import SaveChart
from games.dietower.rules.actors.events import ActorShown, ChartRolled, ChartSaved, LevelRaised, Revealed
from games.dietower.rules.bots.evening import MOST_CHECKS, SESSIONS, Due, due_of
from games.dietower.rules.bots.lists import CHARTS, DEEDS, POWER_DEEDS, TASKS, WEAPON_DEEDS
from games.dietower.rules.bots.master import steady
from games.dietower.rules.bots.rulings import difficulty_of, rule_on, terms_of_attack
from games.dietower.rules.bots.seen import pause
from games.dietower.rules.checks.commands import RequestCheck, SetCheck, WithdrawCheck
from games.dietower.rules.checks.events import CheckRequested, CheckSet, CheckWithdrawn
from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.combat.action_events import AttackSet, HoldReleased, WeaknessAimed
from games.dietower.rules.combat.commands import HoldAction
from games.dietower.rules.combat.encounter_commands import OpenEncounter
from games.dietower.rules.combat.events import EncounterClosed, EncounterOpened
from games.dietower.rules.state.schema_types import (
    ActionKind,
    ActorKind,
    Adv,
    Asked,
    CheckStatus,
    Harm,
    Hidden,
    Hindrance,
    HindranceAs,
    Means,
    Step,
    Uses,
    WishReason,
)
from games.dietower.rules.table.commands import OpenSession
from games.dietower.rules.table.events import SessionClosed, SessionOpened
from games.dietower.rules.tower.events import ConsequenceWritten, TowerFell
from games.dietower.rules.wishes.events import StoryWishDecided, WishEarned
from games.engine.bots import Thought
from games.engine.dice import SecretDice, Tray
from games.engine.errors import Refused
from games.engine.game_state import Role
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from games.engine.prompts.prompt import PromptOpened
from tests.playbook import Playbook, of_kind
from tests.rules.dietower.stage import GM, GM_SEAT, S1, monster, npc, pc, playing, setting_up, write
from tests.rules.dietower.test_random_evenings import evening

LOOKS = 200
"""So many dice say how often something is said now and then."""


def dice(number: int = 0) -> Tray:
    return Tray(SecretDice(b"bots", str(number)))


def look(book: Playbook, number: int = 0) -> Thought:
    """What the world master's bot does now, and when it looks again."""
    return steady(book.state, GM_SEAT, dice(number))


# --- what it says of a roll -------------------------------------------------------------------------------------------
@pytest.mark.rule("DT-CHK-2")
@pytest.mark.parametrize(
    ("intent", "cd"),
    [
        ("Greet the toll keeper", Cd.SIMPLE),
        ("Look down from the roof.", Cd.EASY),
        ("Carry the chest", Cd.AVERAGE),
        ("Find the hidden catch", Cd.MODERATE),
        ("Climb the salt tower", Cd.TOUGH),
        ("Tell the captain", Cd.CHALLENGING),
        ("Hold the gate ALONE", Cd.FORMIDABLE),
        ("Sing a ghost to rest", Cd.IMPROBABLE),
        ("Turn back an army", Cd.EPIC),
        ("Read the names of the gods", Cd.LEGENDARY),
    ],
)
def test_how_hard_a_check_is_follows_from_the_hardest_word_of_the_request(intent: str, cd: Cd) -> None:
    assert {difficulty_of(intent, good=good) for good in (False, True)} == {cd}


@pytest.mark.rule("DT-CHK-2")
def test_a_request_without_such_words_is_moderate_for_the_able_and_average_for_others() -> None:
    assert [difficulty_of("Whistle", good=good) for good in (True, False)] == [Cd.MODERATE, Cd.AVERAGE]


def test_what_bots_try_is_of_every_difficulty() -> None:
    tried = [*POWER_DEEDS, *WEAPON_DEEDS, *(deed for group in (*DEEDS.values(), *TASKS) for deed in group)]
    assert {difficulty_of(intent, good=False) for intent in tried} == set(Cd)


@pytest.mark.rule("DT-CHK-4", "DT-AMB-15", "DT-AMB-20")
@pytest.mark.parametrize(
    ("trait", "uses", "good"),
    [
        ("climbing", Means.TRAIT, True),
        ("lies", Means.TRAIT, False),
        ("", Means.POWER, True),
        ("", Means.WEAPON, True),
        ("", Means.NONE, False),
    ],
)
def test_two_dice_are_for_what_the_sheet_lists_and_for_weapon_and_power(trait: str, uses: Means, good: bool) -> None:
    book = setting_up(S1)
    write(book, S1, "Rook", good_at=("climbing",))
    book.when(OpenSession(), by=GM)
    book.when(RequestCheck(intent="Up", trait=trait, uses=uses), by=S1)
    command = look(book).command
    assert isinstance(command, SetCheck) and command.good is good


@pytest.mark.rule("DT-CMB-3", "DT-AMB-37")
@pytest.mark.parametrize(("intent", "is_free"), [("Look around", True), ("Climb the mast", False)])
def test_in_a_turn_whose_attack_is_spent_a_glance_is_free_and_no_other_check_is_made(
    intent: str, is_free: bool
) -> None:
    book = playing(S1)
    book.when(OpenEncounter(members=(monster(book),)), by=GM)
    book.when(HoldAction(action=ActionKind.ATTACK, trigger="it comes nearer"), by=S1)
    book.when(RequestCheck(intent=intent), by=S1)
    command = look(book).command
    assert isinstance(command, SetCheck if is_free else WithdrawCheck)
    assert getattr(command, "free", False) is is_free
    book.when(command, by=GM)


@pytest.mark.rule("DT-CHR-7", "DT-CHK-5", "DT-CMB-13")
@pytest.mark.parametrize("uses", [Means.TRAIT, Means.POWER])
def test_advantage_edge_and_what_stands_in_the_way_are_said_now_and_then(uses: Means) -> None:
    book = playing(S1)
    book.when(RequestCheck(intent="Up", uses=uses), by=S1)
    (asked,) = book.state.checks.values()
    rulings = (rule_on(book.state, asked, dice(number), "try") for number in range(LOOKS))
    said = [each for each in rulings if isinstance(each, SetCheck)]
    assert {each.adv for each in said} == set(Adv)
    assert {each.edge for each in said} == {0, 1, 2, 3}
    assert {each.edge_die for each in said} == {False, True}
    what, does = (
        (Hindrance.DRAWBACK, set(HindranceAs)) if uses is Means.POWER else (Hindrance.DEVIATION, {HindranceAs.DIS})
    )
    assert {each.hindrance for each in said} == {Hindrance.NONE, what}
    assert {each.hindrance_as for each in said if each.hindrance is what} == does
    plain = sum(each.adv is Adv.NONE and each.hindrance is Hindrance.NONE for each in said)
    assert plain > LOOKS // 3  # now and then, not always


@pytest.mark.rule("DT-CHR-7")
def test_nothing_is_invoked_that_is_not_on_a_sheet() -> None:
    book = playing(S1)
    odo = npc(book, power="hums")
    said = [terms_of_attack(book.state, odo, Uses.POWER, dice(number), "try") for number in range(LOOKS)]
    assert {each.hindrance for each in said} == {Hindrance.NONE}
    assert {each.adv for each in said} == set(Adv)


# --- the set-up -------------------------------------------------------------------------------------------------------
@pytest.mark.rule("DT-CHR-6")
def test_it_writes_the_charts_that_nobody_has_written_and_opens_the_session_when_all_sheets_are_there() -> None:
    book = setting_up(S1)
    book.when(SaveChart(field="name", lines=("Ada",)), by=GM)
    written = []
    while isinstance((thought := look(book)).command, SaveChart):
        written.append(thought.command.field)
        assert thought.again_in == book.state.thinking_time
        book.when(thought.command, by=GM)
    assert sorted([*written, "name"]) == sorted(field.value for field in CHARTS)
    assert look(book) == Thought(None, pause(book.state, master=True))
    write(book, S1, "Rook")
    assert isinstance(look(book).command, OpenSession)


def with_bot(*seats: Any, options: str = "{}") -> Playbook:
    """A game in SETUP whose world master is the bot."""
    book = setting_up(*(seats or (S1,)), options=options)
    book.state.seats[GM_SEAT] = replace(book.state.seats[GM_SEAT], user=None, bot="steady")
    return book


def test_a_sheet_that_is_written_wakes_it_so_that_nobody_waits_for_its_next_look() -> None:
    book = with_bot(options='{"pace": "by_post"}')
    write(book, S1, "Rook")
    assert book.state.course.step is Step.SETUP
    book.wait(timedelta(seconds=2) * (len(CHARTS) + 2))
    assert book.state.course.step is Step.FREE


# --- a busy table -----------------------------------------------------------------------------------------------------
def busy_person(book: Playbook) -> None:
    """A person who answers at once, fights, and asks for a check whenever nobody has a turn."""
    me = Actor(Issuer.SEAT, seat=S1)
    unasked = ("request-check",) if book.state.course.step is Step.FREE else ("declare-attack", "end-turn")
    for kind in ("choose-miracle", "place-die", "close-roll", "choose-defence", *unasked):
        commands = [book.ruleset.commands[kind]]
        for legal in [each for each in legal_commands_for(book.state, commands, me) if each.legal]:
            said = {name: domain.values[0] for name, domain in legal.arguments.items() if hasattr(domain, "values")}
            said |= {"intent": "Whistle"} if "intent" in legal.arguments else {}
            try:
                book.when(commands[0].model_validate(said), by=S1)
            except Refused:
                continue


@cache
def busy_evening() -> Playbook:
    """An evening of one person who never waits, until the second session is over."""
    book = with_bot()
    write(book, S1, "Rook")
    for _ in range(3600):
        book.wait(timedelta(seconds=1))
        if book.state.course.session == 2 and book.state.course.step is Step.CLOSED:
            break
        busy_person(book)
    return book


@pytest.mark.rule("DT-CHK-16", "DT-TBL-2")
def test_at_a_busy_table_each_session_has_its_encounter_and_its_end() -> None:
    events = [record.event for record in busy_evening().log]
    assert [event.session for event in of_kind(events, SessionClosed)] == [1, 2]
    begun = [number for number, event in enumerate(events) if isinstance(event, SessionOpened)]
    for first, last in zip(begun, [*begun[1:], len(events)], strict=True):
        here = events[first:last]
        assert len(of_kind(here, EncounterOpened)) == 1
        asked = of_kind(here, CheckRequested)
        assert len(asked) - len(of_kind(here, CheckWithdrawn)) <= MOST_CHECKS


@pytest.mark.rule("DT-CHK-16")
def test_what_is_due_goes_first_and_checks_without_dice_make_way_for_it() -> None:
    book = busy_evening()
    withdrawn = [record for record in book.log if isinstance(record.event, CheckWithdrawn)]
    assert withdrawn and {record.event.reason for record in withdrawn} >= {"Not now: something is coming."}
    opened = [record.at for record in book.log if isinstance(record.event, EncounterOpened)]
    assert min(record.at for record in withdrawn) <= opened[0]


@pytest.mark.rule("DT-CHK-1")
def test_a_check_is_set_within_seconds_of_its_asking_also_at_a_busy_table() -> None:
    asked = {r.event.check: r.at for r in busy_evening().log if isinstance(r.event, CheckRequested)}
    waited = [r.at - asked[r.event.check] for r in busy_evening().log if isinstance(r.event, CheckSet | CheckWithdrawn)]
    assert max(waited) <= timedelta(seconds=4)


def test_it_looks_again_two_seconds_after_an_answer() -> None:
    book = playing(S1)
    book.when(RequestCheck(intent="Up"), by=S1)
    assert look(book).again_in == timedelta(seconds=2) < pause(book.state, master=True)


def test_an_encounter_is_due_after_half_of_the_checks_of_a_session_and_the_end_after_all() -> None:
    book = playing(S1)
    assert due_of(book.state) is None
    (first,) = book.when(RequestCheck(intent="Up"), by=S1)[:1]
    check = book.state.checks[first.check]
    for number in range(7):
        done = replace(check, id=type(check.id)(int=number), status=CheckStatus.DONE)
        book.state.checks[done.id] = done
    assert due_of(book.state) is Due.ENCOUNTER
    for number in range(7):  # those of another session do not count
        book.state.checks[type(check.id)(int=number)] = replace(
            book.state.checks[type(check.id)(int=number)], session=5
        )
    assert due_of(book.state) is None


# --- an evening -------------------------------------------------------------------------------------------------------
EVENINGS = range(6)
Happens = Callable[[Any], Iterator[Any]]


@cache
def evenings() -> tuple[Playbook, ...]:
    return tuple(map(evening, EVENINGS))


def said(kind: type, what: Callable[[Any], Any]) -> Callable[[Playbook], Iterator[Any]]:
    """What the events of a kind say in an evening."""
    return lambda book: (what(record.event) for record in book.log if isinstance(record.event, kind))


USED: Mapping[str, tuple[Callable[[Playbook], Iterator[Any]], set[Any]]] = {
    "difficulties": (said(CheckSet, lambda e: e.name), {cd.value for cd in Cd}),
    "advantage": (said(CheckSet, lambda e: e.adv), set(Adv)),
    "edges": (said(CheckSet, lambda e: e.edge), {0, 1, 2, 3}),
    "edge dice": (said(CheckSet, lambda e: e.edge_die), {False, True}),
    "hindrances": (said(CheckSet, lambda e: e.hindrance), set(Hindrance)),
    "what they do": (said(CheckSet, lambda e: e.hindrance_as), {None, *HindranceAs}),
    "what is free": (said(CheckSet, lambda e: e.free), {False, True}),
    "means": (said(CheckRequested, lambda e: e.uses), {Means.TRAIT, Means.POWER, Means.WEAPON}),
    "edges of attacks": (said(AttackSet, lambda e: e.attacker.edge), {0, 1, 2, 3}),
    "weaknesses": (said(WeaknessAimed, lambda e: e.weakness), {False, True}),
    "holds": (said(HoldReleased, lambda e: e.action.value), {"move", "attack"}),
    "levels": (said(LevelRaised, lambda e: e.level), {2, 3, 4}),
    "Wishes that were awarded": (said(WishEarned, lambda e: e.reason), {WishReason.PLACEMENT, WishReason.STORY}),
    "deeds": (said(WishEarned, lambda e: e.check is not None), {False, True}),
    "Wishes for the story": (said(StoryWishDecided, lambda e: e.kind.value), {"element", "someone"}),
    "answers to them": (said(StoryWishDecided, lambda e: e.accept), {False, True}),
    "people": (said(ActorShown, lambda e: e.kind), {ActorKind.NPC, ActorKind.MONSTER}),
    "what is found": (said(Revealed, lambda e: e.field), {Hidden.MYSTERY}),
    "charts": (said(ChartRolled, lambda e: e.field in CHARTS), {True}),
    "harms": (said(ConsequenceWritten, lambda e: e.kind), {Harm.INJURY, Harm.LOSS}),
    "who is struck down": (said(ConsequenceWritten, lambda e: any(t.fallen for t in e.targets)), {False, True}),
    "questions": (said(PromptOpened, lambda e: e.kind), {kind.value for kind in Asked} - {"MIRACLE"}),
}
"""What evenings of bots use, however long each of them takes: what it is -> (what is said of it, what must be said)."""


@pytest.mark.timeout(600)
@pytest.mark.parametrize("what", USED)
def test_evenings_of_bots_use_all_that_the_rulebook_has(what: str) -> None:
    read, wanted = USED[what]
    assert wanted - {each for book in evenings() for each in read(book)} == set()


@pytest.mark.rule("DT-CHR-3")
def test_after_each_session_everybody_who_lives_rises_by_a_level() -> None:
    for book in evenings():
        events = [record.event for record in book.log]
        dead = {
            target.actor
            for event in of_kind(events, ConsequenceWritten)
            if event.kind is Harm.DEATH
            for target in event.targets
        }
        rises = Counter(event.actor for event in of_kind(events, LevelRaised))
        alive = {actor.id for actor in book.state.player_characters()} - dead
        assert {actor: rises[actor] for actor in alive} == dict.fromkeys(alive, SESSIONS)


def test_each_session_has_one_encounter_unless_nobody_is_up_and_it_is_closed() -> None:
    for book in evenings():
        events = [record.event for record in book.log]
        opened, closed = of_kind(events, EncounterOpened), of_kind(events, EncounterClosed)
        assert 1 <= len(opened) == len(closed) <= SESSIONS
        assert len(of_kind(events, ChartSaved)) == len(CHARTS)


def test_who_is_struck_for_the_third_time_falls_and_not_before() -> None:
    for book in evenings():
        struck: Counter[Any] = Counter()
        for event in of_kind([record.event for record in book.log], ConsequenceWritten):
            (target,) = event.targets
            struck[target.actor] += 1
            assert target.fallen is (struck[target.actor] >= 3)
            assert (event.kind is Harm.DEATH) is (struck[target.actor] >= 4)
        assert len(of_kind([record.event for record in book.log], TowerFell)) == struck.total()


def test_a_mystery_is_found_in_each_session_after_the_first_and_never_that_of_a_person() -> None:
    for book in evenings():
        found = [r for r in book.log if isinstance(r.event, Revealed) and r.event.field is Hidden.MYSTERY]
        assert len(found) <= SESSIONS - 1
        assert all(book.state.seats[book.state.actors[r.event.actor].seat].bot for r in found)


def test_the_seat_of_the_world_master_is_the_bots_in_these_evenings() -> None:
    assert {seat.bot for book in evenings() for seat in book.state.seats_of(Role.GM)} == {"steady"}
    assert pc(busy_evening(), S1)
