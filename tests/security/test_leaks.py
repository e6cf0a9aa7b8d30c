"""No viewer's bytes depend on a secret of others: every secret, every viewer, every address, made from the registry.

Each secret is planted in a savepoint and taken back, so both histories share ids, times and dice. Everybody who may not
know it must be answered with the same bytes: addresses and queries of every kind, with the ids and values of the secret
itself as filters, a command that follows, and its dry run. `SECURITY=full` asks every address about every secret; the
whole form asks about each alone in REST or in GraphQL, and two viewers of each group about all together in both, the
short form one viewer.
Long for one reason: how a secret is watched, and every game that is.
"""

import json
import os
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from games import registry, services
from games.albraxas.rules.state.schema_types import Step
from games.engine.audience import PUBLIC
from games.engine.game_state import dump
from games.engine.kernel import Actor, Event, Issuer
from games.engine.prompts import sealed
from games.gods2.rules.setup.commands import ConfigureGame, SetMap
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.value_types import Cell
from games.models import Game, LoggedEvent, Seat
from games.runtime import session
from tests import forms
from tests.api.worlds import restore_afterwards, user
from tests.security.addresses import PICTURES, Hidden, Question, graphql, hidden_ids, rest
from tests.security.grounds import Ground, ages, cairns, era, forge, storm, tower
from tests.security.looking import Answer, act_and_look, answer_to, answers, client_of, lift_budgets
from tests.security.secrets import PLANTS, Plant, secret_events
from tests.toy.rules.commands import HideCoins
from worlds.models import Artifact, Person

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
FULL = os.environ.get("SECURITY") == "full"
SHORT = forms.SHORT and not FULL
NEAREST = ("gm", "owner", "other seat", "rebel", "observer")
"""The viewers who see most, first."""
FARTHEST = ("nobody", "stranger", "observer")
"""Those who see least, first."""
SECRET_OF = {Step.CHARACTERS: {"sheets"}, Step.LOCATE: {"choices"}, Step.ORDER: {"answers"}}
"""In which step of Albraxas the rows of which tables are secrets."""
SECRET_OF_TOWER = {
    "setup": {"actors", "briefs", "vitalities", "mysteries"},
    "free": {"wishes"},
    "turn": {"holds"},
    "attack": {"aims", "vitalities"},
}
"""The same of the Die Tower."""
SECRET_OF_FORGE = {
    "smiths": {"drafts"},
    "vote": {"ballots"},
    "danger": {"notes", "lines", "advance_answers", "sent_pools"},
}
"""The same of Forgeborn."""
OUTSIDERS = frozenset(FARTHEST)


@pytest.fixture(autouse=True)
def stop_clock(monkeypatch):
    """Time stands still at noon, the throw-away dice of dry runs are always the same, and nobody asks too much."""
    lift_budgets(monkeypatch)
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    monkeypatch.setattr(session, "os", SimpleNamespace(urandom=bytes))


