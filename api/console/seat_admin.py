"""The table in the console: seats, invitations, prompts, answers, timers. Read here; changed by commands alone."""

import json
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString
from unfold.decorators import display

from api.common.names import names_of
from api.common.permissions import CONDUCT
from api.console.answering import answer_links, time_left
from api.console.columns import OF_GAME
from api.console.readonly_admin import (
    AudienceFilter,
    OfGamePage,
    ReadingPage,
    about,
    link,
    moment,
    one_line,
    pretty,
    reader_in_words,
    short,
    until,
)
from games.models import Answer, Invitation, Prompt, Seat, Timer

LATE, FROZEN, FAILED = "late", "frozen", "failed"


class SeatPage(ReadingPage):
    """Who sits where."""

    list_display = ["name", "role_label", "user", "bot", "game"]
    list_filter = [OF_GAME, "role", "bot"]
    list_select_related = ["game"]
    search_fields = ["name", "game__name", "=id"]
    people = ("user",)

    @display(
        description="role",
        ordering="role",
        label={"player": "info", "host": "success", "gm": "warning"},
    )
    def role_label(self, seat: Seat) -> tuple[str, str]:
        """The role in words."""
        return seat.role, seat.get_role_display()


class InvitationPage(ReadingPage):
    """Open invitations; their codes are shown to game-masters by the game itself."""

    list_display = ["__str__", "role", "seat", "game"]
    list_filter = [OF_GAME, "role"]
    list_select_related = ["seat", "game"]
    search_fields = ["game__name", "seat__name"]
    fields = ["id", "game", "role", "seat"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Invitation]:
        """Without the codes: who reads one may sit down."""
        return super().get_queryset(request).defer("code")


class BanPage(ReadingPage):
    """Who may not sit in a game again; lifted by a command."""

    list_display = ["name", "user", "game"]
    list_filter = [OF_GAME]
    list_select_related = ["game"]
    search_fields = ["name", "game__name"]
    people = ("user",)


class LeavePage(ReadingPage):
    """Vacations, and absences that were excused at a deadline; they come by commands and deadlines alone."""

    list_display = ["seat", "starts_at", "ends_at", "days", "game"]
    list_filter = [OF_GAME]
    list_select_related = ["game"]
    search_fields = ["game__name"]


class PromptPage(OfGamePage):
    """Open questions: who owes an answer, until when, and what silence means."""

    list_display = ["kind", "question_start", "owner_names", "rule", "open_since", "time_left", "game_link"]
    list_filter = [OF_GAME, "kind", "rule", "sealed", AudienceFilter]
    list_select_related = ()
    search_fields = ["question", "kind", "lane", "owners"]
    date_hierarchy = "opened_at"
    fieldsets = [
        (None, {"fields": ["game", "kind", "question", "owner_names", "answers_so_far", "opened_at", "time_left"]}),
        ("Settling", {"fields": ["rule", "threshold", "commands_display", "choices_display", "silence", "sealed"]}),
        ("Where it stands", {"fields": ["lane", "depth", "parent", "subject_display", "readers"]}),
    ]

    @display(description="question")
    def question_start(self, prompt: Prompt) -> str:
        """The first words."""
        return start_of(prompt.question)

    @display(description="owed by")
    def owner_names(self, prompt: Prompt) -> str:
        """Owners by name."""
        return ", ".join(owners(prompt))

    @display(description="open since (UTC)", ordering="opened_at")
    def open_since(self, prompt: Prompt) -> SafeString | str:
        """When it was asked."""
        return moment(prompt.opened_at)

    def get_fieldsets(self, request: HttpRequest, obj: Prompt | None = None) -> Any:
        """With ways to answer it, for those who conduct games."""
        fieldsets = super().get_fieldsets(request, obj)
        answering = [("Answer it", {"fields": ["ways_to_answer"]})] if request.user.has_perm(CONDUCT) else []
        return [*fieldsets[:1], *answering, *fieldsets[1:]]

    @display(description="as a game-master")
    def ways_to_answer(self, prompt: Prompt) -> SafeString:
        """A form for each way to answer it."""
        return answer_links(prompt)

    @display(description="time left")
    def time_left(self, prompt: Prompt) -> SafeString | str:
        """What is left until silence settles it."""
        return time_left(prompt)

    @display(description="answered by")
    def commands_display(self, prompt: Prompt) -> str:
        """The commands that answer it."""
        return ", ".join(json.loads(prompt.answered_by)) or "-"

    @display(description="choices")
    def choices_display(self, prompt: Prompt) -> SafeString | str:
        """What may be chosen."""
        return pretty(prompt.choices) if prompt.choices != "[]" else "-"

    @display(description="subject")
    def subject_display(self, prompt: Prompt) -> str:
        """What it is about, by name."""
        return names_of([prompt.subject], prompt.game) if prompt.subject else "-"

    @display(description="answers")
    def answers_so_far(self, prompt: Prompt) -> SafeString | str:
        """How many answers are in; sealed ones stay sealed here too."""
        count = prompt.answers.count()
        return link(f"{count} so far", "games_answer_changelist", prompt__id__exact=prompt.pk) if count else "none yet"


