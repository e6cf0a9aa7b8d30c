"""A century over REST, with the client that openapi-python-client has made."""

import time
from typing import Any
from uuid import UUID

from demo import PATIENCE_SECONDS, demo, hold
from theogony_client import AuthenticatedClient
from theogony_client.api.log import events
from theogony_client.api.play import gods2_declare_war, legal_commands, state
from theogony_client.models.command_done import CommandDone
from theogony_client.models.event_page import EventPage
from theogony_client.models.gods_2_century_opened import Gods2CenturyOpened
from theogony_client.models.gods_2_declare_war import Gods2DeclareWar
from theogony_client.models.gods_2_state import Gods2State
from theogony_client.models.gods_2_war_declared import Gods2WarDeclared
from theogony_client.models.legal_command_list import LegalCommandList
from theogony_client.models.problem import Problem

SEAT = demo("demo-player-2")
GAME = UUID(SEAT.game)
CLIENT = AuthenticatedClient(base_url=SEAT.base, token=SEAT.token)
DEADLINE = time.monotonic() + PATIENCE_SECONDS


def declare(key: str, attacker: UUID, defender: UUID) -> CommandDone | Problem:
    """Declare a war."""
    body = Gods2DeclareWar(attacker=attacker, defender=defender)
    answer = gods2_declare_war.sync(GAME, client=CLIENT, body=body, idempotency_key=key)
    if not isinstance(answer, CommandDone | Problem):
        raise SystemExit(f"declare-war: {answer}")
    return answer


def cursors_of(done: CommandDone) -> list[str]:
    """The cursors of the events of an answer."""
    return [event.cursor for event in done.events]


def values_of(schema: dict[str, Any], shared: dict[str, Any]) -> list[str]:
    """The values that a schema admits: one, or several with titles."""
    found = shared[schema["$ref"].removeprefix("#/$defs/")] if "$ref" in schema else schema
    return [found["const"]] if "const" in found else [values_of(row, shared)[0] for row in found["oneOf"]]


def first_war() -> Gods2WarDeclared:
    """Declare the first war that is taken, then the same again."""
    for attempt in range(1000):
        hold(time.monotonic() < DEADLINE, "no war could be declared in time")
        listed = legal_commands.sync(GAME, client=CLIENT)
        if not isinstance(listed, LegalCommandList):
            raise SystemExit(f"legal-commands: {listed}")
        for legal in listed.results:
            if legal.command != "declare-war" or not legal.legal:
                continue
            if legal.schema is None:
                continue
            properties, shared = legal.schema.to_dict()["properties"], listed.defs.to_dict()
            attackers = values_of(properties["attacker"], shared)
            for defender in values_of(properties["defender"], shared):
                sides = UUID(str(attackers[0])), UUID(str(defender))
                key = f"python-{attempt}-{defender}"
                done = declare(key, *sides)
                if isinstance(done, Problem):
                    hold(done.status in (404, 409, 503), f"declare-war: {done.code}: {done.detail}")
                    continue
                hold(not done.replayed, "the first answer is no repetition")
                again = declare(key, *sides)
                if isinstance(again, Problem):
                    raise SystemExit(f"the same again: {again.code}")
                hold(again.replayed, "not answered as repeated")
                hold(cursors_of(again) == cursors_of(done), "the repeated answer has other events")
                other = declare(key, *reversed(sides))
                hold(isinstance(other, Problem) and other.code == "key.reused", "a key was taken twice")
                declared = next(event for event in done.events if event.type_ == "gods2.WarDeclared")
                return Gods2WarDeclared.from_dict(declared.to_dict())
        time.sleep(1)
    raise SystemExit("no war could be declared")


def century() -> str:
    """Read, act, and follow the log into the next century."""
    begin = state.sync(GAME, client=CLIENT)
    if not isinstance(begin, Gods2State):
        raise SystemExit(f"state: {begin}")
    hold(begin.game.status == "running", "the demo does not run")
    war, after, cursors, wars = first_war().data.war, begin.cursor, list[str](), set[UUID]()
    opened = 0
    while not opened or war not in wars:  # a century may have begun before the war was declared
        hold(time.monotonic() < DEADLINE, "no new century in time, or the war is not in the log")
        page = events.sync(GAME, client=CLIENT, after=after, limit=100)
        if not isinstance(page, EventPage):
            raise SystemExit(f"events: {page}")
        cursors += [event.cursor for event in page.results]
        wars |= {event.data.war for event in page.results if isinstance(event, Gods2WarDeclared)}
        opened = max((e.data.century for e in page.results if isinstance(e, Gods2CenturyOpened)), default=opened)
        hold(page.cursor == (page.results[-1].cursor if page.results else after), "the page's cursor is another")
        after = page.cursor
        time.sleep(0.5)
    hold(len(set(cursors)) == len(cursors), "an event came twice")
    whole = events.sync(GAME, client=CLIENT, after=begin.cursor, limit=500)
    if not isinstance(whole, EventPage):
        raise SystemExit(f"events: {whole}")
    hold([e.cursor for e in whole.results][: len(cursors)] == cursors, "the log in pieces is not the log at once")
    return f"century {opened} after {len(cursors)} events"


if __name__ == "__main__":
    print(century())