@dataclass
class Watch:
    """A ground with a client for each viewer, and what each was answered while no secret was there."""

    ground: Ground
    clients: dict[str, Any] = field(default_factory=dict)
    plain: dict[str, dict[Any, Answer]] = field(default_factory=lambda: defaultdict(dict))
    unaware: dict[type[Event], set[str]] = field(default_factory=dict)
    """Who may not know of what, as the readers of the planted events say."""
    dirty: set[str] = field(default_factory=set)
    """The tables of the state that some secret has touched."""

    def __post_init__(self) -> None:
        self.clients = {name: client_of(viewer.user) for name, viewer in self.ground.viewers.items()}
        self.first = self.clients["nobody"].get(f"/api/v1/games/{self.ground.game.pk}/events/?limit=1").json()["cursor"]

    @property
    def plants(self) -> dict[type[Event], Plant]:
        """The secrets of this game, in this step of it."""
        here = self.ground.slug, self.ground.step
        return {kind: plant for kind, plant in PLANTS.items() if (plant.game, plant.step) == here}

    def ask(self, name: str, questions: list[Question], *, act: bool = FULL) -> dict[Any, Answer]:
        """All that a viewer is answered now; act: also to a command, its dry run, and behind it."""
        client, viewer = self.clients[name], self.ground.viewers[name]
        return answers(client, viewer, questions, (lambda: act_and_look(client, viewer, self.ground)) if act else None)

    def before(self, name: str, questions: list[Question], *, act: bool = FULL) -> dict[Any, Answer]:
        """What a viewer is answered without the secret; asked once."""
        known = self.plain[name]
        missing = [question for question in questions if question not in known]
        acts = act and all(isinstance(asked, Question) for asked in known)
        if missing or acts:
            known.update(self.ask(name, missing, act=acts))
        return known

    def every_question(self, viewer: str) -> list[Question]:
        """All addresses and queries, for one viewer."""
        hidden, as_gm = hidden_ids(self.ground), self.ground.viewers[viewer].as_gm
        return [*rest(self.ground, hidden, self.first), *graphql(self.ground, hidden, as_gm=as_gm)]

    def near_questions(self, viewer: str, *, depth: int = 1) -> list[Question]:
        """Addresses of this game, lists of its own rows, and every field of the query `game`; pictures left out."""
        nowhere, as_gm = Hidden(), self.ground.viewers[viewer].as_gm
        shown_of_game = graphql(self.ground, nowhere, as_gm=as_gm, only="game", depth=depth)
        near = [*rest(self.ground, nowhere, self.first), *shown_of_game]
        near = [question for question in near if not any(part in question.path for part in PICTURES)]
        here = (f"/api/v1/games/{self.ground.game.pk}/", f"/api/v1/{self.ground.slug}/", "/graphql/")
        rows = [question for question in near if question.path.startswith(here)]
        return [question for question in rows if "limit=2" not in question.path and "all=1" not in question.path]

    def nearest_questions(self, viewer: str) -> list[Question]:
        """The addresses of this game that are asked first: the rest is asked when all secrets are there together."""
        rows = f"/api/v1/{self.ground.slug}/"
        near = [question for question in self.near_questions(viewer, depth=0) if not question.path.startswith(rows)]
        return [question for question in near if "?" not in question.path or "limit=500" in question.path]

    def questions_alone(self, viewer: str) -> list[Question]:
        """Those, in one transport: secrets take turns, since both transports show the same representations."""
        by_graph = len(self.unaware) % 2 == 0
        return [question for question in self.nearest_questions(viewer) if bool(question.body) is by_graph]

    def plant(self, kind: type[Event], plant: Plant) -> int:
        """Let a secret come about, and nothing that is public; the last event before it."""
        seq, rows = self.ground.fresh().seq, dump(self.ground.state())
        plant.how(self.ground)
        found = self.ground.audiences_behind(seq)
        assert LoggedEvent.objects.filter(game=self.ground.game, seq__gt=seq, type=kind.__name__).exists()
        assert plant.instead is not None or PUBLIC not in found, f"the public sees {kind.__name__}: {found}"
        viewers, secret = self.ground.viewers, found - {PUBLIC}
        self.unaware[kind] = {n for n, v in viewers.items() if not any(v.may_read(a) for a in secret)}
        assert self.unaware[kind] >= OUTSIDERS
        self.dirty |= {name for name, value in dump(self.ground.state()).items() if value != rows.get(name)}
        return int(seq)

    def alone(self, kind: type[Event], plant: Plant) -> None:
        """One secret: the nearest viewer outside its audience sees nothing; every viewer in it sees it."""
        with restore_afterwards():
            before = self.plant(kind, plant)
            unaware = self.unaware[kind]
            chosen = unaware if FULL else {next(name for name in NEAREST if name in unaware)}
            if SHORT and plant.instead is None:
                chosen = set()  # asked about it with all others together
            ask = self.questions_alone if plant.instead is None else self.near_questions
            questions = {name: (self.every_question if FULL else ask)(name) for name in chosen}
            act = FULL or plant.instead is not None
            with_it = {name: self.ask(name, questions[name], act=act) for name in chosen}
            own = LoggedEvent.objects.filter(game=self.ground.game, seq__gt=before, type=kind.__name__)
            own = own.exclude(audience=PUBLIC)
            readers = set(own.values_list("audience", flat=True))
            aware = {n: self.visible_types(n) for n, v in self.ground.viewers.items() if any(map(v.may_read, readers))}
        if plant.instead is not None:
            with restore_afterwards():
                plant.instead(self.ground)
                without = {name: self.ask(name, questions[name], act=act) for name in chosen}
        else:
            without = {name: self.before(name, questions[name]) for name in chosen}
        for name in chosen:
            same(with_it[name], without[name], f"{name} learns of {kind.__name__}")
        for name, row in aware.items():
            assert registry.event_type(self.ground.game.ruleset, kind.__name__) in row, (
                f"{name} does not see {kind.__name__}"
            )

    def visible_types(self, name: str) -> set[str]:
        """The types of all events that a viewer reads."""
        page = Question(f"/api/v1/games/{self.ground.game.pk}/events/?last=100", of_game=True)
        _, _, body = answer_to(self.clients[name], self.ground.viewers[name], page)
        return {event["type"] for event in json.loads(body)["results"]}

    def questions_together(self, name: str) -> list[Question]:
        """What a viewer asks when all secrets are there together."""
        if FULL or (name == "other seat" and not SHORT):
            return self.every_question(name)
        return self.nearest_questions(name) if SHORT and name != "other seat" else self.near_questions(name)

    def together(self) -> None:
        """All secrets at once that a viewer may not know, by every question: in the longest form for every viewer."""
        groups: dict[frozenset[type[Event]], list[str]] = defaultdict(list)
        for name in self.ground.viewers:
            known = frozenset(k for k, names in self.unaware.items() if name in names and not PLANTS[k].instead)
            groups[known].append(name)
        for kinds, every in groups.items():
            if not kinds:
                continue  # these know all of them
            names = every if FULL else nearest_and_farthest(every)
            with restore_afterwards():
                for kind in (kind for kind in self.plants if kind in kinds):
                    self.plants[kind].how(self.ground)
                questions = {name: self.questions_together(name) for name in names}
                with_it = {name: self.ask(name, questions[name], act=True) for name in names}
            for name in names:
                same(with_it[name], self.before(name, questions[name], act=True), f"{name} learns of a secret")


