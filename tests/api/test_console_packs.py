"""Packs in the console and the APIs: a GM adds powers without code; everybody reads what is published."""

import json

import pytest
from django.contrib.admin import site
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.gods2.packs import library
from games.gods2.packs.models import ENTRIES, PackFeature, PackKnowledge, PackPower, PackVersion
from tests.api.worlds import client

pytestmark = [pytest.mark.django_db, pytest.mark.once]
STORM = {
    "key": "storm_of_swords", "name": "Storm of Swords", "sphere": "WA", "level": "3", "kind": "history",
    "codes": "[Bf]", "cost": "8", "cost_kind": "fixed", "target": "race", "requires": "- {worships: caster}",
    "duration": "", "origin": "ours", "position": "0",
    "effects": "- {op: kill, scope: race, mode: percent, amount: 10}",
}  # fmt: skip


@pytest.fixture(autouse=True)
def house(db) -> PackVersion:
    """The pack of the house, in rows."""
    caches["throttles"].clear()
    library.import_packs()
    return PackVersion.objects.get(number=1)


@pytest.fixture
def draft(house) -> PackVersion:
    """A copy of it."""
    return library.copy_version(house, name="House rules")


@pytest.fixture
def root(db) -> User:
    return User.objects.create_superuser("root", password="seven-gates-of-horn")


@pytest.fixture
def page(root) -> Client:
    """A browser of an administrator."""
    client = Client()
    client.force_login(root)
    return client


def url(model, action="changelist", *args) -> str:
    return reverse(f"admin:gods2_packs_{model._meta.model_name}_{action}", args=args)


def add(page, draft, **changes):
    return page.post(url(PackPower, "add"), {**STORM, "pack": str(draft.pk), **changes})


def errors(answer) -> dict[str, list[str]]:
    assert answer.status_code == 200
    return {field: list(messages) for field, messages in answer.context["adminform"].form.errors.items()}


def test_every_page_of_packs_opens(page, house, draft):
    for model in (PackVersion, *ENTRIES):
        assert site.is_registered(model)
        assert page.get(url(model)).status_code == 200
    for model in ENTRIES:
        assert page.get(url(model, "add")).status_code == 200
        for pack in (house, draft):
            row = model._default_manager.filter(pack=pack).first()
            assert page.get(url(model, "change", row.pk)).status_code == 200
    for pack in (house, draft):
        assert page.get(url(PackVersion, "change", pack.pk)).status_code == 200


def test_a_power_is_added_without_code_and_played_with_when_published(page, draft):
    assert add(page, draft).status_code == 302
    power = PackPower.objects.get(pack=draft, key="storm_of_swords")
    assert (json.loads(power.cost), json.loads(power.codes), power.position) == (8, ["Bf"], 107)

    answer = page.post(reverse("admin:gods2_packs_packversion_publish", args=[draft.pk]))

    assert answer.status_code == 302
    number = PackVersion.objects.get(pk=draft.pk).number
    assert number == max(library.pack_files()) + 1
    assert library.load_published(number).powers["storm_of_swords"].effects[0].amount == 10


@pytest.mark.parametrize(
    ("_case", "changes", "field", "message"),
    [
        ("an unknown operation", {"effects": "- {op: smite}"}, "effects", "0: there is no operation smite"),
        ("an unknown field", {"effects": "- {op: grow, pct: 5, size: 3}"}, "effects", "no such field"),
        ("an effect that is no YAML", {"effects": "- {op: grow"}, "effects", "This is no YAML: line 1"),
        ("a bad resistance", {"effects": "- {op: resist, code: F-0}"}, "effects", "F, E, N, W, A, I or X"),
        ("a knowledge that is not there", {"effects": "- {op: learn, knowledge: moonwalk}"}, "effects", "no knowledge"),
        ("a bad code", {"codes": "[Q]"}, "codes", "'Q'"),
        ("a bad cost", {"cost": "2*moons"}, "cost", "is no cost; write whole numbers"),
        ("a bad duration", {"duration": "Q/2"}, "duration", "Q/2"),
        ("a level too high", {"level": "9"}, "level", "less than or equal to 6"),
        ("an unknown sphere", {"sphere": "ZZ"}, "sphere", "no sphere ZZ"),
        ("an unknown target", {"target": "moon"}, "target", "moon"),
        ("a key with blanks", {"key": "storm of swords"}, "key", "storm of swords"),
        ("a key that is taken", {"key": "flood"}, "key", "choose another key"),
        ("a condition of no name", {"requires": "- {adores: caster}"}, "requires", "no condition adores"),
        ("nested too deep", {"effects": "[" * 3000}, "effects", "levels"),
        ("a bomb of references", {"effects": "- &a [x]\n- [*a, *a]"}, "effects", "no references"),
        ("too long", {"effects": "x" * 20_001}, "effects", "20000"),
    ],
)
def test_a_validation_error_is_shown_beside_its_field_and_nothing_is_saved(_case, changes, field, message, page, draft):
    found = errors(add(page, draft, **changes))
    assert message in " ".join(found[field])
    assert not PackPower.objects.filter(pack=draft, name="Storm of Swords").exists()


def test_the_rule_behind_a_refusal_is_named(page, draft):
    found = errors(add(page, draft, effects="- {op: resist, code: F-0}"))
    assert "G2-RES-2" in found["effects"][0]


