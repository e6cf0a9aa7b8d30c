"""A player's bot answers all that it is asked in time, one question at a look."""

from datetime import timedelta

from games.dietower.rules.bots.players import sensible
from games.dietower.rules.bots.seen import has_turn, pause
from games.dietower.rules.checks.commands import CloseRoll
from games.dietower.rules.combat.commands import DeclareAttack
from games.dietower.rules.combat.encounter_commands import OpenEncounter
from games.dietower.rules.state.schema_types import Uses
from games.dietower.rules.table.commands import OpenSession
from games.engine.bots import Thought
from games.engine.dice import SecretDice, Tray
from games.engine.policies import questions_of
from tests.rules.dietower.stage import GM, S1, Playbook, monster, playing, raise_to, roll_check, setting_up, write


def look(book: Playbook):
    """What the bot on the first seat does now, and when it looks again."""
    return sensible(book.state, S1, Tray(SecretDice(b"bots", "bots")))


def test_a_bot_that_is_asked_twice_looks_again_soon_and_then_at_its_ease():
    book = setting_up(S1, options='{"characters": 2}')
    both = [write(book, S1, name) for name in ("Rook", "Wren")]
    book.when(OpenSession(), by=GM)
    for actor in both:
        roll_check(book, actor, (6, 6))
    assert len(questions_of(book.state, S1)) == 2

    first = look(book)
    assert isinstance(first.command, CloseRoll)
    assert first.again_in == book.state.thinking_time < pause(book.state)
    book.when(first.command, by=S1)
    assert look(book).again_in == pause(book.state)


def test_a_bot_that_has_bought_a_die_looks_again_soon_for_its_roll_is_still_open():
    book = setting_up(S1)
    rook = write(book, S1, "Rook")
    book.when(OpenSession(), by=GM)
    raise_to(book, rook, 2, wishes=2)
    roll_check(book, rook, (2, 2))

    bought = look(book)
    assert bought.command is not None and bought.command.slug() == "buy-die"
    assert bought.again_in == book.state.thinking_time


def test_a_bot_on_whose_turn_others_decide_looks_again_in_seconds_in_live_play_and_in_minutes_by_post():
    for options, most in (("{}", timedelta(seconds=2)), ('{"pace": "by_post"}', timedelta(minutes=24))):
        book = playing(S1, options=options)
        book.when(OpenEncounter(members=(monster(book),)), by=GM)
        assert has_turn(book.state, S1)
        moved = look(book)
        assert moved.command is not None and moved.again_in == book.state.thinking_time
        foe = next(each for each in book.state.members if book.state.actors[each].seat is None)
        book.when(DeclareAttack(target=foe, uses=Uses.NONE), by=S1)
        assert look(book) == Thought(None, most)
