"""A century over GraphQL, with the client that ariadne-codegen has made."""

import asyncio
from contextlib import aclosing
from typing import Any

from demo import PATIENCE_SECONDS, demo, hold
from graphql_client.client import Client
from graphql_client.input_types import Gods2DeclareWarInput
from graphql_client.war import WarGods2DeclareWarCommandDone
from graphql_client.watch import WatchGameEventsGods2CenturyOpened

SEAT = demo("demo-player-1")
BEARER = {"Authorization": f"Bearer {SEAT.token}"}


def client() -> Client:
    """A client of the player's."""
    return Client(
        url=f"{SEAT.base}/graphql/",
        headers=BEARER,
        ws_url=f"{SEAT.base.replace('http', 'ws')}/graphql/",
        ws_connection_init_payload=BEARER,
    )


def values_of(schema: dict[str, Any], shared: dict[str, dict[str, Any]]) -> list[str]:
    """The values that a schema admits: one, or several with titles."""
    found = shared[schema["$ref"].removeprefix("#/$defs/")] if "$ref" in schema else schema
    return [found["const"]] if "const" in found else [values_of(row, shared)[0] for row in found["oneOf"]]


async def first_war(player: Client) -> list[str]:
    """Declare the first war that is taken, then the same again; the cursors of its events."""
    for attempt in range(1000):
        position = await player.position(game=SEAT.game)
        for legal in position.game.legal_commands.results:
            if legal.command != "declare-war" or not legal.legal or legal.schema_ is None:
                continue
            properties: dict[str, dict[str, Any]] = legal.schema_["properties"]
            shared: dict[str, dict[str, Any]] = position.game.legal_commands.definitions
            (attacker,) = values_of(properties["attacker"], shared)
            for defender in values_of(properties["defender"], shared):
                key, wish = f"ariadne-{attempt}-{defender}", Gods2DeclareWarInput(attacker=attacker, defender=defender)
                done = (await player.war(game=SEAT.game, input=wish, key=key)).gods_2_declare_war
                if not isinstance(done, WarGods2DeclareWarCommandDone):
                    hold(done.status in (404, 409, 503), f"declare-war: {done.code}: {done.detail}")
                    continue
                hold(not done.replayed, "the first answer is no repetition")
                again = (await player.war(game=SEAT.game, input=wish, key=key)).gods_2_declare_war
                if not isinstance(again, WarGods2DeclareWarCommandDone):
                    raise SystemExit(f"the same again: {again.code}")
                hold(again.replayed, "not answered as repeated")
                same = [e.cursor for e in again.events] == [e.cursor for e in done.events]
                hold(same, "the repeated answer has other events")
                return [event.cursor for event in done.events]
        await asyncio.sleep(1)
    raise SystemExit("no war could be declared")


async def century() -> str:
    """Read, act, and follow the subscription into the next century."""
    player = client()
    begin = (await player.position(game=SEAT.game)).game
    hold(begin.status == "running", "the demo does not run")
    acting = asyncio.create_task(first_war(player))
    cursors: list[str] = []
    async with aclosing(player.watch(game=SEAT.game, after=begin.cursor)) as watched:  # type: ignore[type-var]
        async for row in watched:
            event = row.game_events
            cursors.append(event.cursor)
            if not isinstance(event, WatchGameEventsGods2CenturyOpened):
                continue
            if not set(await acting) <= set(cursors):
                continue  # declared after this century began
            hold(len(set(cursors)) == len(cursors), "an event came twice")
            page = (await player.since(game=SEAT.game, after=begin.cursor)).game.events
            listed = [e.cursor for e in page.results]
            most = min(len(listed), len(cursors))
            hold(listed[:most] == cursors[:most], "subscription and log differ")
            return f"century {event.data.century} after {len(cursors)} events"
    raise SystemExit("the subscription ended")


if __name__ == "__main__":
    print(asyncio.run(asyncio.wait_for(century(), PATIENCE_SECONDS)))
