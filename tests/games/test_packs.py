"""Packs in rows: imported, copied, changed, published; games that pin them, logs folded with what they name."""

import json
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games import registry, services
from games.engine.errors import Refused
from games.engine.game_state import dump
from games.engine.kernel import Actor, Issuer
from games.gods2.models import Era
from games.gods2.pack import entries, load, pack_files
from games.gods2.packs import library
from games.gods2.packs.models import ENTRIES, PackKnowledge, PackPower, PackVersion
from games.gods2.rules.gm_desk.commands import RecordLaw
from games.gods2.rules.pack.pack import digest_of, effects_of
from games.gods2.rules.setup.pack_commands import MovePack
from games.models import Game, LoggedEvent
from games.storage import log, state_cache
from games.workers import demo

pytestmark = pytest.mark.django_db
GM = Actor(Issuer.GM)
HOUSE = max(pack_files())
"""The newest pack of the house, with which new games are played."""
NEXT = HOUSE + 1
"""The number of what is published first."""


@pytest.fixture(autouse=True)
def house(db) -> PackVersion:
    """The newest pack of the house, in rows; nothing of it is built yet."""
    library.import_packs()
    library._built.clear()
    return PackVersion.objects.get(number=HOUSE)


@pytest.fixture
def event(settings, tmp_path, monkeypatch) -> Game:
    """The demo event, just opened with the newest pack of the house."""
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)  # on a slow machine nothing falls due meanwhile
    settings.DEMO, settings.DATA_DIR, settings.DEMO_STEP_SECONDS = True, tmp_path, 3600
    return Game.objects.get(pk=demo.prepare("gods2")["game"])


def dearer(house: PackVersion, cost: int = 77) -> PackVersion:
    """A draft in which declaring a war costs more."""
    draft = library.copy_version(house, name="Dear wars")
    power = PackPower.objects.get(pack=draft, key="declare_war")
    power.cost = json.dumps(cost)
    power.save()
    return draft


def home_of(number: int) -> str:
    """The id of a version as its column holds it."""
    field = PackVersion._meta.pk
    return field.get_db_prep_value(PackVersion.objects.get(number=number).pk, connection)


def price(state) -> object:
    return state.pack.powers["declare_war"].cost


def agree(game: Game) -> None:
    """Rows equal the folded log."""
    game = Game.objects.get(pk=game.pk)
    rows, found = dump(registry.store("gods2").load(game)), dump(log.fold(game))
    assert {name for name in rows if rows[name] != found[name]} == set()
    assert list(log.broken_links(game)) == []


def test_the_rows_of_the_built_in_packs_equal_their_files(house):
    raw = library.raw_of(house)
    assert raw == entries(HOUSE)[0]
    assert [list(e) for e in raw["powers"]] == [list(e) for e in entries(HOUSE)[0]["powers"]]
    assert house.digest == digest_of(HOUSE, raw) == load(HOUSE).digest
    assert library.load_published(HOUSE) == load(HOUSE)
    assert library.import_packs() == []


@pytest.mark.rule("G2-KNOW-7")
def test_a_copy_is_changed_and_published_under_the_next_number(house):
    draft = dearer(house)
    assert (draft.state, draft.number, draft.digest, draft.parent) == ("draft", None, "", house)
    assert library.numbers() == [*pack_files()] and library.findings_of(draft) == []

    done = library.publish(draft)

    assert (done.number, done.state, library.numbers()) == (NEXT, "published", [*pack_files(), NEXT])
    assert library.load_published(NEXT).powers["declare_war"].cost == 77
    assert library.load_published(NEXT).digest == done.digest == digest_of(NEXT, library.raw_of(done))
    assert library.load_published(HOUSE).powers["declare_war"].cost != 77


