"""Rows of worlds: what the database itself refuses, and numbers that follow from ids."""

from uuid import UUID

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from worlds.atlas import lay_out, read_letters
from worlds.ids import INKS, colours_apart, square_id, square_xy, world_number
from worlds.models import (
    Army,
    Artifact,
    Avatar,
    Chronicle,
    City,
    Deity,
    Feature,
    Order,
    PantheonShare,
    Person,
    Place,
    PlaceSquare,
    Presence,
    Race,
    Route,
    Square,
    World,
)
from worlds.models import world as world_models


def assert_refused_by(constraint, make, **values):
    """The database refuses the row, naming the constraint or the columns it guards, and stores none of it."""
    before = make.count()
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        make.create(**values)
    assert make.count() == before


def test_the_number_of_a_world_follows_from_its_id_and_has_38_bits():
    world = UUID("00000000-0000-4000-8000-000000000001")

    assert world_number(world) == world_number(UUID(str(world)))
    assert 0 <= world_number(world) < 2**38
    assert World(id=world, name="a", width=1, height=1).number == world_number(world)
    assert world_number(UUID(int=1)) != world_number(UUID(int=2))


@pytest.mark.django_db
def test_a_row_that_a_person_makes_has_the_slot_of_its_world():
    world = World.objects.create(id=UUID("a5c00000-0000-4000-8000-000000000001"), name="Small", width=2, height=1)
    lay_out(world, read_letters("PF"))
    square = Square.objects.get(world=world, x=0)
    race = Race.objects.create(world=world, name="Elves")
    sun = Deity.objects.create(world=world, name="Sun")
    (feature,) = Feature.objects.bulk_create([Feature(world=world, square=square, kind="river")])
    rows = [
        race,
        sun,
        feature,
        Order.objects.create(race=race, kind="guild", name="Bards"),
        Army.objects.create(race=race, square=square),
        Avatar.objects.create(deity=sun, name="Ra"),
        Person.objects.create(world=world, name="Mim", kind="character"),
    ]

    assert {str(row.pk)[:3] for row in rows} == {"a5c"}
    assert len({row.pk for row in rows}) == len(rows)


@pytest.mark.django_db
def test_a_new_world_whose_number_is_taken_gets_another_id_in_its_slot(monkeypatch):
    one = World.objects.create(id=UUID("a5c00000-0000-4000-8000-000000000001"), name="One", width=0, height=0)
    wanted = UUID("a5c00000-0000-4000-8000-000000000002")
    numbers = {wanted: one.number}
    monkeypatch.setattr(world_models, "world_number", lambda key: numbers.get(key) or world_number(key))

    other = World.objects.create(id=wanted, name="Other", width=0, height=0)

    assert other.pk not in (one.pk, wanted) and str(other.pk)[:3] == "a5c"
    assert other.number == world_number(other.pk) != one.number
    assert set(World.objects.values_list("pk", flat=True)) == {one.pk, other.pk}


@pytest.mark.django_db
def test_a_world_is_refused_when_no_number_is_free(monkeypatch):
    World.objects.create(name="One", width=0, height=0)
    monkeypatch.setattr(world_models, "world_number", lambda key: World.objects.get(name="One").number)
    with pytest.raises(IntegrityError):
        World.objects.create(name="Other", width=0, height=0)
    assert World.objects.count() == 1


def test_square_ids_of_a_world_are_one_unbroken_range_row_by_row(small):
    first, last = small.square_range

    assert list(Square.objects.order_by("id").values_list("id", flat=True)) == list(range(first, last + 1))
    assert small.square_id(2, 1) == last == first + 5
    assert square_xy(last, 3) == (2, 1)
    assert square_id(1, 3, 0, 1) == (1 << 24) + 3


@pytest.mark.parametrize(("x", "y"), [(3, 0), (-1, 0), (0, 2), (0, -1)])
def test_a_square_off_the_map_has_no_id(x, y):
    with pytest.raises(ValueError, match="No square"):
        World(name="a", width=3, height=2).square_id(x, y)


def test_the_largest_world_fits_into_a_signed_64_bit_key():
    assert square_id(2**38 - 1, 4096, 4095, 4095) < 2**63


def test_a_world_has_two_sides_or_none(db):
    assert_refused_by("world_both_sides_or_none", World.objects, name="a", width=3, height=0)
    assert_refused_by("world_sides_within_limit", World.objects, name="a", width=4097, height=1)
    assert_refused_by("world_name_filled", World.objects, name="", width=1, height=1)
    assert_refused_by("world_adjacency_known", World.objects, name="a", width=1, height=1, adjacency=6)
    assert World.objects.create(name="Without a map", width=0, height=0).width == 0


