"""Some commands of one game in one request: read, decided and answered one after the other, all of them or none."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, ClassVar
from uuid import UUID

import orjson
from django.conf import settings
from pydantic import ValidationError as WrongShape
from rest_framework.exceptions import ParseError

from api.common.authentication import Principal
from api.common.exceptions import Fault, FaultOfBatch
from api.common.viewer import Viewer
from api.representations.issuing.issue import Answer, CommandRequest
from games import services
from games.engine.errors import Refused
from games.services import IssuedCommand, PendingCommand, PendingSequence


@dataclass(frozen=True, slots=True)
class BatchedCommand:
    """One of them. body: what JSON holds. seat: through which, or for which where a game-master acts."""

    name: str
    body: Any
    seat: UUID | None = None


@dataclass(slots=True, kw_only=True)
class PendingRequest(PendingCommand):
    """One of them that waits: who issues it, and whether they may, is looked up when those before it are done."""

    unreadable: ClassVar[tuple[type[Exception], ...]] = (Refused, Fault, ParseError, WrongShape)

    request: CommandRequest
    viewer: Viewer | None = None

    def read_issued(self, session: Any) -> IssuedCommand:
        """What is issued, by the rows as they are then."""
        self.viewer = self.request.viewer()
        return self.request.read(self.viewer)


def issue_batch(
    principal: Principal,
    game: UUID,
    commands: Sequence[BatchedCommand],
    *,
    as_gm: bool = False,
    key: str = "",
    expected: str = "",
    dry_run: bool = False,
) -> list[Answer]:
    """Issue some commands of a game, completely and once, or none; what each did.

    key, dry_run: of all of them. expected: the cursor that they were decided upon, compared before the first. Raises
    Fault (`batch.large`, `body.invalid`), FaultOfBatch; then nothing has changed.
    """
    if not commands:
        raise Fault("body.invalid", "A batch has one command at least.", pointer="/commands")
    if len(commands) > (most := settings.MAX_BATCH):
        raise Fault(
            "batch.large", f"A batch has {most} commands at most (MAX_BATCH).",
            pointer="/commands", most=most, setting="MAX_BATCH",
        )  # fmt: skip
    among = _digest_of(commands)
    requests = [
        CommandRequest(
            principal=principal, game=game, name=each.name, body=orjson.dumps(each.body), seat=each.seat, as_gm=as_gm,
            expected="" if number else expected, dry_run=dry_run, among=among,
        )
        for number, each in enumerate(commands)
    ]  # fmt: skip
    keys = ["" if dry_run or not key else _key_of(key, number) for number in range(len(requests))]
    user = principal.user.pk if principal.user is not None else None
    waiting = [
        PendingRequest(game=game, user=user, key=each_key, request=request)
        for request, each_key in zip(requests, keys, strict=True)
    ]
    sequence = PendingSequence(game=game, user=user, commands=waiting)
    try:
        requests[0].read(requests[0].viewer())  # who may do nothing here locks nothing
        services.carry_out(sequence)
    except PendingRequest.unreadable as error:
        is_open = sequence.refused is None or waiting[0].was_acknowledged
        if isinstance(error, Refused) and is_open and (former := _recall(requests, keys)):
            return former
        if isinstance(error, Fault) and sequence.refused is None:
            raise  # of the token, not of a command
        raise FaultOfBatch(sequence.refused or 0, error) from error
    return [
        request.answer(each.outcome, each.viewer)
        for request, each in zip(requests, waiting, strict=True)
        if each.outcome is not None and each.viewer is not None
    ]


def _recall(requests: Sequence[CommandRequest], keys: Sequence[str]) -> list[Answer] | None:
    """What all of them were answered under their keys, as `CommandRequest.recall`; None unless all were."""
    answers = [request.recall(key) for request, key in zip(requests, keys, strict=True)]
    found = [answer for answer in answers if answer is not None]
    return found if len(found) == len(answers) else None


def _key_of(key: str, number: int) -> str:
    """The key of one of them: the first has that of the request, the others keys that no client can send."""
    return key if number == 0 else f"{sha256(key.encode()).hexdigest()}\n{number}"


def _digest_of(commands: Sequence[BatchedCommand]) -> str:
    """What the same batch has in common, and no other."""
    sent = [[each.name, each.body, str(each.seat or "")] for each in commands]
    return sha256(orjson.dumps(sent, option=orjson.OPT_SORT_KEYS)).hexdigest()