@pytest.mark.rule("G2-KNOW-7")
@pytest.mark.parametrize(
    ("_case", "key", "changes", "message"),
    [
        ("a circle", "fire_keeping", {"prereqs": '["pottery"]'}, "circle"),
        ("a prerequisite that is not there", "fire_keeping", {"prereqs": '["moonwalk"]'}, "no knowledge moonwalk"),
        ("an operation that is not there", "fire_keeping", {"effects": '[{"op": "smite"}]'}, "no operation smite"),
        ("a bad code", "fire_keeping", {"effects": '[{"op": "resist", "code": "Q/2"}]'}, "Q/2"),
        ("a wrong tier", "fire_keeping", {"tier": 3}, "its tier is 1"),
    ],
)
def test_an_invalid_draft_is_not_published_and_stays_a_draft(_case, key, changes, message, house):
    draft = library.copy_version(house)
    if _case == "a circle":
        needing = next(e["id"] for e in entries(HOUSE)[0]["knowledges"] if e["prereqs"] == ["fire_keeping"])
        changes = {"prereqs": json.dumps([needing])}
    PackKnowledge.objects.filter(pack=draft, key=key).update(**changes)
    with pytest.raises(Refused, match=message) as caught:
        library.publish(draft)
    assert caught.value.code == "pack.invalid"
    draft.refresh_from_db()
    assert (draft.state, draft.number, library.numbers()) == ("draft", None, [*pack_files()])


@pytest.mark.parametrize("model", ENTRIES, ids=lambda m: m.part)
def test_a_published_version_never_changes(model, house):
    row = model._default_manager.filter(pack=house).first()
    for change in (
        row.save, row.delete, house.delete, model._default_manager.filter(pk=row.pk).delete,
        lambda: model._default_manager.update(position=5), lambda: library.publish(house),
    ):  # fmt: skip
        with pytest.raises(Refused) as caught:
            change()
        assert caught.value.code == "pack.published"
    assert digest_of(HOUSE, library.raw_of(house)) == house.digest


def test_a_version_has_a_number_exactly_when_it_is_published(house):
    with pytest.raises(IntegrityError), transaction.atomic():
        PackVersion.objects.create(name="Numbered", number=7)


def test_rows_that_were_changed_by_hand_are_not_played_with(house):
    library.publish(dearer(house))
    library._built.clear()
    with connection.cursor() as past_us:
        past_us.execute(
            "UPDATE gods2_packpower SET cost = '1' WHERE key = 'declare_war' AND pack_id = %s", [home_of(NEXT)]
        )
    with pytest.raises(Refused) as caught:
        library.load_published(NEXT)
    assert caught.value.code == "pack.damaged"


def test_a_draft_of_another_name_under_a_rolled_back_number_is_not_mistaken(house):
    class Back(Exception):
        """Only a way out of the transaction."""

    with pytest.raises(Back), transaction.atomic():
        library.publish(dearer(house, 66))
        assert library.load_published(NEXT).powers["declare_war"].cost == 66
        raise Back
    library.publish(dearer(house, 55))
    assert library.Library()[NEXT].powers["declare_war"].cost == 55


@pytest.mark.rule("G2-KNOW-7")
def test_a_running_game_stays_on_its_pack_until_a_gm_moves_it_and_old_events_stay_on_theirs(event, house):
    draft = dearer(house)
    library.publish(draft)
    assert price(registry.store("gods2").load(event)) != 77
    before = Game.objects.get(pk=event.pk).seq

    services.run(event.pk, MovePack(pack_version=NEXT), actor=GM)

    era = Era.objects.get(game=event)
    assert (era.pack_version, era.pack_digest) == (NEXT, PackVersion.objects.get(number=NEXT).digest)
    assert LoggedEvent.objects.get(game=event, seq=before + 1).type == "PackMoved"
    library._built.clear()
    later = dearer(PackVersion.objects.get(number=NEXT), 99)
    assert price(log.fold(event)) == price(registry.store("gods2").load(Game.objects.get(pk=event.pk))) == 77
    assert price(log.fold(event, until=before)) == load(HOUSE).powers["declare_war"].cost
    assert later.state == "draft"
    agree(event)
    with pytest.raises(Refused) as caught:
        services.run(event.pk, MovePack(pack_version=HOUSE), actor=GM)
    assert caught.value.code == "pack.older"


