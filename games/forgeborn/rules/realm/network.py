"""Networks: what hangs together, and the cheapest links that make it so."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)
Pair = tuple[Node, Node]


class Networks:
    """The numbers 0 to n - 1 in networks that grow together."""

    def __init__(self, count: int) -> None:
        self._network = list(range(count))

    def are_joined(self, one: int, other: int) -> bool:
        """Whether two belong to the same network."""
        return self._network[one] == self._network[other]

    def join(self, one: int, other: int) -> None:
        """Make one network of the two."""
        left, stays = self._network[other], self._network[one]
        self._network = [stays if each == left else each for each in self._network]

    def parts(self) -> list[tuple[int, ...]]:
        """The networks, each by rising numbers, that of the least number first."""
        found: dict[int, list[int]] = {}
        for number, network in enumerate(self._network):
            found.setdefault(network, []).append(number)
        return [tuple(numbers) for numbers in found.values()]


def spanning_pairs(
    count: int, cost: Callable[[int, int], int], is_free: Callable[[int, int], bool]
) -> tuple[list[tuple[int, int]], Networks]:
    """The cheapest free pairs that close no circle, and the networks that they make (FB-MAP-9).

    Of equally dear pairs the one of the lesser first number is taken first, then of the lesser second.
    """
    networks, found = Networks(count), list[tuple[int, int]]()
    for one, other in sorted(combinations(range(count), 2), key=lambda pair: (cost(*pair), pair)):
        if not networks.are_joined(one, other) and is_free(one, other):
            networks.join(one, other)
            found.append((one, other))
    return found, networks


def cut_off(start: Node, nodes: Sequence[Node], links: Iterable[Pair[Node]]) -> list[Node]:
    """The nodes that no chain of links leads to from the start, in their order."""
    beside: dict[Node, list[Node]] = {}
    for a, b in links:
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    seen, waiting = {start}, [start]
    while waiting:
        for each in beside.get(waiting.pop(), ()):
            if each not in seen:
                seen.add(each)
                waiting.append(each)
    return [node for node in nodes if node not in seen]