def nearest_and_farthest(every: list[str]) -> list[str]:
    """Of viewers who may know the same: who sees most besides, and, but in the short form, who sees least."""
    nearest = next(name for name in NEAREST if name in every)
    farthest = [] if SHORT else [name for name in FARTHEST if name in every][:1]
    return list(dict.fromkeys([nearest, *farthest]))


def same(with_it: dict[Any, Answer], without: dict[Any, Answer], what: str) -> None:
    """Every question is answered with the same bytes."""
    for question, answer in with_it.items():
        assert answer == without[question], f"{what} through {question}"


def secret_tables(slug: str) -> set[str]:
    """The tables of a ruleset whose rows have readers: the record says so, or the rows' own rule of visibility does."""
    tables = registry.ruleset(slug).new_state(NOON).tables
    open_to_all = {"OfGameQuerySet", "VisibleQuerySet", "RaceQuerySet"}
    models = {mapped.table: mapped.parts[-1].model for mapped in registry.store(slug).tables}
    return {
        table for table, model in models.items()
        if tables[table].judge is not None or type(model._default_manager.all()).__name__ not in open_to_all
    } - {"seats"}  # fmt: skip


def test_every_secret_of_every_ruleset_can_be_planted():
    secrets = secret_events()
    assert {kind.__name__ for kind in PLANTS} == {kind.__name__ for kind in secrets}
    for kind, plant in PLANTS.items():
        assert plant.game in secrets[kind]


def watch_game(ground: Ground) -> Watch:
    """Every secret of a game, alone and all together."""
    watch = Watch(ground)
    for kind, plant in watch.plants.items():
        watch.alone(kind, plant)
    watch.together()
    return watch


def test_no_secret_of_cairns_changes_a_byte_of_what_others_see():
    watch = watch_game(cairns())
    assert watch.dirty >= secret_tables("toy")


def test_no_secret_of_gods_changes_a_byte_of_what_others_see(settings, tmp_path):
    watch = watch_game(era(settings, tmp_path))
    assert watch.dirty >= secret_tables("gods2") - secret_tables("toy")


