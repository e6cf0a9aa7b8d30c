"""What the Die Tower refuses: for each place in a game, who sends what, and the code of section 9 of the rulebook.

Long for one reason: a case is a line, and each command of the game has some.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.utils import timezone

from games.dietower.rules.state.schema_types import Asked
from tests.api.dietower import NEVER, WHOLE, Evening, fighting, playing, setting_up, written
from tests.api.sending import Case
from tests.api.worlds import NOWHERE

TABLE = ("ann", "bob", "cat")
KNIFE_FOR_DEFENCE = {"weapon_defensive": True}


def alteration(table: str, row: UUID, **values: str) -> dict[str, Any]:
    """A row with other values, as JSON."""
    fields = [{"field": name, "value": value} for name, value in values.items()]
    return {"deed": "alter", "table": table, "row": str(row), "fields": fields}


def in_setup() -> tuple[Evening, list[Case]]:
    """Whole sheets; Odo and Gnaw unseen, and another game with people of its own."""
    here, there = written(now=timezone.now()), written(now=timezone.now())
    ann, bob, odo, gnaw = here.pc("ann"), here.pc("bob"), here.named("Odo"), here.named("Gnaw")
    foreign = there.pc("ann")
    numbers = {"seats": 6, "characters": 1, "idle_rounds": 2}
    named = {"name": "Brave ann", **WHOLE}
    cases: list[Case] = [
        ("host", "configure-game", numbers | {"seats": 1}, "config.range"),
        ("host", "configure-game", numbers | {"seats": 13}, "config.range"),
        ("gm", "configure-game", numbers | {"characters": 0}, "config.range"),
        ("gm", "configure-game", numbers | {"characters": 5}, "config.range"),
        ("gm", "configure-game", numbers | {"idle_rounds": 11}, "config.range"),
        ("ann", "configure-game", numbers, "issuer.other"),
        ("gm", "open-session", {"half_width": 4}, "config.range"),
        ("gm", "open-session", {"half_width": 9}, "config.range"),
        ("ann", "open-session", {}, "issuer.other"),
        ("gm", "close-session", {}, "phase.closed"),
        ("gm", "finish-game", {}, "phase.closed"),
        ("gm", "end-scene", {}, "phase.closed"),
        ("ann", "save-sheet", {"name": "Second"}, "characters.full"),
        ("ann", "save-sheet", {"actor": ann, "name": "brave BOB"}, "name.taken"),
        ("ann", "save-sheet", {"actor": bob, "name": "Third"}, "actor.not_yours"),
        ("ann", "save-sheet", {"actor": odo, "name": "Third"}, "actor.missing"),
        ("ann", "save-sheet", {"actor": foreign, "name": "Third"}, "actor.missing"),
        ("gm", "save-sheet", {"actor": odo, **named}, "target.invalid"),
        ("gm", "save-sheet", {"actor": ann, "name": "odo"}, "name.taken"),
        ("ann", "save-npc", {"name": "Third"}, "issuer.other"),
        ("gm", "save-npc", {"name": "gnaw"}, "name.taken"),
        ("gm", "save-npc", {"actor": gnaw, "name": "Third"}, "target.invalid"),
        ("gm", "save-npc", {"actor": foreign, "name": "Third"}, "actor.missing"),
        ("gm", "save-monster", {"name": "Third", "health": 0}, "health.range"),
        ("gm", "save-monster", {"name": "Third", "health": -1}, "health.range"),
        ("gm", "save-monster", {"name": "BRAVE ANN", "health": 1}, "name.taken"),
        ("gm", "save-monster", {"actor": odo, "name": "Third", "health": 1}, "target.invalid"),
        ("gm", "save-chart", {"field": "weapon", "lines": []}, "chart.empty"),
        ("gm", "save-chart", {"field": "shoes", "lines": ["a"]}, "chart.field"),
        ("gm", "save-chart", {"field": "good_at", "lines": ["a"]}, "chart.field"),
        ("gm", "save-chart", {"field": "name", "lines": ["a", "x" * 81]}, "chart.line"),
        ("gm", "save-chart", {"field": "name", "lines": [" "]}, "chart.line"),
        ("ann", "roll-chart", {"actor": ann, "field": "power"}, "chart.missing"),
        ("ann", "roll-chart", {"actor": bob, "field": "weapon"}, "actor.not_yours"),
        ("ann", "roll-chart", {"actor": odo, "field": "weapon"}, "actor.missing"),
        ("gm", "roll-chart", {"actor": odo, "field": "weapon"}, "target.invalid"),
        ("ann", "reveal", {"actor": ann, "field": "weapon"}, "target.invalid"),
        ("bob", "reveal", {"actor": bob, "field": "mystery"}, "target.invalid"),
        ("bob", "reveal", {"actor": ann, "field": "mystery"}, "actor.not_yours"),
        ("bob", "reveal", {"actor": gnaw, "field": "health"}, "actor.missing"),
        ("gm", "reveal", {"actor": odo, "field": "health"}, "target.invalid"),
        ("ann", "request-check", {"intent": "climb"}, "phase.closed"),
        ("ann", "ask-wish", {"kind": "element", "text": "luck"}, "phase.closed"),
        ("ann", "set-standing-answer", {"kind": "place", "answer": "close"}, "answer.invalid"),
        ("ann", "set-standing-answer", {"kind": "defend", "answer": "at_once"}, "answer.invalid"),
        ("gm", "set-standing-answer", {"kind": "window", "answer": "close"}, "answer.invalid"),
        ("host", "end-now", {}, "timer.missing"),
        ("gm", "extend", {"timer": "none", "seconds": 60}, "timer.missing"),
        ("gm", "amend", {"changes": [alteration("sheets", ann, wishes="9")], "reason": "a slip"}, "amend.invalid"),
        ("ann", "hand-over", {"seat": here.seats["bob"]}, "seat.other"),
        ("gm", "hand-over", {"seat": NOWHERE}, "seat.missing"),
    ]
    return here, cases


def without_characters() -> tuple[Evening, list[Case]]:
    """Nobody has a sheet."""
    here = setting_up(now=timezone.now())
    return here, [
        ("gm", "open-session", {}, "game.not_ready"),
        ("ann", "roll-chart", {"actor": NOWHERE, "field": "name"}, "actor.missing"),
    ]


def with_a_draft() -> tuple[Evening, list[Case]]:
    """Bob's sheet lacks almost everything."""
    here = setting_up(now=timezone.now())
    here.does("bob", "save-sheet", name="Bobolink", weapon="stick")
    return here, [("gm", "open-session", {"mode": "physical"}, "sheet.incomplete")]


