"""What a chronicle tells of public events: facts of a kind in one sentence, causes beside what came of them.

Reads alone. Events have exact sentences for the feed (`Event.sentence`). A chronicle is read aloud: it tells without
figures, which stand beside a sentence, and says nothing twice.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Generic, TypeAlias, TypeVar

from games.engine.game_state import S, S_contra
from games.engine.insight.charts import Chapters
from games.engine.kernel import Event, EventRecord
from games.engine.wording import listing, with_article

E = TypeVar("E", bound=Event)
MAX_NAMES = 3
"""So many names stand in a row; of more the last ones are counted."""
COUNTED = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
HALF, MOST, NEARLY_ALL = 50, 56, 90
"""Percent from which a part is called so."""
PARTS = ((45, "nearly half"), (37, "two fifths"), (29, "a third"), (22, "a quarter"), (17, "a fifth"), (8, "a tenth"))
"""Percent from which a smaller part is called so."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, and the numbers beside it: `12 units fall; 3 squares`, "" for none."""

    text: str
    figures: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """What an event adds to a chapter. Facts of one key are told together, where the last of them happened.

    write: their sentence, from the values of all of them in order; None to stay silent.
    """

    key: Hashable
    write: Callable[[Sequence[Any]], Sentence | None]
    value: Any = None


class Scene(Generic[S]):
    """What is told of: the state, and the events of a chapter (or of a command) in order."""

    def __init__(self, state: S, events: Sequence[Event]) -> None:
        self.state = state
        self.events = events
        self._by_kind: dict[type[Event], list[Any]] = {}
        self._places = {id(event): place for place, event in enumerate(events)}
        for event in events:
            self._by_kind.setdefault(type(event), []).append(event)

    def all(self, kind: type[E], /, **fields: object) -> list[E]:
        """The events of a kind whose fields have these values, in order."""
        return [e for e in self._by_kind.get(kind, ()) if all(getattr(e, name) == v for name, v in fields.items())]

    def first(self, kind: type[E], /, **fields: object) -> E | None:
        """The first of them."""
        return next(iter(self.all(kind, **fields)), None)

    def before(self, event: Event, *kinds: type[Event]) -> Any:
        """The last event of some kinds before one; None where there is none."""
        earlier = reversed(self.events[: self._places[id(event)]])
        return next((each for each in earlier if isinstance(each, kinds)), None)


Teller: TypeAlias = Callable[[Any, Any], Iterable[Fact]]
"""(scene, event) -> facts."""


@dataclass(frozen=True, slots=True)
class Story(Generic[S_contra]):
    """What a ruleset tells, and how. Its kinds are public; where it names none, every event's sentence is told."""

    tellers: Mapping[type[Event], Teller] = field(default_factory=dict)

    @property
    def kinds(self) -> tuple[type[Event], ...]:
        """The events that are told, or needed to tell others."""
        return tuple(self.tellers)

    @property
    def sentence_kinds(self) -> tuple[type[Event], ...]:
        """The events that are told."""
        return tuple(kind for kind, teller in self.tellers.items() if teller is not silent)


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence of a chronicle. events: which of the events it tells of, by position; the last one completes it."""

    text: str
    figures: str
    events: tuple[int, ...]


def tell(story: Story[S], state: S, happened: Sequence[EventRecord]) -> list[Told]:
    """The sentences that events of one chapter are told in, each once, in the order in which they were complete."""
    if not story.tellers:
        return [Told(record.text, "", (position,)) for position, record in enumerate(happened) if record.text]
    facts: dict[Hashable, list[tuple[int, Fact]]] = {}
    scene = Scene(state, [record.event for record in happened])
    for position, record in enumerate(happened):
        for fact in facts_of(story, scene, record.event):
            facts.setdefault(fact.key, []).append((position, fact))
    told: dict[str, Told] = {}
    for group in facts.values():
        sentence = group[0][1].write([fact.value for _, fact in group])
        if sentence is None or not sentence.text:
            continue
        positions, former = {position for position, _ in group}, told.get(sentence.text)
        if former is not None:
            positions |= set(former.events)
        figures = dict.fromkeys(filter(None, (former.figures if former is not None else "", sentence.figures)))
        told[sentence.text] = Told(sentence.text, "; ".join(figures), tuple(sorted(positions)))
    return sorted(told.values(), key=lambda each: each.events[-1])


def tell_chapters(
    story: Story[S], state: S, public: Sequence[EventRecord], chapters: Chapters[S] | None, last: int
) -> list[tuple[int, Told]]:
    """As `tell`, with the chapter of each sentence, 0 before the first. last: the chapter after the last event."""
    opened = chapters.opened_by if chapters is not None else ()
    begun = [place for place, record in enumerate(public) if isinstance(record.event, opened)]
    told = list[tuple[int, Told]]()
    for number, (start, end) in enumerate(pairwise([0, *begun, len(public)]), start=last - len(begun)):
        for each in tell(story, state, public[start:end]):
            moved = tuple(start + place for place in each.events)
            told.append((number, Told(each.text, each.figures, moved)))
    return told


def facts_of(story: Story[S], scene: Scene[S], event: Event) -> Iterable[Fact]:
    """What one event adds."""
    teller = story.tellers.get(type(event))
    return teller(scene, event) if teller is not None else ()


def silent(scene: Any, event: Event) -> Iterator[Fact]:
    """Nothing of its own: the event is read for what others tell."""
    yield from ()


def plain(text: str, figures: str = "") -> Fact:
    """A fact that is a sentence of its own. The same one again adds its figures."""
    return Fact((text, figures), lambda values: values[0], Sentence(text, figures))


def names(every: Iterable[str], noun: str = "others") -> str:
    """Names in a row, each once; of many the last ones are counted: `Elves, Norsemen and four others`."""
    found = list(dict.fromkeys(every))
    if len(found) <= MAX_NAMES + 1:
        return listing(found)
    return listing([*found[:MAX_NAMES], f"{count_word(len(found) - MAX_NAMES)} {noun}"])


def count_word(count: int) -> str:
    """A number as it is read aloud: a word up to twelve, and `many` above."""
    return COUNTED[count] if count < len(COUNTED) else "many"


def some(count: int, noun: str, plural: str = "") -> str:
    """A number of things as it is read aloud: `an army`, `three armies`, `many armies`."""
    if count == 1:
        return with_article(noun)
    regular = f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{noun}s"
    return f"{count_word(count)} {plural or regular}"


def part(percent: float) -> str:
    """A part of a whole in words: `most`, `a third`."""
    if percent >= NEARLY_ALL:
        return "nearly all"
    if percent >= MOST:
        return "most"
    if percent >= HALF:
        return "half"
    return next((words for least, words in PARTS if percent >= least), "a sliver")
