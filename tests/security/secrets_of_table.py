"""The secrets of the table, which every game can keep: they are planted in Cairns."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

from games.engine import bots, timer
from games.engine.audience import GM, GM_READER, SERVER, Audience, Reader, reader, seat_and_gm
from games.engine.game_state import Role
from games.engine.kernel import Context, Event, Issuer
from games.engine.lifecycle import bans, gm_commands, messages, reports, seating
from games.engine.lifecycle.amend import Amend, Amended, Change, Deed, FieldChange
from games.engine.prompts import abandonment, excuses, manual_dice, prompt, standing
from tests.security.grounds import Ground, Whisper
from tests.security.planting import ID, KEY, WORD, Plant
from tests.toy.rules.commands import BringTide, CastVote, CoinsHidden, HideCoins


def question(g: Ground, owner: str, readers: Audience, *, sealed: bool = False) -> UUID:
    """A question that these readers alone see; it has a deadline."""

    def ask_secretly(state: Any, ctx: Context) -> Iterator[Event]:
        yield from prompt.ask(
            state, ctx, "SECRET", f"{WORD}?", owners=(Reader(owner),), lane="secret", rule=prompt.Rule.ALL,
            answered_by=(CastVote,), readers=readers, prompt=ID, sealed=sealed,
            due=ctx.now + timedelta(minutes=30), default=BringTide(), silence=WORD,
        )  # fmt: skip

    g.run(Whisper(words=ask_secretly))
    return ID


def own(g: Ground) -> Reader:
    return reader(g.owner.pk)


def open_question(g: Ground) -> UUID:
    """A question that its owner and the game-masters see."""
    return question(g, own(g), seat_and_gm(g.owner.pk))


def open_sealed_question(g: Ground) -> UUID:
    """A question whose answer is for its owner alone, asked in secret."""
    return question(g, own(g), seat_and_gm(g.owner.pk), sealed=True)


def answer_question(g: Ground, prompt_id: UUID) -> None:
    g.happen(prompt.PromptAnswered(prompt=prompt_id, owner=own(g), answer='"yes"'))


def about(make: Callable[[Ground], UUID], event: Callable[[Ground, UUID], Event]) -> Callable[[Ground], None]:
    """An event about a question that was asked in secret."""
    return lambda g: g.happen(event(g, make(g)))


def withdrawn(g: Ground) -> None:
    answer_question(g, open_sealed_question(g))
    g.happen(prompt.AnswerWithdrawn(prompt=ID, owner=own(g)))


def set_hidden_timer(g: Ground, shown: Audience = SERVER) -> None:
    due = g.fresh().last_at + timedelta(minutes=40)
    g.happen(timer.TimerSet.of(KEY, due, BringTide(), shown=shown))


def set_hidden_window(g: Ground) -> None:
    due = g.fresh().last_at + timedelta(minutes=40)
    g.happen(timer.WindowSet.of(KEY, due, BringTide()))


def after_timer(event: Event) -> Callable[[Ground], None]:
    def plant(g: Ground) -> None:
        set_hidden_timer(g)
        g.happen(event)

    return plant


def thaw_timer(g: Ground) -> None:
    set_hidden_timer(g)
    g.happen(timer.TimerFrozen(key=KEY), timer.TimerThawed(key=KEY))


def extend_timer(g: Ground) -> None:
    set_hidden_timer(g, GM)
    g.happen(timer.Extended(timer=KEY, due=g.fresh().last_at + timedelta(minutes=50), reason=WORD))


def rewound(fallen: int) -> Callable[[Ground], None]:
    """That time was turned back is public; which number in the log that is, and what secrets fell, is not."""

    def plant(g: Ground) -> None:
        seq = g.fresh().seq
        g.as_owner(HideCoins(coins=1))
        g.happen(gm_commands.Rewound(to=seq + 1 - fallen, reason=WORD, timers_set=100))

    return plant


def invite(g: Ground) -> None:
    g.happen(seating.Invited(invitation=ID, code=f"code-{WORD}", role=Role.PLAYER))


def use_invitation(g: Ground) -> None:
    invite(g)
    g.happen(seating.InvitationUsed(invitation=ID))


def ban(g: Ground) -> None:
    g.happen(bans.Banned(ban=ID, user=g.owner.user_id, name=WORD))


def lift_ban(g: Ground) -> None:
    ban(g)
    g.happen(bans.BanLifted(ban=ID))


def send_message(g: Ground) -> None:
    g.happen(messages.MessageSent(sender=None, to=(g.owner.pk,), text=WORD, for_gm=False))


def write_anonymously(g: Ground) -> None:
    """What is written; who wrote it is the secret of `test_leaks_of_writers`."""
    g.happen(messages.AnonymousMessageSent(to=(g.owner.pk,), text=WORD, for_gm=False, message=ID))


def report_anonymous_message(g: Ground) -> None:
    g.happen(reports.AnonymousMessageReported(
        reporter=g.owner.pk, message=ID, sent_at=g.game.created_at, text=WORD, reason=WORD
    ))  # fmt: skip


def report_message(g: Ground) -> None:
    g.happen(reports.MessageReported(
        reporter=None, message=ID, sender=None, sent_at=g.game.created_at, text=WORD, reason=WORD,
        shown_to=(g.owner.pk,), for_gm=False,
    ))  # fmt: skip


def give_grace(g: Ground) -> None:
    due = g.fresh().last_at + timedelta(minutes=50)
    readers = seat_and_gm(g.owner.pk)
    g.happen(excuses.GraceGiven(prompt=open_question(g), due=due, seats=(g.owner.pk,), readers=readers))


def excuse_absence(g: Ground) -> None:
    """That a seat did not answer is its own business, and so is the row that counts it."""
    since = g.fresh().last_at
    until = since + timedelta(minutes=50)
    g.happen(excuses.AbsenceExcused(leave=ID, seat=g.owner.pk, prompt=ID, since=since, until=until, left=1))


def miss_deadline(g: Ground) -> None:
    g.happen(abandonment.DeadlineMissed(
        leave=ID, seat=g.owner.pk, prompt=ID, at=g.fresh().last_at, count=2
    ))  # fmt: skip


def end_silence(g: Ground) -> None:
    miss_deadline(g)
    g.happen(abandonment.SilenceEnded(seat=g.owner.pk))


def hold_decision(g: Ground) -> None:
    g.happen(manual_dice.DecisionHeld(
        prompt=ID, does="hide-coins", with_='{"coins":9}', role=Issuer.SEAT, seat=g.owner.pk,
        label=f"{WORD}/1", index=1, faces=6,
    ))  # fmt: skip


def by_hand(g: Ground) -> None:
    question(g, GM_READER, GM)
    g.happen(manual_dice.DieEntered(prompt=ID, value=4))


def pool_by_hand(g: Ground) -> None:
    question(g, GM_READER, GM)
    g.happen(manual_dice.DiceEntered(prompt=ID, values=(4, 2)))


def amend_coins(g: Ground) -> None:
    g.as_owner(HideCoins(coins=3))
    coins = FieldChange(field="coins", value="77")
    change = Change(deed=Deed.ALTER, table="hoards", row=str(g.owner.pk), fields=(coins,))
    g.run(Amend(changes=(change,), reason=WORD))


TABLE = {
    seating.Invited: Plant("toy", invite),
    seating.InvitationUsed: Plant("toy", use_invitation),
    bans.Banned: Plant("toy", ban),
    bans.BanLifted: Plant("toy", lift_ban),
    messages.MessageSent: Plant("toy", send_message),
    messages.AnonymousMessageSent: Plant("toy", write_anonymously),
    reports.MessageReported: Plant("toy", report_message),
    reports.AnonymousMessageReported: Plant("toy", report_anonymous_message),
    seating.SeatMoved: Plant("toy", lambda g: g.happen(seating.SeatMoved(seat=g.owner.pk, reason=WORD))),
    timer.Extended: Plant("toy", extend_timer),
    gm_commands.Rewound: Plant("toy", rewound(0), rewound(1)),
    timer.TimerSet: Plant("toy", set_hidden_timer),
    timer.WindowSet: Plant("toy", set_hidden_window),
    timer.TimerCleared: Plant("toy", after_timer(timer.TimerCleared(key=KEY))),
    timer.TimerFrozen: Plant("toy", after_timer(timer.TimerFrozen(key=KEY))),
    timer.TimerThawed: Plant("toy", thaw_timer),
    timer.TimerFired: Plant("toy", after_timer(timer.TimerFired(key=KEY, generation=2))),
    timer.TimerRefused: Plant(
        "toy", after_timer(timer.TimerRefused(key=KEY, does="bring-tide", code="secret.code", reason=WORD))
    ),
    timer.TimerFailed: Plant("toy", after_timer(timer.TimerFailed(key=KEY, does="bring-tide", times=3, reason=WORD))),
    prompt.PromptOpened: Plant("toy", open_question),
    prompt.PromptAnswered: Plant("toy", lambda g: answer_question(g, open_sealed_question(g))),
    prompt.PromptCounted: Plant(
        "toy", about(open_sealed_question, lambda g, p: prompt.PromptCounted(prompt=p, count=1))
    ),
    prompt.AnswerWithdrawn: Plant("toy", withdrawn),
    prompt.PromptClosed: Plant(
        "toy",
        about(open_question, lambda g, p: prompt.PromptClosed(prompt=p, result=WORD, readers=seat_and_gm(g.owner.pk))),
    ),
    prompt.DeadlinePassed: Plant(
        "toy", about(open_question, lambda g, p: prompt.DeadlinePassed(prompt=p, readers=seat_and_gm(g.owner.pk)))
    ),
    excuses.GraceGiven: Plant("toy", give_grace),
    excuses.AbsenceExcused: Plant("toy", excuse_absence),
    abandonment.DeadlineMissed: Plant("toy", miss_deadline),
    abandonment.SilenceEnded: Plant("toy", end_silence),
    standing.StandingAnswerSet: Plant(
        "toy", lambda g: g.happen(standing.StandingAnswerSet(seat=g.owner.pk, kind="SECRET", answer=WORD))
    ),
    bots.BotPassed: Plant("toy", lambda g: g.happen(bots.BotPassed(seat=g.owner.pk, code="secret.code"))),
    manual_dice.DecisionHeld: Plant("toy", hold_decision),
    manual_dice.DieEntered: Plant("toy", by_hand),
    manual_dice.DiceEntered: Plant("toy", pool_by_hand),
    manual_dice.DieSettled: Plant(
        "toy", lambda g: g.happen(manual_dice.DieSettled(label=f"{WORD}/2", index=1, value=5))
    ),
    Amended: Plant("toy", amend_coins),
    CoinsHidden: Plant("toy", lambda g: g.as_owner(HideCoins(coins=7), key="owner-key")),
}
