"""What is open in Dawn stands in rows until it is settled: powers, conflicts, motions, offers, wars. And rewinding."""

import json

import pytest
from django.utils import timezone

from games.dawn import models as own
from games.dawn.rules.turn.commands import EndTurn
from games.engine.audience import SERVER
from games.models import Answer
from tests.api.dawn import graphql
from tests.games.dawn import begin, command, peopled_world, record_named
from tests.games.moments import rewind_to
from worlds.models import Artifact, City, Holding

pytestmark = pytest.mark.django_db


@pytest.mark.rule("DW-LAND-3", "DW-DC-2", "DW-DC-4", "DW-DC-5")
def test_a_power_that_is_asked_for_and_fought_over_stands_in_rows_until_it_is_settled() -> None:
    here = begin()
    here.turn_of("bob")
    here.grant("bob", 20)
    here.shape("bob", "Bob's shore", (0, 0), (1, 0))
    here.turn_of("ann")
    here.grant("ann", 20)
    here.shape("ann", "Ann's shore", (1, 0), (2, 0))
    power = own.Power.objects.get(game=here.id)
    assert (power.does, power.caster_id, power.price_row, power.price) == (
        "shape-land", here.seats["ann"], "shape_mundane", 2,
    )  # fmt: skip
    assert own.Hold.objects.get(undertaking=power.pk).amount == 2
    assert own.Purse.objects.get(seat=here.seats["ann"]).held == 2
    here.rows_agree()
    here.run(command("answer-leave", prompt=here.prompt_of("ask.leave"), yes=False), "bob")
    here.run(command("open-conflict", prompt=here.prompt_of("ask.decide")), "ann")
    conflict = own.Conflict.objects.get(game=here.id)
    assert (conflict.cause, conflict.invoker_id, conflict.challenger_id, conflict.about) == (
        "leave", here.seats["ann"], here.seats["bob"], power.pk,
    )  # fmt: skip
    here.run(command("place-bid", conflict=conflict.pk, total=3), "ann")
    conflict.refresh_from_db()
    assert (conflict.paid_invoker, conflict.paid_challenger, conflict.to_act) == (3, 0, 1)
    here.rows_agree()
    here.run(command("fold", conflict=conflict.pk), "bob")
    assert (own.Conflict.objects.count(), own.Power.objects.count(), own.Hold.objects.count()) == (0, 0, 0)
    shaped = own.SquareSheet.objects.get(square__world=here.game.world, square__x=1, square__y=0)
    assert (shaped.shaped_by_id, shaped.region.name) == (here.seats["ann"], "Ann's shore")
    here.rows_agree()


@pytest.mark.rule("DW-AGE-5")
def test_ballots_are_answers_for_their_own_seat_until_the_motion_is_closed() -> None:
    here = begin()
    here.run(command("open-motion", length=7), "ann")
    motion = own.Motion.objects.get(game=here.id)
    assert (motion.by_id, motion.length) == (here.seats["ann"], 7)
    here.run(command("cast-ballot", motion=motion.pk, yes=True), "bob")
    ballot = Answer.objects.get(prompt_id=motion.pk)
    assert (ballot.owner, ballot.audience) == (f"seat:{here.seats['bob']}",) * 2
    here.rows_agree()
    dry_run_events = here.run(command("cast-ballot", motion=motion.pk, yes=True), "cat", dry_run=True).dry_run_events
    rows = [type(h.event).__name__ for h in dry_run_events if h.audience != SERVER]
    assert rows == ["BallotCast", "BallotSealed"]  # how the others voted is theirs
    here.run(command("cast-ballot", motion=motion.pk, yes=True), "cat")
    assert own.Motion.objects.count() == 1  # though it is certain
    last = here.run(command("cast-ballot", motion=motion.pk, yes=False), "ann", dry_run=True).dry_run_events
    rows = [type(h.event).__name__ for h in last if h.audience != SERVER]
    assert rows == ["BallotCast", "BallotSealed"], "nor does who votes last learn in a dry run what would be opened"
    here.run(command("cast-ballot", motion=motion.pk, yes=False), "ann")
    assert (own.Motion.objects.count(), own.Course.objects.get(game=here.id).length) == (0, 7)
    here.rows_agree()