def test_a_feature_and_a_knowledge_are_changed_and_tiers_follow(page, draft):
    feature = PackFeature.objects.get(pack=draft, key="fertile_land")
    sent = {
        "position": "1", "key": feature.key, "name": "Black earth", "origin": "ours", "code": "Fl", "terrains": "[L]",
        "effects": "- {op: limit_add, where: here, amount: 3}",
    }  # fmt: skip
    assert page.post(url(PackFeature, "change", feature.pk), sent).status_code == 302
    feature.refresh_from_db()
    assert (feature.name, json.loads(feature.effects)[0]["amount"], feature.pack) == ("Black earth", 3, draft)

    values = {
        "key": "alchemy",
        "name": "Alchemy",
        "code": "Ks",
        "prereqs": "[astronomy]",
        "requires": "",
        "effects": "",
    }
    answer = page.post(url(PackKnowledge, "add"), {**values, "origin": "ours", "position": "0", "pack": str(draft.pk)})
    assert answer.status_code == 302
    tiers = dict(PackKnowledge.objects.filter(pack=draft).values_list("key", "tier"))
    assert tiers["alchemy"] == tiers["astronomy"] + 1
    shown = page.get(url(PackVersion, "change", draft.pk)).content.decode()
    assert "knowledges/alchemy: no power teaches it; add one with the operation learn (G2-KNOW-7)" in shown


def test_an_invalid_draft_is_not_published_and_every_reason_is_shown(page, draft):
    PackPower.objects.filter(pack=draft, key__in=["great_deluge", "teach_writing"]).delete()
    answer = page.post(reverse("admin:gods2_packs_packversion_publish", args=[draft.pk]))
    text = " ".join(answer.context["form"].non_field_errors())
    assert "knowledges/writing" in text and "spheres/SE" in text and "pack.invalid" in text
    assert PackVersion.objects.get(pk=draft.pk).state == "draft"


def test_asking_to_publish_publishes_nothing(page, draft):
    assert page.get(reverse("admin:gods2_packs_packversion_publish", args=[draft.pk])).status_code == 200
    assert PackVersion.objects.get(pk=draft.pk).state == "draft"


def test_a_version_is_copied_to_a_draft(page, house, root):
    answer = page.post(reverse("admin:gods2_packs_packversion_copy", args=[house.pk]), {"name": "Winter rules"})
    draft = PackVersion.objects.get(name="Winter rules")
    assert answer.url == url(PackVersion, "change", draft.pk)
    assert (draft.state, draft.parent, draft.created_by) == ("draft", house, root)
    assert library.raw_of(draft) == library.raw_of(house)


def test_what_is_published_is_there_to_read_only(page, house):
    for model in ENTRIES:
        row = model._default_manager.filter(pack=house).first()
        before = row.plain()
        assert page.post(url(model, "change", row.pk), {"name": "Other"}).status_code == 403
        assert page.post(url(model, "delete", row.pk), {"post": "yes"}).status_code == 403
        page.post(url(model), {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"})
        assert model._default_manager.get(pk=row.pk).plain() == before
    found = errors(add(page, house))
    assert "pack" in found
    assert page.post(url(PackVersion, "delete", house.pk), {"post": "yes"}).status_code == 403


def test_publishing_needs_the_right_to_change_packs(draft):
    User.objects.create_user("clerk", password="seven-gates-of-horn", is_staff=True)
    clerk = Client()
    clerk.force_login(User.objects.get(username="clerk"))
    for action in ("publish", "copy"):
        address = reverse(f"admin:gods2_packs_packversion_{action}", args=[draft.pk])
        assert clerk.post(address, {"name": "x"}).status_code == 403
    assert not PackVersion.objects.filter(number__gt=max(library.pack_files())).exists()


def test_everybody_reads_published_packs_and_only_staff_reads_drafts(house, draft, root):
    player = User.objects.create_user("ana", password="seven-gates-of-horn")
    for who, expected in ((None, {1, 2, 3}), (player, {1, 2, 3}), (root, {1, 2, 3, None})):
        reader = client(who)
        versions = reader.get("/api/v1/gods2/packs/").json()["results"]
        assert {v["number"] for v in versions} == expected
        rows = reader.get(f"/api/v1/gods2/pack-powers/?pack={draft.pk}&key=flood").json()["results"]
        assert len(rows) == (1 if None in expected else 0)


def test_powers_are_filtered_and_shown_with_price_and_effects(house):
    answer = Client().get("/api/v1/gods2/pack-powers/?version=1&sphere=SE&level=1&limit=100")
    rows = answer.json()["results"]
    assert rows and {(r["sphere"], r["level"], r["pack"]) for r in rows} == {("SE", 1, str(house.pk))}
    pack = library.load_published(1)
    assert [(r["key"], r["cost"], r["name"]) for r in rows] == [
        (p.id, p.cost, p.name) for p in pack.powers.values() if (p.sphere, p.level) == ("SE", 1)
    ]
    assert all(isinstance(r["effects"], list) and isinstance(r["codes"], list) for r in rows)


def test_graphql_shows_the_same(house):
    query = """{ gods2Packs(filters: {number: {exact: 1}}) { edges { node {
        packPowers(filters: {key: {exact: "flood"}}) { edges { node { key cost codes effects } } } } } } }"""
    answer = Client().post("/graphql/", json.dumps({"query": query}), content_type="application/json").json()
    assert "errors" not in answer, answer
    (pack,) = answer["data"]["gods2Packs"]["edges"]
    (edge,) = pack["node"]["packPowers"]["edges"]
    flood = library.load_published(1).powers["flood"]
    assert (edge["node"]["key"], edge["node"]["cost"]) == ("flood", flood.cost)
