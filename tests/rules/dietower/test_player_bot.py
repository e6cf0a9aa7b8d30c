"""A player's bot answers all that it is asked in time, one question at a look."""

from games.dietower.rules.bots.master import steady
from games.dietower.rules.bots.players import sensible
from games.dietower.rules.bots.seen import pause
from games.dietower.rules.checks.commands import CloseRoll
from games.dietower.rules.table.commands import OpenSession
from games.engine.dice import SecretDice, Tray
from games.engine.game_state import Role
from games.engine.policies import questions_of
from tests.rules.dietower.stage import GM, S1, Playbook, raise_to, roll_check, setting_up, write


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


def test_the_world_master_looks_often_while_sheets_are_written_and_opens_the_session_when_all_are():
    book = setting_up(S1)
    (master,) = (seat.id for seat in book.state.seats_of(Role.GM))
    tray = Tray(SecretDice(b"bots", "bots"))
    waiting = steady(book.state, master, tray)
    usual = pause(book.state, master=True)
    assert waiting.command is None
    assert book.state.thinking_time <= waiting.again_in == max(book.state.thinking_time, usual / 10) < usual
    write(book, S1, "Rook")
    assert isinstance(steady(book.state, master, tray).command, OpenSession)
    book.when(OpenSession(), by=GM)
    assert steady(book.state, master, tray).again_in == usual