def test_offers_and_standing_answers_are_rows_of_their_own() -> None:
    here = begin()
    here.turn_of("ann")
    here.run(command("make-offer", to=here.seats["bob"], give=1, want=1, memo="To friendship."), "ann")
    offer = own.Offer.objects.get(game=here.id)
    assert (offer.maker_id, offer.taker_id, offer.give, offer.want) == (here.seats["ann"], here.seats["bob"], 1, 1)
    here.run(command("set-standing-answer", kind="leave", seat=here.seats["ann"], answer="always"), "cat")
    here.run(command("set-standing-answer", kind="max_bid", max_bid=9), "cat")
    rows = own.Advance.objects.filter(seat=here.seats["cat"]).order_by("kind")
    assert [(a.kind, a.answer, a.most, a.audience) for a in rows] == [
        ("leave", "always", 0, f"seat:{here.seats['cat']}"), ("max_bid", "ask", 9, f"seat:{here.seats['cat']}"),
    ]  # fmt: skip
    here.rows_agree()
    here.run(EndTurn(), "ann")
    assert own.Offer.objects.count() == 0
    here.rows_agree()


@pytest.mark.rule("DW-WAR-1", "DW-WAR-4", "DW-WAR-10")
def test_a_war_stands_in_a_row_and_a_fallen_city_in_its_own() -> None:
    """Sealed armies are answers for their own seat; whichever side wins, the rows are those of the log."""
    here = peopled_world()
    town, prey = (City.objects.get(world=here.game.world, name=name) for name in ("Oakhold", "Deephall"))
    army = record_named(here.state.avatars, "Horn").leads
    orders = {"target": {"square": {"x": 3, "y": 1}}, "armies": [str(army)]}
    here.run(command("command-city", city=town.pk, act="war", args=orders), "ann")
    war = own.War.objects.get(game=here.id)
    assert (war.attacker_id, (war.square.x, war.square.y), war.city_id) == (here.seats["ann"], (3, 1), prey.pk)
    assert json.loads(war.armies) == [str(army)]
    here.rows_agree()
    for _ in range(30):
        if not own.War.objects.exists():
            break
        here.fire()
    assert not own.War.objects.exists()
    here.rows_agree()
    assert here.events_of("WarEnded", "CityFell")


@pytest.mark.rule("DW-MIR-2", "DW-MIR-5")
def test_a_razed_city_goes_with_its_edges_and_another_may_stand_in_its_place() -> None:
    here = peopled_world()
    prey = City.objects.get(world=here.game.world, name="Deephall")
    standing = here.game.seq
    values = {"kind": "catastrophe", "works": "raze_city", "squares": [{"x": 3, "y": 1}], "targets": [prey.pk]}
    here.run(command("work-wonder", **values), "ann")
    here.let_pass("bob")
    assert not City.objects.filter(name="Deephall").exists() and not own.Edge.objects.filter(target=prey.pk).exists()
    assert own.Edge.objects.filter(game=here.id).count() == 3
    here.rows_agree()
    to = here.game.seq
    here.turn_of("bob")
    dwarves = record_named(here.state.races, "Dwarves").id
    found = {"square": {"x": 3, "y": 1}, "name": "Deephall the Second"}
    here.run(command("command-race", race=dwarves, act="found_city", args=found), "bob")
    here.rows_agree()
    here.run(rewind_to(here.id, to, "Not yet."), "gm")
    assert not City.objects.filter(name__startswith="Deephall").exists()
    here.run(rewind_to(here.id, standing, "It did not happen."), "gm")
    back = City.objects.get(name="Deephall")
    assert (back.pk, back.dawn_edges.count()) == (prey.pk, 1)
    here.rows_agree()


def test_a_city_that_takes_the_place_of_another_by_a_rewind_is_saved() -> None:
    """What is gone is deleted before what comes is written: the square holds one city at a time."""
    here = peopled_world()
    prey = City.objects.get(world=here.game.world, name="Deephall")
    before = here.game.seq
    values = {"kind": "catastrophe", "works": "raze_city", "squares": [{"x": 3, "y": 1}], "targets": [prey.pk]}
    here.run(command("work-wonder", **values), "ann")
    here.let_pass("bob")
    here.turn_of("bob")
    found = {"square": {"x": 3, "y": 1}, "name": "Newhall"}
    here.run(command("command-race", race=prey.race_id, act="found_city", args=found), "bob")
    here.run(rewind_to(here.id, before, "Both, one after the other."), "gm")
    assert City.objects.get(square_id=prey.square_id).pk == prey.pk
    here.rows_agree()


