"""Cards of characters and artifacts, as their viewer may see them, in REST and GraphQL alike."""

from typing import Any
from uuid import UUID
from xml.etree import ElementTree

import pytest
from django.test import Client

from games.drawing.cards import card_svg, in_words
from games.engine.insight.cards import Card, CardDice, CardLine, CardText
from tests.api.worlds import client, user
from tests.games.dietower import begin as evening
from tests.games.forgeborn import begin as smithy
from tests.games.forgeborn import forge
from tests.games.table import Table

pytestmark = [pytest.mark.django_db, pytest.mark.once]
SPACE = "{http://www.w3.org/2000/svg}"
QUERY = "query($g: UUID!, $k: String!, $i: UUID!) { game(id: $g) { cardSvg(kind: $k, id: $i) } }"


def get(here: Table, path: str, who: Client | None = None, status: int = 200) -> Any:
    answer = (who or client()).get(f"/api/v1/games/{here.id}/{path}")
    assert answer.status_code == status, answer.content
    return answer


def words(here: Table, kind: str, subject: UUID, who: Client | None = None, query: str = "") -> str:
    """What a card says."""
    drawn = ElementTree.fromstring(get(here, f"cards/{kind}/{subject}.svg{query}", who).content)
    return drawn.findtext(f"{SPACE}desc") or ""


@pytest.mark.rule("FB-ROW-1", "FB-ROW-2")
def test_a_smith_and_what_was_forged_have_cards():
    here = smithy()
    forge(here, "ann", others=("bob",))
    listed = get(here, "pictures/").json()["cards"]
    assert [(deck["kind"], [card["name"] for card in deck["cards"]]) for deck in listed] == [
        ("artifacts", ["Ember"]), ("characters", ["ann", "bob"]),
    ]  # fmt: skip
    ember = words(here, "artifacts", here.thing("Ember"))
    assert ember.startswith("Dice: d") and "Power: 1. Maker: ann, round 1. Holder: the Vault." in ember
    bob = words(here, "characters", here.of("bob"))
    assert bob == (
        "Dice: d12, d12, d12, d8, d8, d8, d4, d4, d4. Faces: 72. Where: Citadel of the Forge. Holds: nothing. "
        "Glory: 0 VP."
    )


def test_both_apis_draw_the_same_card_and_it_is_known_by_its_tag():
    here = smithy()
    ann = here.of("ann")
    over_rest = get(here, f"cards/characters/{ann}.svg")
    body = {"query": QUERY, "variables": {"g": str(here.id), "k": "characters", "i": str(ann)}}
    answer = client().post("/graphql/", body, content_type="application/json").json()
    assert answer["data"]["game"]["cardSvg"] == over_rest.content.decode()
    again = client().get(
        f"/api/v1/games/{here.id}/cards/characters/{ann}.svg", headers={"If-None-Match": over_rest["ETag"]}
    )
    assert again.status_code == 304


@pytest.mark.parametrize(
    "path", ["cards/characters/00000000-0000-4000-8000-000000000001.svg", "cards/dragons/{ann}.svg"]
)
def test_what_is_no_card_is_missing(path):
    here = smithy()
    refused = get(here, path.format(ann=here.of("ann")), status=404).json()
    assert refused["code"] == "card.missing"
    assert refused["detail"].endswith("lists them." if "characters" in path else "artifacts, characters.")


@pytest.mark.rule("DT-CHR-5", "DT-CHR-8")
def test_the_card_of_a_monster_says_no_more_than_its_viewer_may_know():
    here = evening()
    here.does("gm", "save-monster", name="Gnaw", health=3, weakness="salt", weapon="teeth")
    gnaw = here.of("Gnaw")
    host = client(user("host"))
    get(here, f"cards/characters/{gnaw}.svg", status=404)
    assert (
        words(here, "characters", gnaw, host, "?as=gm")
        == "Condition: active. Health: 3. Weapon: teeth. Weakness: salt."
    )
    here.does("gm", "open-encounter", members=[str(gnaw)])
    assert words(here, "characters", gnaw) == "Condition: active."
    here.does("gm", "reveal", actor=gnaw, field="weakness")
    assert words(here, "characters", gnaw) == "Condition: active. Weakness: salt."


@pytest.mark.rule("FB-TXT-2")
def test_the_deeds_of_an_artifact_can_be_asked_for():
    here = smithy()
    forge(here, "ann", others=("bob",))
    here.does("bob", "end-turn")
    thing = here.thing("Ember")
    here.does("ann", "request-artifact", artifact=thing)
    here.does("bob", "cast-ballot", yes=True)
    lines = get(here, f"chronicle/?about={thing}").json()["results"]
    kinds = [line["type"].partition(".")[2] for line in lines]
    assert kinds[0] == "ArtifactMade" and kinds[-1] == "ArtifactTaken" and "TurnStarted" not in kinds
    query = "query($g: UUID!, $a: UUID!) { game(id: $g) { chronicle(about: $a) { results { text } } } }"
    body = {"query": query, "variables": {"g": str(here.id), "a": str(thing)}}
    answer = client().post("/graphql/", body, content_type="application/json").json()
    assert [line["text"] for line in answer["data"]["game"]["chronicle"]["results"]] == [line["text"] for line in lines]
    assert get(here, "chronicle/?about=Ember", status=422).json()["code"] == "query.invalid"


def test_a_card_holds_long_names_many_dice_and_what_would_steer_a_page():
    card = Card(
        "N" * 80,
        "<script>alert(1)</script>",
        (
            CardDice("Dice", (12,) * 25),
            CardDice("None", ()),
            CardLine("Holds", ", ".join(["Ember & Ash"] * 12)),
            CardText("", "word " * 400),
        ),
    )
    drawn = ElementTree.fromstring(card_svg(card, "A game"))
    assert card_svg(card, "A game") == card_svg(card, "A game")
    assert not list(drawn.iter(f"{SPACE}script"))
    height, width = int(drawn.get("height", 0)), int(drawn.get("width", 0))
    for text in drawn.iter(f"{SPACE}text"):
        assert 0 < float(text.get("y", 0)) < max(height, 40) and 0 <= float(text.get("x", 0)) < width
    assert len(list(drawn.iter(f"{SPACE}g"))) == 25
    assert in_words(card).startswith("Dice: d12, d12") and "None: none." in in_words(card)
