"""What Forgeborn refuses: for each place in a game, who sends what, and the code of section 12 of the rulebook.

Long for one reason: a case is a line, and each command of the game has some.
"""

from collections.abc import Callable

from django.utils import timezone

from api.representations.issuing.examples import example_of
from games.engine.lifecycle.gm_commands import Start
from tests.api.sending import Case
from tests.api.worlds import NOWHERE
from tests.games.forgeborn import Smithy, amend, begin, defining, forge, gathered, reach

DROP_A: tuple[dict[str, int], ...] = tuple((example_of("forgeborn", "enter-map") or {})["entries"])
THREE = {"free": [12, 12, 12]}
ALONE = {"referee": "none"}
LED = {"referee": "person"}
FORM, FUNCTION = {"kind": "clothing", "die": 4}, {"kind": "fortune", "die": 8}


def in_lobby() -> tuple[Smithy, list[Case]]:
    """Before the start."""
    here = gathered(LED, now=timezone.now())
    return here, [
        ("gm", "configure-game", {"width": 99}, "config.range"),
        ("gm", "configure-game", {"height": 2001}, "config.range"),
        ("host", "configure-game", {"round_limit": 1001}, "config.range"),
        ("host", "configure-game", {"turn_seconds": 0}, "config.range"),
        ("host", "configure-game", {"referee": "none", "drop": "table"}, "config.range"),
        ("host", "configure-game", {"first_seat": NOWHERE}, "seat.missing"),
        ("ann", "configure-game", {"width": 300}, "issuer.other"),
        ("host", "drop-dice", {}, "phase.closed"),
        ("host", "accept-map", {}, "phase.closed"),
        ("ann", "define-smith", {"name": "Ann", "dice": [12]}, "phase.closed"),
        ("ann", "end-turn", {}, "phase.closed"),
        ("gm", "call-time", {"reason": "late"}, "phase.closed"),
    ]


def with_a_map() -> tuple[Smithy, list[Case]]:
    """The dice have fallen; the map is not accepted."""
    here = gathered(LED, now=timezone.now())
    here.run(Start())
    move = {"die": "d8a", "x": 5, "y": 5}
    citadel, lair, city = here.place("citadel"), here.place("lair"), here.place("city")
    loop = {"from": citadel, "to": citadel, "kind": "road"}
    return here, [
        ("gm", "drop-dice", {}, "map.dropped"),
        ("gm", "enter-map", {"entries": list(DROP_A)}, "map.dropped"),
        ("gm", "edit-map", {"moves": [move], "reason": " "}, "reason.missing"),
        ("gm", "edit-map", {"moves": [move | {"x": 2001}], "reason": "r"}, "point.off_sheet"),
        ("gm", "edit-map", {"remove": [{"from": lair, "to": NOWHERE}], "reason": "r"}, "place.missing"),
        ("gm", "edit-map", {"remove": [{"from": citadel, "to": citadel}], "reason": "r"}, "route.missing"),
        ("gm", "edit-map", {"add": [loop], "reason": "r"}, "route.missing"),
        ("ann", "edit-map", {"moves": [move], "reason": "r"}, "issuer.other"),
        ("ann", "accept-map", {}, "issuer.other"),
        ("ann", "name-place", {"place": city, "name": "Nine"}, "issuer.other"),
        ("gm", "name-place", {"place": NOWHERE, "name": "Nine"}, "place.missing"),
        ("gm", "name-place", {"place": city, "name": "village 1"}, "name.taken"),
    ]


def with_an_empty_table() -> tuple[Smithy, list[Case]]:
    """The dice of a real table are waited for."""
    here = gathered(LED | {"drop": "table"}, now=timezone.now())
    here.run(Start())
    drop = list(DROP_A)
    return here, [
        ("gm", "accept-map", {}, "map.incomplete"),
        ("gm", "edit-map", {"moves": [{"die": "d8a", "x": 5, "y": 5}], "reason": "r"}, "map.incomplete"),
        ("gm", "enter-map", {"entries": [*drop[:14], drop[0]]}, "map.incomplete"),
        ("gm", "enter-map", {"entries": [{**drop[0], "face": 13}, *drop[1:]]}, "die.range"),
        ("gm", "enter-map", {"entries": [{**drop[0], "face": 0}, *drop[1:]]}, "die.range"),
        ("gm", "enter-map", {"entries": [{**drop[0], "sides": 5}, *drop[1:]]}, "map.incomplete"),
        ("gm", "enter-map", {"entries": [{**drop[0], "x": 300}, *drop[1:]]}, "point.off_sheet"),
        ("gm", "enter-map", {"entries": [{**drop[0], "x": -1}, *drop[1:]]}, "point.off_sheet"),
    ]


