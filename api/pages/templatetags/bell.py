"""The bell in templates: `{% unread %}`, how many notifications the reader has not read."""

from typing import Any

from django import template

from api.notifications.reading import count_unread
from api.pages.access import person

register = template.Library()


@register.simple_tag(takes_context=True)
def unread(context: dict[str, Any]) -> int:
    """The number; 0 for who is not signed in. One query in each place."""
    user = person(context["request"])
    return count_unread(user.pk) if user is not None else 0
