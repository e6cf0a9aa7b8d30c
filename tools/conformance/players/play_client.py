"""A century over REST, with the packed client in Python."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from demo import PATIENCE_SECONDS, demo, hold
from theogony.gods2 import AnyEvent, CommandDone, Game, GameEvent, Refusal, Theogony, choices

SEAT = demo("demo-player-2")
DEADLINE = time.monotonic() + PATIENCE_SECONDS


def cursors(events: Sequence[AnyEvent | GameEvent]) -> list[str]:
    """The cursors of events."""
    return [event["cursor"] for event in events]


def declare(game: Game, attacker: str, defender: str, key: str) -> CommandDone | None:
    """Declare a war; None when the rules say no."""
    try:
        return game.declare_war({"attacker": attacker, "defender": defender}, key=key)
    except Refusal as refusal:
        hold(refusal.status in (404, 409), f"declare-war: {refusal}")
        return None


def check_repetition(game: Game, attacker: str, defender: str, key: str, done: CommandDone) -> None:
    """The same again is answered as repeated; another command under its key is refused."""
    hold(not done["replayed"], "the first answer is no repetition")
    again = game.declare_war({"attacker": attacker, "defender": defender}, key=key)
    hold(again["replayed"] and cursors(again["events"]) == cursors(done["events"]), "not answered as repeated")
    try:
        game.declare_war({"attacker": defender, "defender": attacker}, key=key)
    except Refusal as refusal:
        hold(refusal.code == "key.reused", f"another command under its key: {refusal}")
    else:
        raise SystemExit("a key was taken for another command")


def first_war(game: Game) -> str:
    """Declare the first war that is taken, then the same again; its id."""
    for attempt in range(1000):
        hold(time.monotonic() < DEADLINE, "no war could be declared in time")
        listing = game.legal_commands(command="declare-war")
        for legal in listing["results"]:
            attackers = choices(listing, legal, "attacker")
            if not legal["legal"] or not attackers:
                continue
            for defender in choices(listing, legal, "defender"):
                key, sides = f"python-{attempt}-{defender.value}", (attackers[0].value, defender.value)
                if done := declare(game, *sides, key):
                    check_repetition(game, *sides, key, done)
                    declared = next(each for each in done["events"] if each["type"] == "gods2.WarDeclared")
                    return str(declared["data"]["war"])
        time.sleep(1)
    raise SystemExit("no war could be declared")


def century() -> str:
    """Read, act, and follow the log into the next century."""
    with Theogony(SEAT.base, SEAT.token) as theogony, ThreadPoolExecutor(1) as pool:
        game = theogony.game(SEAT.game)
        begin = game.state()
        hold(begin["game"]["status"] == "running", "the demo does not run")
        hold(len(list(theogony.gods2_races(game=SEAT.game, limit=1))) == len(begin["races"]), "races are missing")
        war, seen, opened, found = pool.submit(first_war, game), list[GameEvent](), 0, False
        for event in game.stream(after=begin["cursor"]):
            hold(time.monotonic() < DEADLINE, "no new century in time, or the war is not in the log")
            seen.append(event)
            if event["type"] == "gods2.CenturyOpened":
                opened = event["data"]["century"]
            if event["type"] == "gods2.WarDeclared":
                found = found or event["data"]["war"] == war.result()
            if opened and found:
                break
        hold(len(set(cursors(seen))) == len(seen), "an event came twice")
        whole = list(game.history(begin["cursor"]))
        hold(cursors(whole)[: len(seen)] == cursors(seen), "the stream is not the log")
    return f"century {opened} after {len(seen)} events"


if __name__ == "__main__":
    print(century())
