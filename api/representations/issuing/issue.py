"""One way from every transport to the writer: read who issues what, let it be decided, answer what that person may see.

REST, GraphQL, the pages of the desk and the admin call `issue`. The door reads and answers by the same
`CommandRequest`; between the two its writers play many commands together (ADR 88).
"""

import re
from dataclasses import dataclass
from hmac import compare_digest
from typing import Any
from uuid import UUID

from accounts.models import Scope
from api.common.authentication import Principal
from api.common.exceptions import Fault
from api.common.permissions import require_scope
from api.common.strict_json import strict_json
from api.common.viewer import Viewer, conductor_of, holds_seat, look, viewer_of, viewers_once, visible_game
from api.representations import log
from api.representations.issuing.commands import parse_command
from games import services
from games.engine.errors import Refused
from games.engine.game_state import Role
from games.models import Game, Receipt
from games.services import IssuedCommand, Outcome, PendingCommand, Shown

JOIN = "join"
KEY = re.compile(r"[\x20-\x7e]{1,255}")
"""What an idempotency key of a client is: printable ASCII."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command did, and how the one who issued it looks at the game now."""

    viewer: Viewer
    outcome: Outcome
    dry_run: bool

    def json(self) -> dict[str, Any]:
        """What it did, or would do, as its issuer may see it."""
        return (log.dry_run_json if self.dry_run else log.outcome_json)(self.outcome, self.viewer)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRequest:
    """A command as it came in. body: JSON. key: by which a second sending is known.

    expected: the cursor it was decided upon. shown: what a page showed. ruleset: what the sender takes the game for; ""
    for whatever it is. among: a digest of all that came in the same request.
    """

    principal: Principal
    game: UUID
    name: str
    body: bytes
    seat: UUID | None = None
    as_gm: bool = False
    expected: str = ""
    dry_run: bool = False
    ruleset: str = ""
    shown: Shown | None = None
    among: str = ""

    def viewer(self) -> Viewer:
        """Who issues it. Raises Fault (token.*), `game.missing`, `seat.missing`, `gm.missing`."""
        require_scope(self.principal, Scope.PLAY)
        if self.as_gm:
            require_scope(self.principal, Scope.GM)
        user = self.principal.user.pk if self.principal.user is not None else None
        if self.as_gm and self.principal.conducts and not holds_seat(self.game, user, Role.GM):
            return conductor_of(self.game, user, self.seat)
        as_ = "gm" if self.as_gm else ""
        if code := self._invitation_code():
            return look(visible_game(self.game, user, code=code), user, seat=self.seat, as_=as_)
        return viewer_of(self.game, user, seat=self.seat, as_=as_)

    def read(self, viewer: Viewer) -> IssuedCommand:
        """The command that a viewer issues; the token of who leads a game by it has the scope `gm`.

        Raises Fault (token.scope), ParseError, `command.missing`, pydantic's ValidationError, and what `Viewer.actor`
        raises.
        """
        if self.ruleset and viewer.game.ruleset != self.ruleset:
            raise Refused(
                "command.missing", f"This is a game of {viewer.game.ruleset}; {self.ruleset} has other commands."
            )
        strict_json(self.body or b"{}")
        command = parse_command(viewer.game.ruleset, self.name, self.body)
        actor = viewer.actor(type(command))
        if viewer.leads(actor):
            require_scope(self.principal, Scope.GM)
        return IssuedCommand(command, actor, viewer.expectation(self.expected), self.dry_run, self.shown, self.among)

    def answer(self, outcome: Outcome, viewer: Viewer) -> Answer:
        """What the command did. viewer: who issued it; where that gave them a seat, they look again.

        Who has given a seat away reads what they did with it as its holder.
        """
        if outcome.reseats and not self.dry_run and self.name == JOIN:
            viewer = self.viewer()
        return Answer(viewer, outcome, self.dry_run)

    def recall(self, key: str) -> Answer | None:
        """What was answered under a key when the sender still held the seat that they acted through; else None.

        The receipt proves it: its fingerprint covers command, role and seat. Not asked where nothing was acknowledged
        when the command was decided: a refusal is of its time, whatever has its key since.
        Raises ParseError, pydantic's ValidationError.
        """
        if not key or self.dry_run or self.principal.user is None:
            return None
        receipt = Receipt.objects.filter(game=self.game, principal=str(self.principal.user.pk), key=key).first()
        if receipt is None:
            return None
        game = Game.objects.select_related("world").get(pk=self.game)
        for viewer in viewers_once(game, self.principal.user.pk, seat=self.seat, as_="gm" if self.as_gm else ""):
            try:
                issued = self.read(viewer)
            except (Refused, Fault):
                continue  # nothing that could be issued from this seat, or with this token
            if compare_digest(issued.fingerprint, receipt.fingerprint):
                outcome = Outcome(game.pk, receipt.first_seq, receipt.last_seq, receipt.at, replayed=True)
                return Answer(viewer, outcome, dry_run=False)
        return None

    def _invitation_code(self) -> str:
        """The code in a body that joins; its holder may see the game. Raises ParseError."""
        body = strict_json(self.body) if self.name == JOIN and self.body else None
        return str(body.get("code", "")) if isinstance(body, dict) else ""


def issue(
    principal: Principal,
    game: UUID,
    name: str,
    body: bytes,
    *,
    seat: UUID | None = None,
    as_gm: bool = False,
    key: str = "",
    expected: str = "",
    dry_run: bool = False,
    ruleset: str = "",
    shown: Shown | None = None,
) -> Answer:
    """Issue a command of a game, completely and once, or not at all.

    body: JSON. seat: through which, or for which where a game-master acts. key: the same one again is answered with
    what the first did. expected: the cursor it was decided upon (`position.stale` where the game has moved on).
    dry_run: nothing is kept. shown: what a page showed to the sender. Raises Fault, Refused, ParseError, pydantic's
    ValidationError; then nothing has changed.
    """
    request = CommandRequest(
        principal=principal, game=game, name=name, body=body, seat=seat, as_gm=as_gm,
        expected=expected, dry_run=dry_run, ruleset=ruleset, shown=shown,
    )  # fmt: skip
    waiting: PendingCommand | None = None
    try:
        viewer = request.viewer()
        issued = request.read(viewer)
        waiting = PendingCommand(game=game, user=issued.actor.user, issued=issued, key="" if dry_run else key)
        outcome = services.carry_out(waiting)
    except Refused:
        if waiting is not None and not waiting.was_acknowledged:
            raise
        if (former := request.recall(key)) is not None:
            return former
        raise
    return request.answer(outcome, viewer)
