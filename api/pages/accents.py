"""The stylesheet with the colour of each ruleset, as its own folder says it."""

from django.http import HttpRequest, HttpResponse
from django.views import View

from games import registry


class AccentsView(View):
    """`--accent-of-game` for what stands under `data-ruleset`."""

    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest) -> HttpResponse:
        """The same for everybody."""
        answer = HttpResponse(accents_css(), content_type="text/css; charset=utf-8")
        answer["Cache-Control"] = "public, max-age=3600"
        return answer


def accents_css() -> str:
    """A rule for each ruleset."""
    accents = {rules.slug: rules.pages.accent for rules in registry.rulesets()}
    return "".join(
        f'[data-ruleset="{slug}"] {{ --accent-of-game: light-dark({accent.light}, {accent.dark}); }}\n'
        for slug, accent in accents.items()
    )
