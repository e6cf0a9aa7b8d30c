"""Artifacts of a world: one holder or none, a name of their own, a row that stays; what a correction may not break."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar
from uuid import UUID

import pytest

from games.engine.artifacts.cards import ARTIFACT_DECK
from games.engine.artifacts.chronicle import ARTIFACT_TELLERS
from games.engine.artifacts.commands import CreateArtifact, DestroyArtifact, HandArtifact
from games.engine.artifacts.events import ArtifactCreated, ArtifactDestroyed, ArtifactPassed
from games.engine.artifacts.rules import destroy_artifact, make_artifact, pass_all_on, pass_on
from games.engine.artifacts.state import Artifact, ArtifactState, HolderKind
from games.engine.errors import Refused
from games.engine.insight.cards import CardLine, CardName, CardText
from games.engine.insight.chronicle import Story, tell
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Event
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.engine.lifecycle.gm_commands import GameEnded, Pause, Start
from games.engine.members import Members
from games.engine.ruleset import ARTIFACTS, Options, Overview, Ruleset
from games.engine.state import Rows, table
from tests.engine.cairns import ANN, GM_ACTOR, Cairns
from tests.engine.cairns import table as game_of
from tests.playbook import refused
from tests.rulesets import RULESETS

ELVES, DWARVES, TAM, GONE, HILL, NOBODY = (UUID(int=0xA0 + n) for n in range(6))
RULES = ("T-1",)


@dataclass(frozen=True, slots=True)
class Folk:
    """A people or a person; who has gone holds nothing."""

    id: UUID
    name: str
    gone: bool = False


class Court(ArtifactState):
    """A game with peoples and persons, who hold, and hills, which do not."""

    holding_tables: ClassVar = {HolderKind.RACE: "peoples", HolderKind.PERSON: "persons"}

    peoples: Rows[UUID, Folk] = table(Folk, amendable=True)
    persons: Rows[UUID, Folk] = table(Folk, amendable=True)
    hills: Rows[UUID, Folk] = table(Folk)

    def inability_to_hold(self, kind: HolderKind, holder: Any) -> str:
        return f"{holder.name} has gone" if holder.gone else ""


COURT: Ruleset[Court] = Ruleset(
    slug="court",
    title="Court",
    summary="Who holds what.",
    options=Options,
    state=Court,
    own=Members((), ()),
    takes=(ARTIFACTS,),
    overview=Overview(players="some", length="short"),
)


@pytest.fixture
def court() -> Cairns:
    """A game that has begun, with Elves and Dwarves, Tam, and one who has gone."""
    game = game_of(ruleset=COURT)
    game.when(Start(), GM_ACTOR)
    for rows, folk in (
        (game.state.peoples, Folk(ELVES, "Elves")),
        (game.state.peoples, Folk(DWARVES, "Dwarves")),
        (game.state.persons, Folk(TAM, "Tam")),
        (game.state.persons, Folk(GONE, "Gon", gone=True)),
        (game.state.persons, Folk(NOBODY, "")),
        (game.state.hills, Folk(HILL, "Hill")),
    ):
        rows[folk.id] = folk
    return game


def create(court: Cairns, name: str = "Ring", holder: UUID | None = ELVES, **more: Any) -> UUID:
    """A new artifact."""
    (event,) = court.when(CreateArtifact(name=name, holder=holder, **more), GM_ACTOR)
    assert isinstance(event, ArtifactCreated)
    return event.artifact


def texts(court: Cairns) -> list[str]:
    return [h.text for h in court.log if type(h.event) in ARTIFACT_TELLERS]


@pytest.mark.rule("CF-14")
def test_a_game_master_makes_a_thing_that_somebody_or_nobody_has(court: Cairns) -> None:
    ring, crown = create(court, description="Of gold."), create(court, "Crown", None)
    assert court.state.artifacts == {
        ring: Artifact(ring, "Ring", "Of gold.", race=ELVES),
        crown: Artifact(crown, "Crown"),
    }
    assert court.state.artifacts[ring].holder == ELVES and court.state.artifacts[crown].holder is None
    assert texts(court) == ["Ring is made; Elves have it.", "Crown is made; nobody has it yet."]
    assert {h.audience for h in court.log if type(h.event) in ARTIFACT_TELLERS} == {"public"}
    assert court.state.name_of(str(ring)) == "Ring"


@pytest.mark.rule("CF-14")
def test_it_is_handed_from_one_holder_to_another_and_to_nobody(court: Cairns) -> None:
    ring = create(court)
    for holder, reason in ((TAM, "a gift"), (None, "He loses it"), (DWARVES, "")):
        court.when(HandArtifact(artifact=ring, holder=holder, reason=reason), GM_ACTOR)
        assert court.state.artifacts[ring].holders == (
            {} if holder is None else {HolderKind.PERSON if holder == TAM else HolderKind.RACE: holder}
        )
    assert texts(court)[1:] == [
        "Ring passes from Elves to Tam: a gift.",
        "Ring leaves Tam; nobody has it: He loses it.",
        "Ring comes to Dwarves.",
    ]


@pytest.mark.rule("CF-14")
def test_what_is_destroyed_keeps_its_row_its_name_and_no_holder(court: Cairns) -> None:
    ring = create(court)
    (event,) = court.when(DestroyArtifact(artifact=ring, reason="It melts"), GM_ACTOR)
    assert event == ArtifactDestroyed(artifact=ring, reason="It melts", former=ELVES)
    assert court.state.artifacts[ring] == Artifact(ring, "Ring", lost=True)
    assert texts(court)[-1] == "Ring is lost: It melts."
    for command in (HandArtifact(artifact=ring, holder=TAM), DestroyArtifact(artifact=ring, reason="again")):
        with refused("artifact.lost", court.state):
            court.when(command, GM_ACTOR)


@pytest.mark.rule("CF-14")
@pytest.mark.parametrize("name", ["Ring", "ring", "RING", "\uff32ing"])
def test_a_name_that_looks_like_that_of_another_is_refused_also_of_one_that_is_lost(court: Cairns, name: str) -> None:
    ring = create(court)
    with refused("name.taken", court.state):
        create(court, name)
    court.when(DestroyArtifact(artifact=ring, reason="It melts"), GM_ACTOR)
    with refused("name.taken", court.state):
        create(court, name)


@pytest.mark.rule("CF-14")
@pytest.mark.parametrize(
    ("holder", "code", "words"),
    [
        (UUID(int=1234), "holder.missing", "There is no such holder; name a people or a person of this game, or none."),
        (HILL, "holder.other", "Hill holds no artifacts; name a people or a person."),
        (ANN, "holder.other", "Ann holds no artifacts; name a people or a person."),
        (GONE, "holder.unable", "Gon has gone; choose another holder, or none."),
    ],
)
def test_who_cannot_hold_is_refused_with_who_could(court: Cairns, holder: UUID, code: str, words: str) -> None:
    ring = create(court)
    for command in (HandArtifact(artifact=ring, holder=holder), CreateArtifact(name="Crown", holder=holder)):
        with refused(code, court.state) as caught:
            court.when(command, GM_ACTOR)
        assert (caught.value.message, caught.value.rules) == (words, ("CF-14",))


@pytest.mark.rule("CF-14")
def test_the_same_holder_and_no_such_artifact_are_refused(court: Cairns) -> None:
    ring, crown = create(court), create(court, "Crown", None)
    for artifact, holder, words in (
        (ring, ELVES, "Elves have Ring already; name another holder, or none."),
        (crown, None, "Nobody has Crown already; name a holder."),
    ):
        with refused("holder.same", court.state) as caught:
            court.when(HandArtifact(artifact=artifact, holder=holder), GM_ACTOR)
        assert caught.value.message == words
    with refused("artifact.missing", court.state):
        court.when(HandArtifact(artifact=ELVES, holder=TAM), GM_ACTOR)


def test_before_the_start_and_after_the_end_nothing_is_made() -> None:
    lobby = game_of(ruleset=COURT)
    with refused("phase.closed", lobby.state):
        lobby.when(CreateArtifact(name="Ring"), GM_ACTOR)
    lobby.when(Start(), GM_ACTOR)
    ring = create(lobby, holder=None)
    lobby.happens(lambda state, ctx: iter([GameEnded(reason="enough")]))
    for command in (
        CreateArtifact(name="Crown"),
        HandArtifact(artifact=ring, holder=TAM),
        DestroyArtifact(artifact=ring, reason="so"),
    ):
        with refused("phase.closed", lobby.state):
            lobby.when(command, GM_ACTOR)


def test_in_a_pause_a_game_master_goes_on(court: Cairns) -> None:
    court.when(Pause(), GM_ACTOR)
    create(court)


@pytest.mark.rule("CF-1", "CF-14")
def test_the_log_folds_to_the_artifacts() -> None:
    game = game_of(ruleset=COURT)
    game.when(Start(), GM_ACTOR)
    ring, crown = create(game, holder=None), create(game, "Crown", None)
    game.when(DestroyArtifact(artifact=ring, reason="It melts"), GM_ACTOR)
    assert set(game.state.artifacts) == {ring, crown} and game.log_folds_to_state()


def offered(court: Cairns) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for legal in legal_commands_for(court.state, ARTIFACTS.commands, GM_ACTOR):
        found.setdefault(legal.command, []).append(legal)
    return found


def test_what_is_offered_is_what_is_accepted(court: Cairns) -> None:
    barred = offered(court)
    assert [legal.barred.code for legal in barred["hand-artifact"] + barred["destroy-artifact"]] == [
        "artifact.missing",
        "artifact.missing",
    ]
    ring, crown = create(court), create(court, "Crown", None)
    lost = create(court, "Orb", None)
    court.when(DestroyArtifact(artifact=lost, reason="so"), GM_ACTOR)
    found = offered(court)
    (made,) = found["create-artifact"]
    assert made.choices("holder") == (ELVES, DWARVES, TAM, NOBODY)
    assert made.domain("name").taken == ("Crown", "Orb", "Ring")
    of_nobody, of_elves = found["hand-artifact"]
    assert (of_nobody.choices("artifact"), of_nobody.choices("holder"), of_nobody.required) == (
        (crown,),
        (ELVES, DWARVES, TAM, NOBODY),
        ("holder",),
    )
    assert (of_elves.choices("artifact"), of_elves.choices("holder")) == ((ring,), (DWARVES, TAM, NOBODY))
    assert of_elves.required == ()
    (destroyed,) = found["destroy-artifact"]
    assert destroyed.choices("artifact") == (crown, ring)


def test_in_a_game_that_has_not_begun_the_phase_bars_all() -> None:
    lobby = game_of(ruleset=COURT)
    assert {legal.barred.code for found in offered(lobby).values() for legal in found} == {"phase.closed"}


def test_a_thing_of_nobody_in_an_empty_world_is_not_handed_on() -> None:
    game = game_of(ruleset=COURT)
    game.when(Start(), GM_ACTOR)
    create(game, holder=None)
    found = offered(game)
    assert "hand-artifact" not in found and "holder" not in found["create-artifact"][0].arguments


def amendment(artifact: UUID, deed: Deed = Deed.ALTER, table: str = "artifacts", **values: str) -> Amend:
    fields = tuple(FieldChange(field=name, value=value) for name, value in values.items())
    return Amend(changes=(Change(deed=deed, table=table, row=str(artifact), fields=fields),), reason="A slip.")


@pytest.mark.rule("CF-10", "CF-14")
@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"person": f'"{TAM}"'}, "Ring has 2 holders; one at most has it."),
        ({"lost": "true"}, "Ring is lost, so nobody has it."),
        ({"race": "null", "city": f'"{TAM}"'}, "A city holds nothing in this game."),
        ({"race": f'"{TAM}"'}, "The race that has Ring is not in this game; hand it on first."),
    ],
)
def test_a_correction_leaves_no_artifact_that_cannot_be(court: Cairns, values: dict[str, str], words: str) -> None:
    ring = create(court)
    with pytest.raises(Refused) as caught:
        court.when(amendment(ring, **values), GM_ACTOR)
    assert (caught.value.code, caught.value.message) == ("amend.invalid", words)


@pytest.mark.rule("CF-14")
def test_a_holder_is_not_corrected_away_with_what_it_has(court: Cairns) -> None:
    create(court)
    with refused("amend.invalid"):
        court.when(amendment(ELVES, Deed.DELETE, "peoples"), GM_ACTOR)


@pytest.mark.rule("CF-10")
def test_a_correction_hands_on_and_brings_back(court: Cairns) -> None:
    ring = create(court)
    court.when(amendment(ring, race="null", person=f'"{TAM}"'), GM_ACTOR)
    assert court.state.artifacts[ring].holder == TAM
    court.when(DestroyArtifact(artifact=ring, reason="It melts"), GM_ACTOR)
    court.when(amendment(ring, lost="false"), GM_ACTOR)
    court.when(HandArtifact(artifact=ring, holder=ELVES), GM_ACTOR)
    assert court.state.artifacts[ring].holder == ELVES


@pytest.mark.rule("CF-14")
def test_a_ruleset_makes_passes_on_and_destroys_under_its_own_rules(court: Cairns) -> None:
    (made,) = court.happens(lambda state, ctx: make_artifact(state, ctx, "Ring", ELVES, rules=RULES))
    assert isinstance(made, ArtifactCreated)
    court.happens(lambda state, ctx: pass_on(state, made.artifact, TAM, reason="a gift", rules=RULES))
    court.happens(lambda state, ctx: destroy_artifact(state, made.artifact, "It melts", rules=RULES))
    assert [h.rules for h in court.log[-3:]] == [RULES] * 3
    with pytest.raises(Refused) as caught:
        court.happens(lambda state, ctx: make_artifact(state, ctx, "ring", rules=RULES))
    assert (caught.value.code, caught.value.rules) == ("name.taken", RULES)


@pytest.mark.rule("CF-14")
def test_all_that_somebody_has_passes_on_together_by_name(court: Cairns) -> None:
    ring, crown, orb = create(court), create(court, "Crown"), create(court, "Orb", TAM)
    events = court.happens(lambda state, ctx: pass_all_on(state, ELVES, DWARVES, reason="war", rules=RULES))
    assert events == [
        ArtifactPassed(artifact=a, kind=HolderKind.RACE, holder=DWARVES, former=ELVES, reason="war", under=RULES)
        for a in (crown, ring)
    ]
    assert court.happens(lambda state, ctx: pass_all_on(state, TAM, TAM)) == []
    assert court.happens(lambda state, ctx: pass_all_on(state, ELVES, None)) == []
    assert court.state.artifacts[orb].holder == TAM


def test_the_chronicle_tells_names_and_no_squares_also_of_what_is_no_more(court: Cairns) -> None:
    ring, crown = create(court), create(court, "Crown", None)
    court.when(HandArtifact(artifact=ring, holder=TAM, reason="a gift"), GM_ACTOR)
    court.when(HandArtifact(artifact=crown, holder=NOBODY), GM_ACTOR)
    court.when(HandArtifact(artifact=ring), GM_ACTOR)
    court.when(DestroyArtifact(artifact=crown, reason="It melts"), GM_ACTOR)
    public = [h for h in court.log if type(h.event) in ARTIFACT_TELLERS]
    story: Story[Any] = Story(ARTIFACT_TELLERS)
    assert [told.text for told in tell(story, court.state, public)] == [
        "Ring is made; Elves have it.",
        "Crown is made.",
        "Ring passes from Elves to Tam: a gift.",
        "Crown passes to a person.",
        "Ring is nobody's any more.",
        "Crown is lost: It melts.",
    ]
    del court.state.artifacts[ring], court.state.peoples[ELVES]
    assert [told.text for told in tell(story, court.state, public)][:3:2] == [
        "Ring is made.",
        "An artifact passes to Tam: a gift.",
    ]


def test_a_card_says_who_has_it_and_what_is_known(court: Cairns) -> None:
    ring, crown = create(court, description="Of gold."), create(court, "Crown", None)
    court.when(DestroyArtifact(artifact=crown, reason="so"), GM_ACTOR)
    assert list(ARTIFACT_DECK.names(court.state)) == [CardName(ring, "Ring"), CardName(crown, "Crown")]
    card, lost = ARTIFACT_DECK.card(court.state, ring), ARTIFACT_DECK.card(court.state, crown)
    assert card is not None and lost is not None
    assert (card.title, card.subtitle) == ("Ring", "Artifact")
    assert card.parts == (CardLine("Holder", "Elves"), CardText("", "Of gold."))
    assert (lost.subtitle, lost.parts) == ("Lost", (CardLine("Holder", "nobody"),))
    assert ARTIFACT_DECK.card(court.state, ELVES) is None


@pytest.mark.parametrize("slug", RULESETS)
def test_a_ruleset_that_takes_artifacts_in_has_their_table_and_tells_of_them(slug: str) -> None:
    ruleset = RULESETS[slug]
    state = ruleset.new_state(UUID(int=9))
    takes = ARTIFACTS in ruleset.takes
    assert takes == isinstance(state, ArtifactState)
    if takes:
        kinds: tuple[type[Event], ...] = tuple(ARTIFACT_TELLERS)
        assert set(kinds) <= set(ruleset.pages.story.kinds)
        assert ruleset.cards["artifacts"] is ARTIFACT_DECK
        assert all(state.tables[name].key == ("id",) for name in state.holding_tables.values())


def test_an_older_state_without_the_table_is_one_without_artifacts(court: Cairns) -> None:
    assert court.state.artifacts == {} and court.state.artifacts_of(ELVES) == []
    assert replace(Artifact(ELVES, "Ring"), race=TAM).with_holder(None, None) == Artifact(ELVES, "Ring")