def before_the_first_turn() -> tuple[Smithy, list[Case]]:
    """Smiths are defined; Ann's is."""
    here = defining(LED, now=timezone.now())
    here.does("ann", "define-smith", name="Brave ann", dice=[12, 12, 12])
    return here, [
        ("bob", "define-smith", {"name": "brave ANN", "dice": [12]}, "name.taken"),
        ("bob", "define-smith", {"name": "Bob", "dice": []}, "dice.none"),
        ("bob", "define-smith", {"name": "Bob", "dice": [12, 12, 12, 12, 12, 12, 4]}, "dice.faces"),
        ("bob", "journey", {"to": here.place("citadel")}, "phase.closed"),
        ("gm", "draw-line", {"list": "threats", "line": 37}, "line.range"),
        ("bob", "draw-line", {"list": "threats", "line": 3}, "list.gm_only"),
        ("gm", "write-note", {"place": NOWHERE, "text": "x"}, "place.missing"),
        ("bob", "write-note", {"text": "x"}, "issuer.other"),
        ("bob", "tell-scene", {"text": "x"}, "issuer.other"),
        ("bob", "set-standing-answer", {"kind": "help", "answer": "d4"}, "answer.invalid"),
    ]


def in_a_turn() -> tuple[Smithy, list[Case]]:
    """Ann's turn at the Citadel; nobody referees, and another game has things of its own."""
    here, there = begin(ALONE, now=timezone.now()), begin(ALONE, now=timezone.now())
    forge(there, "ann", others=("bob",))
    ember, village = there.thing("Ember"), here.place("village", 1)
    begun = {"name": "Ash", "form": FORM, "function": FUNCTION}
    return here, [
        ("bob", "end-turn", {}, "turn.not_yours"),
        ("bob", "journey", {"to": village}, "turn.not_yours"),
        ("host", "end-turn", {}, "seat.missing"),
        ("ann", "use-character", {"character": here.of("bob")}, "character.foreign"),
        ("ann", "use-character", {"character": there.of("ann")}, "character.missing"),
        ("ann", "journey", {"to": NOWHERE}, "place.missing"),
        ("ann", "journey", {"to": here.place("citadel")}, "route.missing"),
        ("ann", "give-artifact", {"artifact": ember, "heroine": here.of("ann")}, "artifact.missing"),
        ("ann", "take-back-artifact", {"artifact": ember}, "artifact.missing"),
        ("ann", "begin-artifact", begun | {"form": FORM | {"die": 12}}, "kind.mismatch"),
        ("ann", "begin-artifact", begun | {"form": FORM | {"die": None}}, "token.short"),
        ("ann", "offer-help", THREE, "prompt.closed"),
        ("ann", "decline-help", {}, "prompt.closed"),
        ("ann", "forge-artifact", THREE, "prompt.closed"),
        ("ann", "recruit-heroine", {"name": "Ada"}, "place.wrong"),
        ("ann", "spend-roll", {"dice": [4]}, "prompt.closed"),
        ("ann", "request-artifact", {"artifact": ember}, "artifact.missing"),
        ("bob", "cast-ballot", {"yes": True}, "prompt.closed"),
        ("ann", "contest-artifact", {}, "prompt.closed"),
        ("ann", "let-artifact-be", {}, "prompt.closed"),
        ("ann", "take-test", {"artifact": ember}, "character.heroine_only"),
        ("ann", "face-dragon", {"pool": THREE}, "place.wrong"),
        ("ann", "explore-ruins", {}, "place.wrong"),
        ("ann", "assist-village", {}, "place.wrong"),
        ("ann", "beseech-prince", {}, "place.wrong"),
        ("ann", "choose-pool", {"pool": THREE}, "prompt.closed"),
        ("ann", "step-back", {}, "prompt.closed"),
        ("ann", "commune", {"dice": [4]}, "place.wrong"),
        ("ann", "give-up-die", {"die": 4}, "prompt.closed"),
        ("ann", "take-boon", {"kind": "secret"}, "place.wrong"),
        ("ann", "choose-gain", {}, "prompt.closed"),
        ("host", "describe-danger", {"text": "x"}, "issuer.other"),
        ("host", "rule-artifacts", {"refused": []}, "issuer.other"),
        ("host", "place-ruins", {"face": 3, "x": 1, "y": 1}, "issuer.other"),
        ("host", "call-time", {"reason": " "}, "reason.missing"),
        ("stranger", "leave-seat", {}, "seat.missing"),
    ]


