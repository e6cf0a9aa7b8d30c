"""Admin pages whose rows name people: people are asked for by themselves, never joined.

Games and people may live in different databases (ADR 79), so a page finds the people first and then the rows.
"""

from functools import reduce
from operator import or_
from typing import Any, ClassVar

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from accounts.models import User

MAX_PEOPLE_FOUND = 200


class NamingPeople(ModelAdmin):
    """Pages that show people and are searched by their names."""

    people: ClassVar[tuple[str, ...]] = ()
    """The lookup paths from a row to the people it names: `seat__user`."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows; their people in one query besides."""
        return super().get_queryset(request).prefetch_related(*self.people)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """The rows that the columns find, and those of people whose name has the text in it."""
        found, may_repeat = super().get_search_results(request, queryset, search_term)
        if not (self.people and search_term):
            return found, may_repeat
        named = User.objects.filter(Q(username__icontains=search_term) | Q(display_name__icontains=search_term))
        keys = list(named.order_by().values_list("pk", flat=True)[:MAX_PEOPLE_FOUND])
        theirs = reduce(or_, (Q(**{f"{path}__in": keys}) for path in self.people))
        return found | queryset.filter(theirs), may_repeat