def between_checks() -> tuple[Evening, list[Case]]:
    """Ann's check waits for the world master, Bob's dice for Wishes, Cat does nothing; Bob's Wish is pending."""
    here, there = playing(people=TABLE, now=timezone.now()), playing(now=timezone.now())
    here.rises("bob", 3, 3)
    here.rises("cat", 20)
    here.does("bob", "ask-wish", kind="element", text="a rope")
    here.does("ann", "request-check", intent="climb")
    here.checks(here.pc("bob"))
    there.checks(there.pc("bob"))
    ann, bob, cat, odo, gnaw = here.pc("ann"), here.pc("bob"), here.pc("cat"), here.named("Odo"), here.named("Gnaw")
    check, roll, foreign = here.question(Asked.CHECK_SET), here.open_roll("bob"), there.open_roll("bob")
    wish, thrown = here.question(Asked.WISH_STORY), next(c.id for c in here.state.checks.values() if c.actor == bob)
    ruling, asks = {"check": check, "cd": "easy", "good": True}, {"actor": cat, "intent": "climb"}
    written_down = {"kind": "loss", "text": "a lamp"}
    cases: list[Case] = [
        ("ann", "request-check", {"intent": "jump"}, "roll.open"),
        ("bob", "request-check", {"intent": "jump"}, "roll.open"),
        ("cat", "request-check", {"actor": odo, "intent": "jump"}, "actor.missing"),
        ("cat", "request-check", {"actor": there.pc("ann"), "intent": "jump"}, "actor.missing"),
        ("cat", "request-check", {"actor": ann, "intent": "jump"}, "actor.not_yours"),
        ("cat", "request-check", asks | {"ruling": {"cd": "easy", "good": True}}, "issuer.other"),
        ("gm", "request-check", {"intent": "jump"}, "actor.missing"),
        ("gm", "request-check", asks | {"ruling": {"cd": 0, "good": True}}, "cd.unknown"),
        ("gm", "request-check", asks | {"ruling": {"cd": 41, "good": True}}, "cd.unknown"),
        ("gm", "request-check", asks | {"ruling": {"cd": "epic ", "good": True}}, "cd.unknown"),
        ("gm", "set-check", ruling | {"cd": 0}, "cd.unknown"),
        ("gm", "set-check", ruling | {"cd": 41}, "cd.unknown"),
        ("gm", "set-check", ruling | {"cd": "epic "}, "cd.unknown"),
        ("gm", "set-check", ruling | {"hindrance": "drawback"}, "hindrance.missing"),
        ("gm", "set-check", ruling | {"check": thrown}, "prompt.closed"),
        ("gm", "set-check", ruling | {"check": NOWHERE}, "prompt.closed"),
        ("ann", "set-check", ruling, "issuer.other"),
        ("cat", "withdraw-check", {"check": check}, "prompt.not_yours"),
        ("gm", "withdraw-check", {"check": thrown}, "roll.closed"),
        ("gm", "withdraw-check", {"check": NOWHERE}, "prompt.closed"),
        ("ann", "buy-die", {"roll": roll}, "roll.not_yours"),
        ("gm", "buy-die", {"roll": roll}, "roll.not_yours"),
        ("bob", "buy-die", {"roll": roll, "count": 2}, "wishes.short"),
        ("bob", "buy-die", {"roll": foreign}, "roll.closed"),
        ("ann", "close-roll", {"roll": roll}, "roll.not_yours"),
        ("bob", "close-roll", {"roll": NOWHERE}, "roll.closed"),
        ("bob", "place-die", {"placement": NOWHERE}, "prompt.closed"),
        ("gm", "report-die", {"placement": NOWHERE, "stands": True}, "tower.simulated"),
        ("ann", "report-die", {"placement": NOWHERE, "stands": True}, "issuer.other"),
        ("bob", "ask-wish", {"kind": "element", "text": "more"}, "wish.pending"),
        ("ann", "ask-wish", {"kind": "element", "text": "luck"}, "wishes.short"),
        ("cat", "ask-wish", {"actor": ann, "kind": "element", "text": "luck"}, "actor.not_yours"),
        ("gm", "ask-wish", {"actor": odo, "kind": "element", "text": "luck"}, "target.invalid"),
        ("cat", "withdraw-wish", {"wish": wish}, "wish.closed"),
        ("cat", "withdraw-wish", {"wish": NOWHERE}, "wish.closed"),
        ("gm", "withdraw-wish", {"wish": wish}, "wish.closed"),
        ("cat", "decide-wish", {"wish": wish, "accept": True}, "issuer.other"),
        ("gm", "decide-wish", {"wish": NOWHERE, "accept": True}, "wish.closed"),
        ("gm", "award-wish", {"actor": odo, "reason": "story"}, "target.invalid"),
        ("gm", "award-wish", {"actor": ann, "reason": "placement"}, "reason.invalid"),
        ("gm", "raise-level", {"actor": gnaw, "reason": "age"}, "target.invalid"),
        ("gm", "raise-level", {"actor": cat, "reason": "age"}, "level.top"),
        ("gm", "set-state", {"actor": gnaw, "state": "fallen", "reason": "age"}, "target.invalid"),
        ("gm", "set-state", {"actor": odo, "state": "beaten", "reason": "age"}, "target.invalid"),
        ("cat", "set-state", {"actor": cat, "state": "fallen", "reason": "age"}, "issuer.other"),
        ("gm", "open-encounter", {"members": [gnaw]}, "prompt.open"),
        ("gm", "close-session", {}, "prompt.open"),
        ("gm", "open-session", {}, "phase.closed"),
        ("gm", "reset-tower", {"reason": "dull", "half_width": 4}, "config.range"),
        ("gm", "reset-tower", {"reason": "dull", "half_width": 9}, "config.range"),
        ("ann", "save-sheet", {"actor": ann, "name": "Later", **WHOLE}, "phase.closed"),
        ("gm", "save-sheet", {"actor": ann, "name": "Later"}, "sheet.incomplete"),
        ("gm", "write-consequence", {"consequence": NOWHERE, **written_down}, "consequence.missing"),
        ("gm", "amend-consequence", {"consequence": NOWHERE, **written_down, "reason": "slip"}, "consequence.missing"),
        ("cat", "choose-miracle", {"miracle": NOWHERE, "kind": "revive", "target": cat}, "prompt.closed"),
        ("gm", "configure-game", {"seats": 6, "characters": 1, "idle_rounds": 2}, "phase.closed"),
        ("gm", "close-encounter", {}, "encounter.missing"),
        ("gm", "join-encounter", {"actor": odo}, "encounter.missing"),
        ("gm", "leave-encounter", {"actor": odo}, "encounter.missing"),
        ("gm", "set-initiative", {"order": [odo], "reason": "luck"}, "encounter.missing"),
        ("gm", "set-band", {"a": ann, "b": gnaw, "band": "long"}, "encounter.missing"),
        ("cat", "move-actor", {"target": gnaw, "band": "long"}, "phase.closed"),
        ("cat", "declare-attack", {"target": gnaw, "uses": "none"}, "phase.closed"),
        ("cat", "choose-defence", {"attack": NOWHERE, "uses": "none"}, "phase.closed"),
        ("cat", "hold-action", {"action": "move", "trigger": "now"}, "phase.closed"),
        ("cat", "release-hold", {"hold": NOWHERE, "target": gnaw}, "phase.closed"),
        ("cat", "keep-hold", {"hold": NOWHERE}, "phase.closed"),
        ("gm", "trigger-hold", {"hold": NOWHERE}, "phase.closed"),
        ("gm", "set-attack", {"attack": NOWHERE}, "phase.closed"),
        ("cat", "end-turn", {}, "phase.closed"),
    ]
    return here, cases