def at_the_lair() -> tuple[Smithy, list[Case]]:
    """Ann stands at the Lair with 3d12, 3d8 and 3d4, and holds nothing."""
    here = begin(LED, now=timezone.now())
    reach(here, "ann", "lair")
    thing = {"artifact": NOWHERE, "how": "it shines"}
    return here, [
        ("ann", "face-dragon", {"pool": {"free": [10]}}, "die.missing"),
        ("ann", "face-dragon", {"pool": {"free": [12, 12, 12, 8]}}, "pool.size"),
        ("ann", "face-dragon", {"pool": {"free": [12, 12], "sacrifice": [8]}}, "pool.size"),
        ("ann", "face-dragon", {"pool": {"free": []}}, "dice.none"),
        ("ann", "face-dragon", {"pool": THREE | {"artifacts": [thing]}}, "artifact.missing"),
        ("ann", "face-dragon", {"pool": THREE, "gain": {"raise": 10}}, "die.missing"),
        ("ann", "face-dragon", {"pool": THREE, "gain": {"raise": 12}}, "die.largest"),
        ("gm", "face-dragon", {}, "issuer.other"),
        ("gm", "describe-danger", {"text": "x"}, "prompt.closed"),
        ("gm", "rule-artifacts", {"refused": []}, "prompt.closed"),
        ("gm", "place-ruins", {"face": 3, "x": 1, "y": 1}, "prompt.closed"),
    ]


def in_a_conflict() -> tuple[Smithy, list[Case]]:
    """Ann has faced the Dragon; the game-master is asked what threatens."""
    here = begin(LED, now=timezone.now())
    reach(here, "ann", "lair")
    here.does("ann", "face-dragon", pool=THREE)
    return here, [
        ("ann", "end-turn", {}, "prompt.open"),
        ("ann", "choose-pool", {"pool": THREE}, "prompt.closed"),
        ("ann", "step-back", {}, "prompt.closed"),
        ("ann", "describe-danger", {"text": "x"}, "issuer.other"),
        ("ann", "journey", {"to": here.place("citadel")}, "prompt.open"),
        ("gm", "rule-artifacts", {"refused": []}, "prompt.closed"),
    ]


def after_stepping_back() -> tuple[Smithy, list[Case]]:
    """Ann has stepped back from the Dragon: the turn is Bob's."""
    here = begin(LED, now=timezone.now())
    reach(here, "ann", "lair")
    here.does("ann", "face-dragon")
    here.does("gm", "describe-danger", text="It is awake.")
    here.does("ann", "step-back")
    return here, [
        ("ann", "choose-pool", {"pool": THREE}, "prompt.closed"),
        ("ann", "step-back", {}, "prompt.closed"),
    ]


def in_a_creation() -> tuple[Smithy, list[Case]]:
    """Ann has begun an artifact at the Citadel: Bob, who stands there, is asked for help."""
    here = begin(ALONE, now=timezone.now())
    here.does("ann", "begin-artifact", name="Ash", form=FORM, function=FUNCTION)
    return here, [
        ("ann", "offer-help", THREE, "prompt.not_yours"),
        ("bob", "offer-help", {"free": [10]}, "die.missing"),
        ("bob", "offer-help", {"free": []}, "dice.none"),
        ("bob", "offer-help", {"free": [12], "sacrifice": [8]}, "pool.size"),
        ("ann", "forge-artifact", THREE, "prompt.closed"),
    ]


def at_the_anvil() -> tuple[Smithy, list[Case]]:
    """Nobody helps; Ann chooses dice."""
    here = begin(ALONE, now=timezone.now())
    here.does("ann", "begin-artifact", name="Ash", form=FORM, function=FUNCTION)
    here.does("bob", "decline-help")
    return here, [
        ("ann", "forge-artifact", THREE | {"helpers": [here.seats["bob"]]}, "help.missing"),
        ("ann", "forge-artifact", {"free": []}, "dice.none"),
        ("ann", "forge-artifact", {"free": [10]}, "die.missing"),
        ("ann", "forge-artifact", {"free": [12, 12], "sacrifice": [8]}, "pool.size"),
        ("bob", "forge-artifact", THREE, "prompt.not_yours"),
    ]


