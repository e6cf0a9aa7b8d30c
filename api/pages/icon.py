"""The icon of the service, for browsers that ask for it where no page has named one."""

from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.views import View

DRAWN = (Path(__file__).parent / "static" / "pages" / "icon.svg").read_bytes()
SECONDS_KEPT = 86_400


class IconView(View):
    """The drawing that the pages name; nobody needs to be signed in."""

    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest) -> HttpResponse:
        """The icon as SVG, kept for a day."""
        return HttpResponse(
            DRAWN, content_type="image/svg+xml", headers={"Cache-Control": f"public, max-age={SECONDS_KEPT}"}
        )