def before_a_fight() -> tuple[Evening, list[Case]]:
    """Nothing is open; Odo has fallen, Maw is beaten."""
    here = playing(now=timezone.now())
    here.does("gm", "save-monster", name="Maw", health=1)
    maw = here.named("Maw")
    beaten = [alteration("vitalities", maw, health="0"), alteration("actors", maw, condition='"beaten"')]
    here.does("gm", "amend", changes=beaten, reason="it was slain")
    here.does("gm", "set-state", actor=here.named("Odo"), state="fallen", reason="a fever")
    ann, bob, odo, gnaw = here.pc("ann"), here.pc("bob"), here.named("Odo"), here.named("Gnaw")
    opens = {"members": [gnaw]}
    cases: list[Case] = [
        ("gm", "open-encounter", {"members": []}, "members.few"),
        ("gm", "open-encounter", {"members": [ann]}, "members.few"),
        ("gm", "open-encounter", {"members": [gnaw, gnaw]}, "target.invalid"),
        ("gm", "open-encounter", {"members": [gnaw, odo]}, "target.invalid"),
        ("gm", "open-encounter", {"members": [maw]}, "target.invalid"),
        ("gm", "open-encounter", {"members": [gnaw, NOWHERE]}, "actor.missing"),
        ("gm", "open-encounter", opens | {"first": odo}, "target.invalid"),
        ("gm", "open-encounter", opens | {"bands": [{"a": ann, "b": bob, "band": "long"}]}, "band.invalid"),
        ("gm", "open-encounter", opens | {"bands": [{"a": ann, "b": odo, "band": "long"}]}, "band.invalid"),
        ("ann", "open-encounter", opens, "issuer.other"),
        ("gm", "request-check", {"actor": odo, "intent": "rise"}, "actor.fallen"),
        ("gm", "request-check", {"actor": maw, "intent": "rise"}, "actor.beaten"),
    ]
    return here, cases


