"""Faith: cults, turmoil, who is cast out, who rules a pantheon anew (G2-PAN-*, G2-TURM-*)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from games.engine.insight.chronicle import Fact, Scene, Sentence, Teller, names, part, plain
from games.engine.kernel import Event
from games.engine.wording import capital, quantity
from games.gods2.rules.chronicle.names import BELIEFS, member, people, peoples, shares
from games.gods2.rules.pantheon.events import PantheonChanged
from games.gods2.rules.pantheon.turmoil_events import CultGrew, MemberExpelled, TurmoilEnded, TurmoilStarted
from games.gods2.rules.state.names import cause_name
from games.gods2.rules.state.state import State
from games.gods2.rules.units.events import UnitsDied

Setting = Scene[State]


def tell_cult(scene: Setting, event: CultGrew) -> Iterator[Fact]:
    held = {share.member: share.share for share in event.pantheon}
    gainer = max(event.gains, key=lambda gain: (held.get(gain.member, 0) > 0, gain.share, gain.member)).member
    yield Fact(("cult", event.race, gainer), partial(_cult, scene, gainer), event)


def _cult(scene: Setting, gainer: str, events: Sequence[CultGrew]) -> Sentence:
    """`Solenne's cult has turned most of Ash Cult; Orrovai keeps a third.`"""
    last = events[-1]
    held = {share.member: share.share / 100 for share in last.pantheon}
    who, name = people(scene, last.race), member(scene, gainer)
    cult = f"{capital(name)} has turned" if gainer in BELIEFS else f"{name}'s cult has turned"
    text = f"{cult} {part(held.get(gainer, 0))} of {who}"
    others = {other: percent for other, percent in held.items() if other != gainer and percent > 0}
    if others:
        rival = max(others, key=lambda other: (others[other], other))
        text += f"; {member(scene, rival)} keeps {part(others[rival])}"
    return Sentence(f"{text}.", shares(scene, who, last.pantheon))


def tell_turmoil(scene: Setting, event: TurmoilStarted | MemberExpelled | TurmoilEnded) -> Iterator[Fact]:
    yield Fact(("turmoil", event.race), partial(_turmoil, scene), event)


def _turmoil(scene: Setting, events: Sequence[TurmoilStarted | MemberExpelled | TurmoilEnded]) -> Sentence:
    who = people(scene, events[0].race)
    begun = [event for event in events if isinstance(event, TurmoilStarted)]
    thrown = [event for event in events if isinstance(event, MemberExpelled)]
    is_over = isinstance(events[-1], TurmoilEnded)
    out = names((member(scene, event.member) for event in thrown), "others")
    if begun:
        text = f"Turmoil divides the faith of {who}"
        text += f", and {out} {'are' if len(thrown) > 1 else 'is'} cast out" if thrown else ""
        text += "; it ends in peace" if is_over else "" if thrown else ", and nobody gives way"
    elif thrown:
        text = f"{who} cast out {out}"
    else:
        text = f"The turmoil among {who} ends in peace"
    causes = dict.fromkeys(cause_name(scene.state, event.cause) for event in begun)
    figures = [*causes, *(shares(scene, who, event.pantheon) for event in thrown[-1:])]
    return Sentence(f"{text}.", "; ".join(figures))


def tell_agreement(scene: Setting, event: PantheonChanged) -> Iterator[Fact]:
    if event.cause == "order":
        yield Fact("agreements", partial(_agreements, scene), event)


def _agreements(scene: Setting, events: Sequence[PantheonChanged]) -> Sentence:
    """One sentence a century; who leads whom stands beside it."""
    last = {event.race: event for event in events}
    leads = []
    for race, event in last.items():
        first = max(event.pantheon, key=lambda share: (share.share, share.member))
        leads.append(f"{member(scene, first.member)} {first.share / 100:.0f} % of {people(scene, race)}")
    gods = "The gods of" if len(last) > 1 else "The pantheon of"
    more = "settle anew whose worshippers are whose" if len(last) > 1 else "settles anew whose worshippers are whose"
    return Sentence(f"{gods} {peoples(scene, last)} {more}.", "; ".join(leads))


def tell_sacrifice(scene: Setting, event: UnitsDied) -> Iterator[Fact]:
    if event.box == "sacrifice" and event.units:
        yield plain(f"{people(scene, event.race)} sacrifice lives to their gods.", quantity(event.units, "unit"))


TELLERS: Mapping[type[Event], Teller] = {
    CultGrew: tell_cult,
    TurmoilStarted: tell_turmoil,
    MemberExpelled: tell_turmoil,
    TurmoilEnded: tell_turmoil,
    PantheonChanged: tell_agreement,
}
