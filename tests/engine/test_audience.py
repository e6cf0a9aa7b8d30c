"""Audiences: one key for each set of readers, and one filter."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.audience import (
    GM_READER,
    PUBLIC,
    SERVER,
    readable,
    reader,
    readers_of,
    seat_and_gm,
    seats,
)

SOME = st.lists(st.uuids(version=4), max_size=6)


@given(SOME, st.booleans(), st.randoms(use_true_random=False))
def test_the_same_readers_have_the_same_key(ids, gm, shuffler):
    twice = [*ids, *ids]
    shuffler.shuffle(twice)
    assert seats(*twice, gm=gm) == seats(*ids, gm=gm)


@given(SOME, st.booleans(), SOME, st.booleans())
def test_other_readers_have_another_key(one, one_gm, other, other_gm):
    same = (set(one), one_gm) == (set(other), other_gm)
    assert (seats(*one, gm=one_gm) == seats(*other, gm=other_gm)) is same


@given(SOME, st.booleans())
def test_a_key_lists_its_readers(ids, gm):
    assert readers_of(seats(*ids, gm=gm)) == {reader(i) for i in ids} | ({GM_READER} if gm else set())


@pytest.mark.rule("CF-9")
@given(SOME, st.booleans(), SOME, st.booleans())
def test_an_audience_is_read_by_its_readers_and_nobody_else(ids, gm, viewers, as_gm):
    assert readable(seats(*ids, gm=gm), viewers, as_gm) is (bool(set(ids) & set(viewers)) or (gm and as_gm))


@given(SOME, st.booleans())
def test_everybody_reads_what_is_public_and_nobody_what_is_the_servers(viewers, gm):
    assert readable(PUBLIC, viewers, gm)
    assert not readable(SERVER, viewers, gm)
    assert readers_of(PUBLIC) == readers_of(SERVER) == frozenset()


def test_nobody_at_all_is_the_server():
    assert seats() == SERVER


def test_a_secret_of_a_seat_is_read_by_its_game_master_too():
    seat = UUID(int=7)
    assert seat_and_gm(seat) == f"gm+seat:{seat}"


def test_twenty_seats_and_the_game_master_fit_into_one_key():
    assert len(seats(*(UUID(int=n) for n in range(20)), gm=True)) <= 1000  # characters of an `audience` column