def in_a_turn() -> tuple[Evening, list[Case]]:
    """Ann's turn, in which the movement is held; Cat's knife defends alone; Maw is beaten, Odo unseen."""
    here = playing(people=TABLE, now=timezone.now())
    cat_sheet = {"actor": here.pc("cat"), "name": "Brave cat", **WHOLE, **KNIFE_FOR_DEFENCE}
    here.does("gm", "save-sheet", **cat_sheet)
    gnaw, ann, bob, cat, odo = here.named("Gnaw"), here.pc("ann"), here.pc("bob"), here.pc("cat"), here.named("Odo")
    here.does("gm", "open-encounter", members=[gnaw], first=cat)
    here.does("cat", "hold-action", action="move", trigger="when it sleeps")
    hold = next(iter(here.state.holds))
    order = [cat, ann, bob]
    cases: list[Case] = [
        ("bob", "move-actor", {"target": gnaw, "band": "long"}, "turn.not_yours"),
        ("cat", "move-actor", {"target": gnaw, "band": "long"}, "action.used"),
        ("gm", "move-actor", {"actor": cat, "target": gnaw, "band": "long"}, "actor.not_yours"),
        ("bob", "declare-attack", {"target": gnaw, "uses": "none"}, "turn.not_yours"),
        ("cat", "declare-attack", {"target": gnaw, "uses": "weapon"}, "uses.invalid"),
        ("cat", "declare-attack", {"target": cat, "uses": "none"}, "target.invalid"),
        ("cat", "declare-attack", {"target": odo, "uses": "none"}, "target.invalid"),
        ("cat", "declare-attack", {"target": NOWHERE, "uses": "none"}, "target.invalid"),
        ("cat", "choose-defence", {"attack": NOWHERE, "uses": "none"}, "prompt.closed"),
        ("gm", "set-attack", {"attack": NOWHERE}, "prompt.closed"),
        ("bob", "hold-action", {"action": "attack", "trigger": "now"}, "turn.not_yours"),
        ("cat", "hold-action", {"action": "move", "trigger": "now"}, "action.used"),
        ("cat", "release-hold", {"hold": hold, "target": gnaw, "band": "long"}, "hold.untriggered"),
        ("bob", "release-hold", {"hold": hold, "target": gnaw, "band": "long"}, "hold.missing"),
        ("cat", "release-hold", {"hold": NOWHERE, "target": gnaw}, "hold.missing"),
        ("cat", "keep-hold", {"hold": hold}, "prompt.closed"),
        ("bob", "keep-hold", {"hold": hold}, "hold.missing"),
        ("gm", "trigger-hold", {"hold": NOWHERE}, "hold.missing"),
        ("cat", "trigger-hold", {"hold": hold}, "issuer.other"),
        ("bob", "end-turn", {}, "turn.not_yours"),
        ("bob", "request-check", {"intent": "look"}, "turn.not_yours"),
        ("gm", "set-initiative", {"order": order, "reason": "luck"}, "target.invalid"),
        ("gm", "set-initiative", {"order": [*order, gnaw, gnaw], "reason": "luck"}, "target.invalid"),
        ("gm", "set-initiative", {"order": [*order, gnaw, odo], "reason": "luck"}, "target.invalid"),
        ("gm", "set-band", {"a": ann, "b": bob, "band": "long"}, "band.invalid"),
        ("gm", "set-band", {"a": ann, "b": odo, "band": "long"}, "band.invalid"),
        ("gm", "set-band", {"a": ann, "b": NOWHERE, "band": "long"}, "actor.missing"),
        ("gm", "join-encounter", {"actor": gnaw}, "target.invalid"),
        ("gm", "join-encounter", {"actor": odo, "after": odo}, "target.invalid"),
        ("gm", "leave-encounter", {"actor": odo}, "target.invalid"),
        ("gm", "leave-encounter", {"actor": NOWHERE}, "actor.missing"),
        ("gm", "open-encounter", {"members": [odo]}, "encounter.open"),
        ("gm", "close-session", {}, "encounter.open"),
        ("gm", "end-scene", {}, "encounter.open"),
        ("gm", "reset-tower", {"reason": "dull"}, "phase.closed"),
    ]
    return here, cases


