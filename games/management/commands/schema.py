"""Write what the APIs promise: api/schema.graphql, api/openapi/<part>.yaml, api/asyncapi.yaml; or --check them."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.http import HttpRequest
from django.urls import resolve


def documents() -> dict[Path, str]:
    """The text of each document by its path."""
    # Asked of the address that serves it: commands stand beside the APIs and import none of them.
    served: Any = resolve("/graphql/").func
    schema = served.view_initkwargs["schema"]
    folder = Path(settings.BASE_DIR) / "api"
    rest: Any = resolve("/api/schema/").func
    parts = {folder / "openapi" / f"{part}.yaml": text for part, text in rest.cls.committed_documents().items()}
    sent: Any = resolve("/api/asyncapi/").func
    asked = HttpRequest()
    asked.method = "GET"
    return parts | {
        folder / "schema.graphql": f"{schema.as_str().strip()}\n",
        folder / "asyncapi.yaml": sent(asked).content.decode(),
    }


class Command(BaseCommand):
    """Write the schemas of both APIs."""

    help = "Write api/schema.graphql, api/asyncapi.yaml and the documents in api/openapi/, or --check them."

    def add_arguments(self, parser: CommandParser) -> None:
        """`--check`: write nothing, fail when a document is not up to date."""
        parser.add_argument("--check", action="store_true", help="Write nothing; fail when a document is outdated.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write, or check. Raises CommandError."""
        found = documents()
        if options["check"]:
            stale = [path.name for path, text in found.items() if not path.is_file() or path.read_text() != text]
            if stale:
                raise CommandError(f"Outdated: {', '.join(stale)}. Run `make schema` and look at what changed.")
            return
        for path, text in found.items():
            path.write_text(text)
            self.stdout.write(f"{path.relative_to(settings.BASE_DIR)}: {text.count(chr(10))} lines")
