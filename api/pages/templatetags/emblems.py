"""Emblems in templates: `{{ faces|emblem:name }}`, `{{ faces|emblems_in:sentence }}`."""

from django import template
from django.utils.safestring import SafeString

from api.pages.event.faces import Faces

register = template.Library()


@register.filter
def emblem(faces: Faces | None, name: object) -> SafeString:
    """The emblem of somebody by name; nothing where there is none."""
    return faces.emblem(str(name)) if faces else SafeString("")


@register.filter
def emblems_in(faces: Faces | None, text: str) -> SafeString:
    """The emblems of those whom a sentence names first."""
    return faces.emblems_in(text) if faces else SafeString("")