def in_a_free_turn() -> tuple[Evening, list[Case]]:
    """Ann's turn, in which a hold of Bob's was triggered and kept; Gnaw stands at medium range."""
    here = fighting(now=timezone.now())
    ann, bob, gnaw = here.pc("ann"), here.pc("bob"), here.named("Gnaw")
    here.does("gm", "set-initiative", order=[bob, ann, gnaw], reason="luck")
    here.does("ann", "end-turn")
    here.does("gm", "end-turn")
    here.does("bob", "hold-action", action="move", trigger="when it sleeps")
    hold = next(iter(here.state.holds))
    here.does("bob", "end-turn")
    here.does("gm", "trigger-hold", hold=hold)
    here.does("bob", "keep-hold", hold=hold)
    cases: list[Case] = [
        ("ann", "move-actor", {"target": gnaw, "band": "medium"}, "band.same"),
        ("ann", "move-actor", {"target": gnaw, "band": "distant"}, "band.limit"),
        ("ann", "move-actor", {"target": bob, "band": "short"}, "target.invalid"),
        ("ann", "move-actor", {"target": here.named("Odo"), "band": "short"}, "actor.missing"),
        ("bob", "release-hold", {"hold": hold, "target": gnaw}, "band.missing"),
        ("bob", "release-hold", {"hold": hold, "target": gnaw, "band": "distant"}, "band.limit"),
        ("gm", "trigger-hold", {"hold": hold}, "hold.triggered"),
    ]
    return here, cases