def start_of(question: str) -> str:
    """The first words of a question."""
    return question if len(question) <= 80 else f"{question[:79]}…"


def owners(prompt: Prompt) -> list[str]:
    """Who owes an answer, seats by name."""
    return [reader_in_words(reader, prompt.game) for reader in json.loads(prompt.owners)]


class AnswerPage(OfGamePage):
    """Answers so far. A sealed one is not shown by accident: only the log shows it."""

    list_display = ["question_start", "owner_name", "value_in_words", "game_link"]
    list_filter = [OF_GAME, "prompt__kind"]
    list_select_related = ["prompt"]
    search_fields = ["owner", "prompt__question"]
    fields = ["game", "prompt", "owner_name", "value_in_words", "readers"]

    @display(description="question", ordering="prompt")
    def question_start(self, answer: Answer) -> str:
        """The first words of what was asked."""
        return start_of(answer.prompt.question)

    @display(description="owner", ordering="owner")
    def owner_name(self, answer: Answer) -> str:
        """Who answered, a seat by name."""
        return reader_in_words(answer.owner, answer.game)

    @display(description="value")
    def value_in_words(self, answer: Answer) -> str:
        """The answer, or that it is sealed."""
        return "sealed" if answer.prompt.sealed else answer.value


class StateFilter(admin.SimpleListFilter):
    """Timers that are late, frozen, or have failed."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The three kinds."""
        return [(LATE, "due now"), (FROZEN, "frozen"), (FAILED, "has failed")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """The timers of the kind."""
        if self.value() == LATE:
            return queryset.filter(due__lte=timezone.now())
        if self.value() == FROZEN:
            return queryset.filter(due__isnull=True)
        return queryset.filter(failures__gt=0) if self.value() == FAILED else queryset


class TimerPage(OfGamePage):
    """What happens if nobody acts, and when. The clock and the game's commands write them."""

    list_display = ["key_short", "does", "whose", "due_display", "due_in", "failures", "game_link"]
    list_filter = [OF_GAME, StateFilter, "does", AudienceFilter]
    list_select_related = ()
    search_fields = ["key", "does", "game__name"]
    date_hierarchy = "due"
    fieldsets = [
        (None, {"fields": ["game", "key", "does", "arguments_display", "due_display", "due_in", "left"]}),
        ("Who sees it", {"fields": ["readers", "subject_display", "generation"]}),
        ("Failures", {"fields": ["failures", "last_error"]}),
    ]

    @display(description="key", ordering="key")
    def key_short(self, timer: Timer) -> str:
        """The key, ids cut short."""
        return short(timer.key)

    @display(description="for")
    def whose(self, timer: Timer) -> str:
        """The seat or the question that it is about."""
        return about(timer) or "-"

    @display(description="due (UTC)", ordering="due")
    def due_display(self, timer: Timer) -> SafeString | str:
        """When it fires."""
        return moment(timer.due)

    @display(description="due in")
    def due_in(self, timer: Timer) -> SafeString:
        """How long until it fires."""
        return one_line(until(timer.due, timer.left, timer.game.paused_at))

    @display(description="arguments")
    def arguments_display(self, timer: Timer) -> SafeString:
        """The fields of its command."""
        return pretty(timer.arguments)

    @display(description="subject")
    def subject_display(self, timer: Timer) -> str:
        """What it is about, by name."""
        return names_of([timer.subject], timer.game) if timer.subject else "-"