def test_two_worlds_never_share_their_number(small):
    with pytest.raises(IntegrityError, match="number"), transaction.atomic():
        World.objects.bulk_create([World(name="a", width=1, height=1, number=small.number)])


def test_a_square_stands_once_and_has_terrain(small):
    assert_refused_by("square_once|worlds_square", Square.objects, id=7, world=small, x=0, y=0, terrain="P")
    assert_refused_by("square_terrain_filled", Square.objects, id=7, world=small, x=9, y=9, terrain="")


def test_names_of_races_are_unique_in_a_world_whatever_their_case(small, elves):
    assert_refused_by("race_name_once", Race.objects, world=small, name="ELVES")
    other = World.objects.create(name="Other", width=0, height=0)
    assert Race.objects.create(world=other, name="elves").name == "elves"


def test_a_presence_has_units_and_stands_once(small, elves):
    square = small.square_id(0, 0)
    Presence.objects.create(race=elves, square_id=square, units=3)

    assert_refused_by("presence_has_units", Presence.objects, race=elves, square_id=square + 1, units=0)
    assert_refused_by("presence_once|worlds_presence", Presence.objects, race=elves, square_id=square, units=1)


@pytest.mark.rule("G2-MAP-7")
def test_a_square_carries_many_features_but_one_city(small, elves):
    square = small.square_id(0, 0)
    Feature.objects.create(world=small, square_id=square, kind="river")
    Feature.objects.create(world=small, square_id=square, kind="volcano")
    City.objects.create(world=small, race=elves, square_id=square)

    assert_refused_by("square_id", City.objects, world=small, race=elves, square_id=square)
    assert_refused_by("city_kind_known", City.objects, world=small, race=elves, square_id=square + 1, kind="huge")
    assert_refused_by("feature_kind_filled", Feature.objects, world=small, square_id=square, kind="")


def test_armies_have_strength_and_orders_a_name(small, elves):
    assert_refused_by("army_has_strength", Army.objects, race=elves, square_id=small.square_id(0, 0), strength=0)
    assert_refused_by("order_name_filled", Order.objects, race=elves, name="", kind="guild")


@pytest.mark.rule("G2-PAN-2")
def test_a_pantheon_share_belongs_to_a_deity_or_to_diabolism_or_atheism(small, elves):
    ra = Deity.objects.create(world=small, name="Ra")
    shares = PantheonShare.objects
    shares.create(race=elves, deity=ra, share=6000)
    shares.create(race=elves, special="atheism", share=4000)

    assert_refused_by("pantheon_share_one_member", shares, race=elves, share=1)
    assert_refused_by("pantheon_share_one_member", shares, race=elves, deity=ra, special="diabolism", share=1)
    assert_refused_by("pantheon_share_one_member", shares, race=elves, special="optimism", share=1)
    assert_refused_by("share_deity_once|worlds_pantheonshare", shares, race=elves, deity=ra, share=1)
    assert_refused_by("share_special_once|worlds_pantheonshare", shares, race=elves, special="atheism", share=1)


@pytest.mark.rule("G2-PAN-1")
@pytest.mark.parametrize("share", [0, 10_001])
def test_a_share_is_more_than_nothing_and_at_most_all(elves, share):
    assert_refused_by("pantheon_share_in_range", PantheonShare.objects, race=elves, special="atheism", share=share)


def test_a_deity_is_of_a_known_kind_and_status(small):
    assert_refused_by("deity_kind_known", Deity.objects, world=small, name="a", kind="cat")
    assert_refused_by("deity_status_known", Deity.objects, world=small, name="a", status="asleep")
    Deity.objects.create(world=small, name="Ra")
    assert_refused_by("deity_name_once", Deity.objects, world=small, name="rA")


def test_a_deity_with_shares_is_not_deleted_but_goes_with_its_world(small, elves):
    ra = Deity.objects.create(world=small, name="Ra")
    PantheonShare.objects.create(race=elves, deity=ra, share=10_000)

    with pytest.raises(IntegrityError):
        ra.delete()
    small.delete()

    assert not Deity.objects.exists()
    assert not Square.objects.exists()


def test_an_artifact_has_one_holder_at_most(small, elves):
    ra = Deity.objects.create(world=small, name="Ra")
    ring = Artifact.objects.create(world=small, name="Ring", race=elves)

    assert_refused_by("artifact_one_holder_at_most", Artifact.objects, world=small, name="Two", race=elves, deity=ra)
    assert ring.holder == elves
    assert Artifact.objects.create(world=small, name="Lost").holder is None