def in_an_attack() -> tuple[Evening, list[Case]]:
    """Ann's attack on Gnaw waits for the world master."""
    here = fighting(now=timezone.now())
    gnaw, odo = here.named("Gnaw"), here.named("Odo")
    here.does("ann", "declare-attack", target=gnaw, uses="weapon")
    attack = here.question(Asked.ATTACK_SET)
    amended = {"consequence": NOWHERE, "kind": "loss", "text": "a lamp", "reason": "a slip"}
    cases: list[Case] = [
        ("gm", "set-attack", {"attack": attack, "defence": "weapon"}, "uses.invalid"),
        ("gm", "set-attack", {"attack": attack, "defence": "power"}, "uses.invalid"),
        ("gm", "set-attack", {"attack": attack, "attacker": {"hindrance": "deviation"}}, "hindrance.missing"),
        (
            "gm",
            "set-attack",
            {"attack": attack, "defender": {"hindrance": "drawback", "hindrance_as": "dis"}},
            "hindrance.missing",
        ),
        ("ann", "set-attack", {"attack": attack}, "issuer.other"),
        ("ann", "end-turn", {}, "prompt.open"),
        ("ann", "move-actor", {"target": gnaw, "band": "short"}, "prompt.open"),
        ("ann", "hold-action", {"action": "move", "trigger": "now"}, "prompt.open"),
        ("ann", "declare-attack", {"target": gnaw, "uses": "none"}, "prompt.open"),
        ("gm", "leave-encounter", {"actor": gnaw}, "prompt.open"),
        ("gm", "join-encounter", {"actor": odo}, "prompt.open"),
        ("gm", "set-initiative", {"order": [gnaw], "reason": "luck"}, "prompt.open"),
        ("gm", "set-band", {"a": here.pc("ann"), "b": gnaw, "band": "long"}, "prompt.open"),
        ("gm", "raise-level", {"actor": here.pc("bob"), "reason": "age"}, "prompt.open"),
        ("bob", "ask-wish", {"kind": "element", "text": "luck"}, "prompt.open"),
        ("gm", "amend-consequence", amended, "prompt.open"),
        ("gm", "set-state", {"actor": odo, "state": "fallen", "reason": "age"}, "prompt.open"),
    ]
    return here, cases