def with_points() -> tuple[Smithy, list[Case]]:
    """Ann's creation has points to spend."""
    here = begin(ALONE, now=timezone.now())
    here.does("ann", "begin-artifact", name="Ash", form=FORM, function=FUNCTION)
    here.does("bob", "decline-help")
    here.does("ann", "forge-artifact", free=[12, 12, 12], sacrifice=[8, 8])
    return here, [
        ("ann", "spend-roll", {"dice": []}, "purchase.empty"),
        ("ann", "spend-roll", {"dice": [12] * 6}, "points.short"),
        ("bob", "spend-roll", {"dice": [4]}, "prompt.not_yours"),
    ]


def in_a_vote() -> tuple[Smithy, list[Case]]:
    """Ann has asked for Ember; Bob and Cat vote, and Bob has."""
    here = begin(ALONE, people=("ann", "bob", "cat"), now=timezone.now())
    forge(here, "ann", others=("bob", "cat"))
    here.does("bob", "end-turn")
    here.does("cat", "end-turn")
    here.does("ann", "request-artifact", artifact=here.thing("Ember"))
    here.does("bob", "cast-ballot", yes=True)
    return here, [
        ("ann", "cast-ballot", {"yes": True}, "prompt.not_yours"),
        ("ann", "request-artifact", {"artifact": here.thing("Ember")}, "prompt.open"),
        ("ann", "give-artifact", {"artifact": here.thing("Ember"), "heroine": here.of("bob")}, "prompt.open"),
    ]


def after_a_vote() -> tuple[Smithy, list[Case]]:
    """Ember lies in the Vault, denied to Ann."""
    here = begin(ALONE, now=timezone.now())
    forge(here, "ann", others=("bob",))
    here.does("bob", "end-turn")
    here.does("ann", "request-artifact", artifact=here.thing("Ember"))
    here.does("bob", "cast-ballot", yes=False)
    ember = {"artifact": here.thing("Ember"), "how": "x"}
    return here, [
        ("bob", "cast-ballot", {"yes": True}, "prompt.closed"),
        ("bob", "let-artifact-be", {}, "prompt.not_yours"),
        ("ann", "contest-artifact", {"pool": THREE | {"artifacts": [ember]}}, "artifact.not_held"),
    ]


def holding() -> tuple[Smithy, list[Case]]:
    """Ann holds Ember, and stands at the Citadel with Bob; neither has a Heroine."""
    here = begin(ALONE, now=timezone.now())
    forge(here, "ann", others=("bob",))
    here.does("bob", "end-turn")
    ember = here.thing("Ember")
    here.does("ann", "request-artifact", artifact=ember)
    here.does("bob", "cast-ballot", yes=True)
    return here, [
        ("bob", "give-artifact", {"artifact": ember, "heroine": here.of("ann")}, "character.heroine_only"),
        ("bob", "take-back-artifact", {"artifact": ember}, "artifact.not_held"),
        ("bob", "request-artifact", {"artifact": ember}, "artifact.not_in_vault"),
        ("bob", "begin-artifact", {"name": "Ember", "form": FORM, "function": FUNCTION}, "name.taken"),
    ]


def in_the_forest() -> tuple[Smithy, list[Case]]:
    """Ann stands in the Forest."""
    here = begin(ALONE, now=timezone.now())
    reach(here, "ann", "forest")
    return here, [
        ("ann", "commune", {"dice": []}, "dice.range"),
        ("ann", "commune", {"dice": [4] * 21}, "dice.range"),
        ("ann", "begin-artifact", {"name": "Ash", "form": FORM, "function": FUNCTION}, "place.wrong"),
        ("ann", "give-up-die", {"die": 12}, "prompt.closed"),
    ]


def in_the_city() -> tuple[Smithy, list[Case]]:
    """Ann stands in the City; the Prince is not swayed."""
    here = begin(ALONE, now=timezone.now())
    reach(here, "ann", "city")
    return here, [
        ("ann", "take-boon", {"kind": "secret"}, "prince.unswayed"),
        ("ann", "beseech-prince", {"pool": {"free": [6]}}, "die.missing"),
    ]


