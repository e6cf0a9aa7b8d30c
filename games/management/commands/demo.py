"""Prepare the live demo event, or find it running, and say how to take part."""

from typing import Any

from django.core.management.base import BaseCommand

from games import demo


class Command(BaseCommand):
    """Open the demo event (only with DEMO=1) and print its users, tokens and ids."""

    help = "Prepare the live demo event and print who takes part; needs DEMO=1."

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints what DATA_DIR/demo.json says."""
        told = demo.prepare()
        self.stdout.write(f"Demo event {told['game']} in world {told['world']}; users are in {demo.path()}:")
        for user in told["users"]:
            self.stdout.write(f"  {user['name']:<15} {user['role']:<9} seat {user['seat'] or '-':<37} {user['token']}")