@pytest.mark.rule("DW-MIR-7")
def test_a_saved_city_says_so_in_its_row_in_both_apis_and_a_rewind_takes_it_back() -> None:
    here = peopled_world(now=timezone.now())
    town, to = City.objects.get(world=here.game.world, name="Deephall"), here.game.seq
    saving = {"kind": "miracle", "works": "save_city", "squares": [{"x": 3, "y": 1}], "targets": [town.pk]}
    here.run(command("work-wonder", **saving), "ann")
    here.rows_agree()
    ann = str(here.seats["ann"])
    client = here.client("bob")
    (row,) = client.get(f"/api/v1/dawn/cities/?game={here.id}&saved_by={ann}").json()["results"]
    assert (row["city"], row["saved_by"]) == (str(town.pk), [ann])
    assert client.get(f"/api/v1/dawn/cities/?game={here.id}&saved_by={here.seats['bob']}").json()["results"] == []
    query = """query($g: UUID!) { game(id: $g) { ... on DawnGame {
        cities { edges { node { city { name } savedBy } } } } } }"""
    cities = graphql(client, query, g=str(here.id))["game"]["cities"]["edges"]
    assert {each["node"]["city"]["name"]: each["node"]["savedBy"] for each in cities} == {
        "Oakhold": [], "Deephall": [ann],
    }  # fmt: skip
    here.run(rewind_to(here.id, to, "Before the miracle."), "gm")
    assert own.CitySheet.objects.get(pk=town.pk).saved_by == "[]"
    here.rows_agree()
    here.run(command("work-wonder", **saving), "ann")
    assert json.loads(own.CitySheet.objects.get(pk=town.pk).saved_by) == [ann]
    here.run(EndTurn(), "ann")
    here.turn_of("ann")
    assert own.CitySheet.objects.get(pk=town.pk).saved_by == "[]"
    here.rows_agree()


@pytest.mark.rule("DW-MIR-10", "DW-ART-2", "CF-14")
def test_artifacts_of_miracles_go_with_a_city_and_its_race_and_a_rewind_takes_all_back() -> None:
    here = peopled_world()
    town, prey = (City.objects.get(world=here.game.world, name=name) for name in ("Oakhold", "Deephall"))
    losers, victors = prey.race_id, town.race_id
    before = here.game.seq
    for name, holder in (("Hammer", prey.pk), ("Crown", losers)):
        made = {"works": "artifact", "artifact": name, "targets": [holder], "text": "It is old."}
        here.run(command("work-wonder", kind="miracle", squares=[{"x": 3, "y": 1}], **made), "ann")
    hammer, crown = (Artifact.objects.get(world=here.game.world, name=name) for name in ("Hammer", "Crown"))
    assert (hammer.city_id, crown.race_id, hammer.description) == (prey.pk, losers, "It is old.")
    here.rows_agree()
    peace = here.game.seq
    here.grant("ann", 200)
    for number in range(10):
        here.run(command("gift-edge", target=victors, name=f"siege engine {number}", kind="offensive"), "ann")
    army = record_named(here.state.avatars, "Horn").leads
    orders = {"target": {"square": {"x": 3, "y": 1}}, "armies": [str(army)]}
    here.run(command("command-city", city=town.pk, act="war", args=orders), "ann")
    here.run(command("commit-armies", war=own.War.objects.get().pk, armies=[str(army)]), "ann")
    prey.refresh_from_db()
    assert prey.race_id == victors, "whatever the dice, ten more edges are enough"
    hammer.refresh_from_db()
    crown.refresh_from_db()
    assert (hammer.city_id, crown.race_id) == (prey.pk, victors)
    assert [each.race_id for each in Holding.objects.filter(artifact=crown).order_by("number")] == [losers, victors]
    here.rows_agree()
    here.run(rewind_to(here.id, peace, "No war."), "gm")
    crown.refresh_from_db()
    prey.refresh_from_db()
    assert (prey.race_id, crown.race_id, Artifact.objects.get(name="Hammer").city_id) == (losers, losers, prey.pk)
    here.rows_agree()
    here.run(rewind_to(here.id, before, "No miracles."), "gm")
    assert not Artifact.objects.filter(world=here.game.world).exists() and not Holding.objects.exists()
    here.rows_agree()