def with_a_heroine() -> tuple[Smithy, list[Case]]:
    """Ann's turn; she holds Ember at the Citadel, her Heroine Ada is in the City, Bob in Village 1."""
    here = begin(ALONE, now=timezone.now())
    forge(here, "ann", others=("bob",))
    here.does("bob", "end-turn")
    ember = here.thing("Ember")
    here.does("ann", "request-artifact", artifact=ember)
    here.does("bob", "cast-ballot", yes=True)
    here.does("bob", "end-turn")
    reach(here, "ann", "city")
    here.does("ann", "recruit-heroine", name="Ada", pool=THREE)
    here.does("ann", "spend-roll", dice=[4])
    here.does("bob", "end-turn")
    reach(here, "ann", "citadel")
    amend(here, "characters", str(here.of("ann")), d4="3", d8="3", d12="3")
    ada, helping = here.of("Ada"), {"artifact": ember, "how": "it shines"}
    return here, [
        ("ann", "give-artifact", {"artifact": ember, "heroine": ada}, "character.elsewhere"),
        ("ann", "give-artifact", {"artifact": ember, "heroine": here.of("bob")}, "character.heroine_only"),
        ("ann", "take-back-artifact", {"artifact": ember}, "artifact.not_held"),
        ("ann", "take-test", {"artifact": ember}, "character.heroine_only"),
        ("bob", "use-character", {"character": ada}, "turn.not_yours"),
        ("ann", "request-artifact", {"artifact": ember}, "artifact.not_in_vault"),
        ("ann", "begin-artifact", {"name": "EMBER", "form": FORM, "function": FUNCTION}, "name.taken"),
        (
            "ann",
            "begin-artifact",
            {"name": "Ash", "form": FORM, "function": FUNCTION, "pool": THREE | {"artifacts": [helping]}},
            "artifact.barred",
        ),
    ]


def as_a_heroine() -> tuple[Smithy, list[Case]]:
    """Ada is used, with one d4, in the City; Bob's Smith is at the Citadel."""
    here, _ = with_a_heroine()
    here.does("ann", "use-character", character=here.of("Ada"))
    return here, [
        ("ann", "beseech-prince", {}, "character.smith_only"),
        ("ann", "recruit-heroine", {"name": "Ida"}, "character.smith_only"),
        ("ann", "commune", {"dice": [4]}, "character.smith_only"),
        ("ann", "begin-artifact", {"name": "Ash", "form": FORM, "function": FUNCTION}, "character.smith_only"),
    ]


def late() -> tuple[Smithy, list[Case]]:
    """Ann stands at Ruins that are explored; the Prince listens to her, the Dragon is slain, time is called."""
    here = begin(LED, now=timezone.now())
    reach(here, "ann", "lair")
    amend(here, "courses", str(here.state.course.id), slayer=f'"{here.seats["bob"]}"')
    here.does("gm", "call-time", reason="the last train")
    return here, [
        ("ann", "face-dragon", {"pool": THREE}, "dragon.slain"),
        ("gm", "call-time", {"reason": "again"}, "time.called"),
    ]


def swayed() -> tuple[Smithy, list[Case]]:
    """The Prince listens to Ann."""
    here = begin(ALONE | {"referee": "person"}, now=timezone.now())
    reach(here, "ann", "city")
    amend(here, "purses", str(here.seats["ann"]), is_swayed="true")
    return here, [
        ("ann", "beseech-prince", {"pool": THREE}, "prince.swayed"),
        ("ann", "take-boon", {"kind": "claim", "artifact": NOWHERE}, "artifact.missing"),
        ("ann", "take-boon", {"kind": "die", "raise": 10}, "die.missing"),
        ("ann", "take-boon", {"kind": "die", "raise": 12}, "die.largest"),
    ]


PLACES: dict[str, Callable[[], tuple[Smithy, list[Case]]]] = {
    make.__name__: make
    for make in (
        in_lobby, with_a_map, with_an_empty_table, before_the_first_turn, in_a_turn, at_the_lair, in_a_conflict,
        after_stepping_back, in_a_creation, at_the_anvil, with_points, in_a_vote, after_a_vote, holding, in_the_forest,
        in_the_city, with_a_heroine, as_a_heroine, late, swayed,
    )
}  # fmt: skip