def under_attack(*, defended: bool) -> tuple[Evening, list[Case]]:
    """Gnaw attacks Ann, who has chosen a defence or has not."""
    here = playing(now=timezone.now())
    gnaw = here.named("Gnaw")
    here.does("gm", "open-encounter", members=[gnaw], first=gnaw)
    here.does("gm", "declare-attack", actor=gnaw, target=here.pc("ann"), uses="weapon")
    attack = here.question(Asked.ATTACK_DEFEND)
    if not defended:
        return here, [
            ("bob", "choose-defence", {"attack": attack, "uses": "none"}, "prompt.not_yours"),
            ("ann", "choose-defence", {"attack": attack, "uses": "weapon"}, "uses.invalid"),
            ("gm", "set-attack", {"attack": attack}, "prompt.closed"),
        ]
    here.does("ann", "choose-defence", attack=attack, uses="power")
    return here, [
        ("ann", "choose-defence", {"attack": attack, "uses": "none"}, "prompt.closed"),
        ("gm", "set-attack", {"attack": attack, "weakness": True}, "target.invalid"),
        ("gm", "set-attack", {"attack": attack, "defence": "none"}, "uses.invalid"),
    ]


def in_the_queue() -> tuple[Evening, list[Case]]:
    """Ann's dice are due before Bob's."""
    here = playing(now=timezone.now())
    for name in ("ann", "bob"):
        here.checks(here.pc(name), NEVER)
        here.does(name, "close-roll", roll=here.open_roll(name))
    anns, bobs = (_first_die(here, name) for name in ("ann", "bob"))
    return here, [
        ("bob", "place-die", {"placement": bobs}, "placement.waiting"),
        ("bob", "place-die", {"placement": anns}, "placement.not_yours"),
        ("gm", "place-die", {"placement": anns}, "placement.not_yours"),
        ("gm", "reset-tower", {"reason": "dull"}, "prompt.open"),
        ("gm", "close-session", {}, "prompt.open"),
        ("gm", "open-encounter", {"members": [here.named("Gnaw")]}, "prompt.open"),
    ]


def _first_die(here: Evening, name: str) -> UUID:
    own = here.pc(name)
    return next(UUID(str(p.id)) for p in here.state.due_placements() if p.actor == own)


def after_the_fall(*, is_written: bool) -> tuple[Evening, list[Case]]:
    """A real tower has fallen by Odo's die; what it cost is written or not."""
    here = playing({"mode": "physical"}, now=timezone.now())
    here.reports(False)
    ann, odo, gnaw, thing = here.pc("ann"), here.named("Odo"), here.named("Gnaw"), here.question(Asked.TERRIBLE)
    body: dict[str, Any] = {"consequence": thing, "kind": "loss", "text": "a lamp"}
    twice = {"targets": [{"actor": ann, "fallen": False}, {"actor": ann, "fallen": True}]}
    beast = {"targets": [{"actor": gnaw, "fallen": False}]}
    if is_written:
        here.does("gm", "write-consequence", **body)
        amends = body | {"reason": "a slip"}
        return here, [
            ("gm", "write-consequence", body, "prompt.closed"),
            ("gm", "amend-consequence", amends | twice, "target.invalid"),
            ("gm", "amend-consequence", amends | beast, "target.invalid"),
            ("gm", "report-die", {"placement": NOWHERE, "stands": True}, "prompt.closed"),
        ]
    nobody = {"targets": [{"actor": NOWHERE, "fallen": False}]}
    return here, [
        ("gm", "write-consequence", body | twice, "target.invalid"),
        ("gm", "write-consequence", body | beast, "target.invalid"),
        ("gm", "write-consequence", body | nobody, "actor.missing"),
        ("ann", "write-consequence", body, "issuer.other"),
        ("gm", "amend-consequence", body | {"reason": "a slip"}, "consequence.missing"),
        ("ann", "request-check", {"intent": "run"}, "prompt.open"),
        ("ann", "place-die", {"placement": NOWHERE}, "tower.physical"),
        ("gm", "set-state", {"actor": odo, "state": "fallen", "reason": "age"}, "prompt.open"),
        ("gm", "reset-tower", {"reason": "dull"}, "prompt.open"),
    ]


