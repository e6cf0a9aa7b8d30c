"""What a process remembers: bounded by number and by age, the same for everything that is remembered."""

from core.process_cache import ProcessCache, clear_process_caches


def test_the_longest_unused_makes_room():
    cache: ProcessCache[str, int] = ProcessCache(2)
    for key, value in (("a", 1), ("b", 2)):
        cache.put(key, value)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert (cache.get("a"), cache.get("b"), cache.get("c"), len(cache)) == (1, None, 3, 2)


def test_a_removed_value_is_gone_and_a_cache_of_size_0_stores_nothing():
    cache, none = ProcessCache[str, int](2), ProcessCache[str, int](0)
    cache.put("a", 1)
    none.put("a", 1)
    assert (cache.pop("a"), cache.pop("a"), none.get("a")) == (1, None, None)


def test_a_value_is_replaced_unless_the_condition_on_the_present_one_holds():
    cache: ProcessCache[str, int] = ProcessCache(2)
    for value in (2, 1, 3):
        cache.put("a", value, unless=lambda here, value=value: here > value)
    assert cache.get("a") == 3
    cache.put("a", 1, unless=lambda here: here > 1)
    assert cache.get("a") == 3


def test_a_value_is_forgotten_after_its_seconds():
    cache: ProcessCache[str, int] = ProcessCache(2, seconds=0)
    cache.put("a", 1)
    assert cache.get("a") is None


def test_all_caches_are_forgotten_together():
    one, other = ProcessCache[str, int](2), ProcessCache[int, str](2, 60)
    one.put("a", 1)
    other.put(1, "a")
    clear_process_caches()
    assert (len(one), len(other)) == (0, 0)