@pytest.mark.parametrize("kind", ["deity", "race", "place"])
def test_a_person_holds_an_artifact_alone(small, elves, kind):
    mim = Person.objects.create(world=small, name="Mim", kind="character")
    held = {
        "deity": Deity.objects.create(world=small, name="Ra"),
        "race": elves,
        "place": Place.objects.create(world=small, kind="land", name="Here"),
    }
    ring = Artifact.objects.create(world=small, name="Ring", person=mim)
    cup = Artifact.objects.create(world=small, name="Cup", **{kind: held[kind]})

    two = {kind: held[kind], "person": mim}
    assert_refused_by("artifact_one_holder_at_most", Artifact.objects, world=small, name="Two", **two)
    assert ring.holder == mim
    assert cup.holder == held[kind]
    mim.delete()
    ring.refresh_from_db()
    assert ring.holder is None


def test_a_person_has_a_name_and_a_kind_and_is_somewhere_once_at_most(small):
    here = Place.objects.create(world=small, kind="land", name="Here")
    square = small.square_id(0, 0)

    assert_refused_by("person_name_filled", Person.objects, world=small, name="", kind="prince")
    assert_refused_by("person_kind_filled", Person.objects, world=small, name="Mim", kind="")
    both = {"name": "Mim", "kind": "prince", "place": here, "square_id": square}
    assert_refused_by("person_somewhere_once_at_most", Person.objects, world=small, **both)
    there = Person.objects.create(world=small, name="Mim", kind="prince", square_id=square)
    assert there.whereabouts == Square.objects.get(pk=square)
    assert Person.objects.create(world=small, name="Mim", kind="prince", place=here).whereabouts == here
    assert Person.objects.create(world=small, name="Mim", kind="prince").whereabouts is None


def test_a_person_outlives_the_place_and_the_square_where_they_were(small):
    here = Place.objects.create(world=small, kind="land", name="Here")
    Person.objects.create(world=small, name="Mim", kind="prince", place=here)
    Person.objects.create(world=small, name="Tam", kind="monster", square_id=small.square_id(0, 0))

    here.delete()
    Square.objects.all().delete()

    assert list(Person.objects.values_list("name", "place", "square")) == [("Mim", None, None), ("Tam", None, None)]


def test_a_person_of_another_worlds_place_or_with_a_kind_of_many_words_is_refused_by_the_form(small):
    other = World.objects.create(name="Other", width=0, height=0)
    there = Place.objects.create(world=other, kind="land", name="There")

    with pytest.raises(ValidationError) as refusal:
        Person(world=small, name="Mim", kind="prince", place=there).full_clean()
    assert set(refusal.value.message_dict) == {"place"}
    with pytest.raises(ValidationError) as refusal:
        Person(world=other, name="Mim", kind="prince", square_id=small.square_id(0, 0)).full_clean()
    assert set(refusal.value.message_dict) == {"square"}
    with pytest.raises(ValidationError) as refusal:
        Person(world=small, name="Mim", kind="A Prince").full_clean()
    assert set(refusal.value.message_dict) == {"kind"}


def test_a_chronicle_counts_from_one_and_has_each_event_once(small):
    entry = UUID(int=5)
    Chronicle.objects.create(world=small, position=1, text="It begins.", entry=entry)

    assert_refused_by("chronicle_position_once|position", Chronicle.objects, world=small, position=1, text="Again.")
    assert_refused_by(
        "chronicle_entry_once|entry", Chronicle.objects, world=small, position=2, text="Again.", entry=entry
    )
    assert_refused_by("chronicle_from_one", Chronicle.objects, world=small, position=0, text="Before.")
    assert_refused_by("chronicle_text_filled", Chronicle.objects, world=small, position=3, text="")


def test_a_route_leads_to_another_place_and_a_point_is_whole(small):
    here = Place.objects.create(world=small, kind="village", name="Here", x=3, y=4)
    PlaceSquare.objects.create(place=here, square_id=small.square_id(0, 0))

    assert_refused_by("route_leads_elsewhere", Route.objects, world=small, from_place=here, to_place=here)
    assert_refused_by("place_point_whole_or_none", Place.objects, world=small, kind="village", name="Half", x=3)
    assert_refused_by(
        "place_square_once|worlds_placesquare", PlaceSquare.objects, place=here, square_id=small.square_id(0, 0)
    )


def test_a_colour_is_written_with_a_hash(small):
    assert_refused_by("race_colour_hash", Race.objects, world=small, name="Bad", colour="red")


def test_colours_of_races_stay_apart_and_do_not_depend_on_the_order():
    races = {UUID(int=number * 7919): "" for number in range(12)}

    colours = colours_apart(races)

    assert len(set(colours.values())) == 12
    assert set(colours.values()) <= set(INKS)
    assert colours == colours_apart(dict(reversed(races.items())))
    assert colours_apart({UUID(int=0): "#123456"}) == {UUID(int=0): "#123456"}