def test_the_secrets_of_albraxas_have_their_steps():
    own = set().union(*SECRET_OF.values())
    assert own >= secret_tables("albraxas") - secret_tables("toy")


@pytest.mark.rule("AX-TRN-2", "AX-TRN-5", "AX-SET-8", "AX-AMB-31")
@pytest.mark.parametrize("step", SECRET_OF)
def test_no_secret_of_albraxas_changes_a_byte_of_what_others_see(monkeypatch, step):
    """A commitment is taken for a perfect one, in which nothing is to be seen of what it was made for."""
    monkeypatch.setattr(sealed, "digest_of", lambda salt, value: sha256(salt.encode()).hexdigest())
    watch = watch_game(storm(step))
    assert watch.dirty >= SECRET_OF[step]


@pytest.mark.rule("DW-AGE-5", "DW-WAR-4", "DW-AMB-56")
@pytest.mark.parametrize(("step", "tables"), [("war", {"answers", "offers", "advances"}), ("power", set())])
def test_no_secret_of_dawn_changes_a_byte_of_what_others_see(monkeypatch, step, tables):
    """A commitment is taken for a perfect one, as above."""
    monkeypatch.setattr(sealed, "digest_of", lambda salt, value: sha256(salt.encode()).hexdigest())
    watch = watch_game(ages(step))
    assert watch.dirty >= tables


def test_the_secrets_of_the_die_tower_have_their_steps():
    assert set().union(*SECRET_OF_TOWER.values()) >= secret_tables("dietower") - secret_tables("toy")


@pytest.mark.rule("DT-CHR-5", "DT-CHR-8", "DT-CMB-4", "DT-CMB-8", "DT-AMB-39", "DT-WSH-6", "DT-WSH-7")
@pytest.mark.parametrize("step", SECRET_OF_TOWER)
def test_no_secret_of_the_die_tower_changes_a_byte_of_what_others_see(step):
    watch = watch_game(tower(step))
    assert watch.dirty >= SECRET_OF_TOWER[step]


def test_the_secrets_of_forgeborn_have_their_steps():
    assert set().union(*SECRET_OF_FORGE.values()) >= secret_tables("forgeborn") - secret_tables("toy")


@pytest.mark.rule("FB-SET-3", "FB-VLT-2", "FB-AMB-30", "FB-AMB-53", "FB-CON-8", "FB-GM-3", "FB-TXT-1")
@pytest.mark.parametrize("step", SECRET_OF_FORGE)
def test_no_secret_of_forgeborn_changes_a_byte_of_what_others_see(step):
    watch = watch_game(forge(step))
    assert watch.dirty >= SECRET_OF_FORGE[step]