@pytest.mark.rule("G2-KNOW-7")
def test_a_game_is_not_moved_to_a_pack_that_lacks_what_it_uses(event, house):
    draft = library.copy_version(house)
    state = registry.store("gods2").load(event)
    given = {getattr(effect, "attribute", None) for _, effect in effects_of(load(HOUSE))}
    key = sorted({k for race in state.races.values() for k in race.attributes} - given)[0]
    draft.packattributes.filter(key=key).delete()
    library.publish(draft)
    seq = Game.objects.get(pk=event.pk).seq
    with pytest.raises(Refused) as caught:
        services.run(event.pk, MovePack(pack_version=NEXT), actor=GM)
    assert caught.value.code == "pack.lacks"
    assert any(f"the attribute {key} of the" in lost for lost in caught.value.facts["missing"])
    assert (Game.objects.get(pk=event.pk).seq, Era.objects.get(game=event).pack_version) == (seq, HOUSE)


def test_a_game_whose_pack_is_another_one_is_not_played(event):
    Era.objects.filter(game=event).update(pack_digest="0" * 64)
    state = registry.store("gods2").load(event)
    with pytest.raises(Refused) as caught:
        state.pack  # noqa: B018 - reading it is the deed
    assert caught.value.code == "pack.other"


@pytest.mark.parametrize("_case", ["a draft", "no such number"])
def test_a_new_game_names_a_published_pack(_case, house):
    host = User.objects.create_user("host", password="seven-gates-of-horn")
    library.copy_version(house)
    with pytest.raises(Refused) as caught:
        services.open_game("gods2", "Earth", user=host.pk, options=json.dumps({"pack_version": NEXT}))
    assert caught.value.code == "pack.missing"
    assert not Game.objects.exists()
    assert services.open_game("gods2", "Earth", user=host.pk, options=json.dumps({"pack_version": HOUSE})).seq > 0


def test_a_cached_game_runs_no_query_for_its_pack_and_a_loaded_one_only_where_it_was_not_built(event, house):
    def pack_queries(command) -> list[str]:
        with CaptureQueriesContext(connection) as captured:
            services.run(event.pk, command, actor=GM)
        return [query["sql"] for query in captured if "gods2_pack" in query["sql"]]

    state_cache.STATE_CACHE.clear()
    library._built.clear()
    with CaptureQueriesContext(connection) as captured:
        assert price(registry.store("gods2").load(event)) == load(HOUSE).powers["declare_war"].cost
    assert len([q for q in captured if "gods2_pack" in q["sql"]]) == 1 + len(ENTRIES)
    with CaptureQueriesContext(connection) as captured:
        assert price(registry.store("gods2").load(event)) == load(HOUSE).powers["declare_war"].cost
    assert [q for q in captured if "gods2_pack" in q["sql"]] == []
    assert [pack_queries(RecordLaw(name=f"Law {n}")) for n in range(3)] == [[], [], []]


def test_tiers_follow_the_prerequisites(house):
    draft = library.copy_version(house)
    PackKnowledge.objects.filter(pack=draft).update(tier=1)
    library.recompute_tiers(draft)
    assert {k.key: k.tier for k in PackKnowledge.objects.filter(pack=draft)} == {
        k: v.tier for k, v in load(HOUSE).knowledges.items()
    }


BRINGING = import_module("games.gods2.packs.migrations.0002_house_packs")
"""The migration that brings the packs of the house into the rows."""


@pytest.mark.parametrize("number", BRINGING.NOTES)
def test_a_later_pack_comes_into_a_database_as_its_files_say_and_only_once(house, number):
    PackVersion.objects.filter(number=number).update(number=9)
    for _ in range(2):
        BRINGING.bring(apps, SimpleNamespace(connection=connection))
    (version,) = PackVersion.objects.exclude(number__in=(9, *({*pack_files()} - {number})))
    assert (version.number, version.digest) == (number, load(number).digest)
    assert library.raw_of(version) == entries(number)[0]


@pytest.mark.parametrize("number", BRINGING.NOTES)
def test_a_database_with_such_a_version_of_its_own_preserves_it_and_gets_the_built_in_one_as_a_draft(house, number):
    PackVersion.objects.filter(number=number).update(digest="f" * 64, name="House rules")
    BRINGING.bring(apps, SimpleNamespace(connection=connection))
    assert PackVersion.objects.get(number=number).name == "House rules"
    assert library.raw_of(PackVersion.objects.get(state="draft")) == entries(number)[0]


def test_every_pack_of_the_house_is_brought_by_a_migration():
    assert {*BRINGING.NOTES} == {*pack_files()}