def at_a_miracle() -> tuple[Evening, list[Case]]:
    """Ann's die was the thirteenth; Odo has fallen, and nobody has seen Gnaw."""
    here = playing({"mode": "physical"}, now=timezone.now())
    ann, odo, gnaw = here.pc("ann"), here.named("Odo"), here.named("Gnaw")
    here.does("gm", "set-state", actor=odo, state="fallen", reason="a fever")
    for _ in range(13):
        if not here.due():
            here.checks(ann, NEVER)
            here.does("ann", "close-roll", roll=here.open_roll("ann"))
        here.does("gm", "report-die", placement=here.due()[0], stands=True)
    miracle = {"miracle": here.question(Asked.MIRACLE)}
    return here, [
        ("ann", "choose-miracle", miracle | {"kind": "revive", "target": ann}, "actor.active"),
        ("ann", "choose-miracle", miracle | {"kind": "extra_die", "target": odo}, "actor.fallen"),
        ("ann", "choose-miracle", miracle | {"kind": "extra_die", "target": gnaw}, "actor.missing"),
        ("ann", "choose-miracle", miracle | {"kind": "extra_die", "target": NOWHERE}, "actor.missing"),
        ("bob", "choose-miracle", miracle | {"kind": "revive", "target": odo}, "miracle.not_yours"),
        ("gm", "choose-miracle", miracle | {"kind": "revive", "target": odo}, "miracle.not_yours"),
        ("gm", "request-check", {"actor": ann, "intent": "run"}, "prompt.open"),
    ]


def between_sessions() -> tuple[Evening, list[Case]]:
    """The first session is over."""
    here = playing(now=timezone.now())
    here.does("gm", "close-session")
    ann = here.pc("ann")
    return here, [
        ("ann", "save-sheet", {"actor": ann, "name": "Later", **WHOLE}, "phase.closed"),
        ("gm", "save-sheet", {"actor": ann, "name": "Later"}, "sheet.incomplete"),
        ("ann", "request-check", {"intent": "climb"}, "phase.closed"),
        ("gm", "close-session", {}, "phase.closed"),
        ("ann", "finish-game", {}, "issuer.other"),
        ("gm", "open-session", {"half_width": 0}, "config.range"),
        ("gm", "award-wish", {"actor": ann, "reason": "story"}, "phase.closed"),
    ]


def after_the_game() -> tuple[Evening, list[Case]]:
    """The game is over."""
    here = playing(now=timezone.now())
    here.does("gm", "close-session")
    here.does("gm", "finish-game", text="They sleep.")
    return here, [
        ("ann", "leave-seat", {}, "phase.closed"),
        ("ann", "set-standing-answer", {"kind": "place", "answer": "ask"}, "phase.closed"),
        ("gm", "open-session", {}, "phase.closed"),
        ("gm", "save-npc", {"name": "Ida"}, "phase.closed"),
    ]


PLACES: dict[str, Callable[[], tuple[Evening, list[Case]]]] = {
    "setup": in_setup,
    "nobody": without_characters,
    "draft": with_a_draft,
    "checks": between_checks,
    "calm": before_a_fight,
    "turn": in_a_turn,
    "free turn": in_a_free_turn,
    "attack": in_an_attack,
    "undefended": lambda: under_attack(defended=False),
    "defended": lambda: under_attack(defended=True),
    "queue": in_the_queue,
    "fall": lambda: after_the_fall(is_written=False),
    "written": lambda: after_the_fall(is_written=True),
    "miracle": at_a_miracle,
    "closed": between_sessions,
    "finished": after_the_game,
}