def test_a_private_game_and_its_world_are_missing_for_strangers():
    """Lists, counts, cursors and errors of a stranger are the same whether the game is there or was never opened."""
    watch = Watch(cairns())
    names = ("nobody", "stranger", "observer", "other seat")
    with restore_afterwards():
        hidden = private_game()
        mim = Person.objects.create(world_id=hidden.world_id, name="Mim", kind="prince")
        ring = Artifact.objects.create(world_id=hidden.world_id, name="Ring", person=mim)
        addresses = [
            f"/api/v1/games/{hidden.pk}/{part}"
            for part in ("", "state/", "events/", "seats/", "prompts/", "timers/", "dice/", "chronicle/", "map.svg")
        ]
        addresses += [
            f"/api/v1/worlds/{hidden.world_id}/",
            f"/api/v1/worlds/{hidden.world_id}/races/",
            "/api/v1/games/",
            f"/api/v1/worlds/{hidden.world_id}/persons/",
            f"/api/v1/worlds/persons/?world={hidden.world_id}&name=Mim",
            f"/api/v1/worlds/persons/{mim.pk}/",
            f"/api/v1/worlds/artifacts/?world={hidden.world_id}&holder_kind=person",
            f"/api/v1/worlds/artifacts/?world={hidden.world_id}&person={mim.pk}",
            f"/api/v1/worlds/artifacts/{ring.pk}/",
        ]
        addresses += [f"/api/v1/worlds/{hidden.world_id}/map.svg", f"/api/v1/gods2/eras/?game={hidden.pk}"]
        addresses += ["/api/v1/worlds/", "/api/v1/worlds/squares/", "/api/v1/gods2/eras/", "/api/v1/games/?limit=1"]
        addresses += [f"/api/v1/worlds/squares/?world={hidden.world_id}", f"/api/v1/games/?world={hidden.world_id}"]
        queries = [
            f'{{ game(id: "{hidden.pk}") {{ id }} }}',
            f'{{ world(id: "{hidden.world_id}") {{ name }} }}',
            "{ games { edges { node { id } } pageInfo { endCursor } } worlds { edges { node { id } } totalCount } }",
            f'{{ world(id: "{hidden.world_id}") {{ squares {{ edges {{ node {{ x }} }} }} }} }}',
            f'{{ game(id: "{hidden.pk}") {{ ... on Gods2Game {{ era {{ century }} }} }} }}',
            f'{{ worldPerson(id: "{mim.pk}") {{ name artifacts {{ totalCount }} }} }}',
            f'{{ artifact(id: "{ring.pk}") {{ holder {{ kind id }} }} }}',
        ]
        questions = [Question(path) for path in addresses]
        questions += [Question("/graphql/", json.dumps({"query": query})) for query in queries]
        with_it = {name: watch.ask(name, questions) for name in names}
        owner = client_of(hidden.opened_by)
        assert [owner.get(path).status_code for path in addresses[:2]] == [200, 200]
        assert any(w["id"] == str(hidden.world_id) for w in owner.get("/api/v1/worlds/").json()["results"])
        holder = {"kind": "person", "id": str(mim.pk)}
        assert owner.get(f"/api/v1/worlds/artifacts/{ring.pk}/").json()["holder"] == holder
    for name in names:
        same(with_it[name], watch.before(name, questions), f"{name} learns of a private game")


def private_game() -> Game:
    """A private game of The Gods II with a map, opened by a user whom none of the viewers knows."""
    paula = user("paula")
    game = services.open_game("gods2", "Nobody knows", user=paula.pk, is_public=False, now=NOON)
    host = Actor(Issuer.HOST, paula.pk, Seat.objects.get(game=game, role="host").pk)
    cells = tuple(Cell(terrain=letter) for letter in "PPPWPPPWPPPW")
    services.run(game.pk, ConfigureGame(options=Gods2Options()), actor=host, now=NOON)
    services.run(game.pk, SetMap(width=4, height=3, cells=cells), actor=host, now=NOON)
    return Game.objects.select_related("opened_by").get(pk=game.pk)


@pytest.mark.long
def test_the_schema_and_the_rulesets_are_the_same_for_all_before_and_after_any_game():
    """Pages that are made of classes: they know no game, so they can reveal none."""
    clients = [client_of(None), client_of(user("eve"))]
    paths = ("/api/schema/", "/api/v1/rulesets/toy/commands/")
    before = [clients[0].get(path).content for path in paths]
    ground = cairns()
    ground.as_owner(HideCoins(coins=7))
    assert [clients[1].get(path).content for path in paths] == before


def test_the_author_of_a_declaration_is_shown_to_the_author_and_the_gm_alone(settings, tmp_path):
    """The war is public; its author is not."""
    ground = era(settings, tmp_path)
    name, fields = ground.act
    here = f"/api/v1/games/{ground.game.pk}/"
    author = client_of(ground.other.user)
    done = author.post(f"{here}commands/{name}/", json.dumps(fields), content_type="application/json")
    secrets = {"gods2.PowerAuthored", "gods2.ManaSpent", "gods2.DeedAuthored", "gods2.NumberDrawn"}
    assert done.status_code == 201 and {e["type"] for e in done.json()["events"]} >= secrets
    watch = Watch(ground)
    assert secrets <= watch.visible_types("gm") and not {
        "gods2.PowerAuthored",
        "gods2.DeedAuthored",
    } & watch.visible_types("owner")
    for name in sorted(OUTSIDERS):
        assert not secrets & watch.visible_types(name)
