"""The service worker of pushes, at an address of its own: it is at one place for good, and its scope holds no page."""

from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.views import View

SCRIPT = (Path(__file__).parent / "static" / "pages" / "push-worker.js").read_bytes()
POLICY = "default-src 'none'; connect-src 'self'"
"""It loads nothing, and asks nobody but this service: where its browser takes pushes now."""


class PushWorker(View):
    """The script; nobody needs to be signed in."""

    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest) -> HttpResponse:
        """The script, asked for anew whenever a browser looks whether it has changed."""
        headers = {"Cache-Control": "no-cache", "Content-Security-Policy": POLICY}
        return HttpResponse(SCRIPT, content_type="text/javascript; charset=utf-8", headers=headers)
