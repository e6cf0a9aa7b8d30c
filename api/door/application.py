"""The door as an ASGI application: it takes the commands that are usual and hands everything else on."""

import asyncio
from collections.abc import Awaitable, Callable

from django.db import close_old_connections

from api.common.problems import answer
from api.door.answers import Answer
from api.door.incoming import Incoming, Message, incoming, is_usual
from api.door.middleware import wrap
from api.door.queue import CommandQueue
from api.door.writers import Writers

Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Message, Receive, Send], Awaitable[None]]
PATH = r"/api/v1/games/[0-9a-f-]{36}/(commands/[a-z0-9-]+|join)/"
BUSY = "So many commands wait here that no more are taken; try again in a second."


class Door:
    """The commands of one process. django: what answers all that is not taken here."""

    def __init__(self, django: AsgiApp) -> None:
        self.django = django
        self.queue = CommandQueue()
        self.writers = Writers(self.queue)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if not is_usual(scope):
            await self.django(scope, receive, send)
            return
        messages, raw = await read_body(receive)
        command = incoming(scope, raw, asyncio.get_running_loop()) if raw is not None else None
        found = await self.ask(command) if command is not None else None
        if found is None:
            await self.django(scope, replay(messages, receive), send)
            return
        await send({"type": "http.response.start", "status": found.status, "headers": found.headers})
        await send({"type": "http.response.body", "body": found.body})

    async def ask(self, command: Incoming) -> Answer | None:
        """What is answered to a command, once it is decided; None where Django is to be asked."""
        if not self.queue.put(command):
            return await asyncio.to_thread(refuse_busy, command)
        self.writers.begin()
        return await command.answer


def refuse_busy(command: Incoming) -> Answer:
    """What is answered where too many wait. In a thread: whose page it comes from may be asked of the database."""
    try:
        busy = answer("game.busy", BUSY, request_id=command.request_id)
        return Answer.of(wrap(command.request, lambda: busy.response))
    finally:
        close_old_connections()


async def read_body(receive: Receive) -> tuple[list[Message], bytes | None]:
    """The messages of a body, and the body; None where the client has gone before its end."""
    messages: list[Message] = []
    while True:
        message = await receive()
        messages.append(message)
        if message["type"] != "http.request":
            return messages, None
        if not message.get("more_body"):
            return messages, b"".join(each.get("body", b"") for each in messages)


def replay(messages: list[Message], receive: Receive) -> Receive:
    """What was received, again, and then what comes."""
    again = iter(messages)

    async def receive_again() -> Message:
        return next(again, None) or await receive()

    return receive_again
