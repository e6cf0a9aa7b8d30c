"""Prepare the live demo, or find it running, and say how to take part."""

from typing import Any

from django.core.management.base import BaseCommand

from games.workers import demo


class Command(BaseCommand):
    """Open the demo's games (only with DEMO=1) and print its users, tokens and ids."""

    help = "Prepare the live demo and print who takes part; needs DEMO=1."

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints what is opened, and what DATA_DIR/demo.json says."""
        listing = demo.prepare(say=self.stdout.write)
        for game in listing["games"]:
            self.stdout.write(f"Demo game {game['game']} ({game['ruleset']}): {game['name']}")
            for seat in game["seats"]:
                self.stdout.write(f"  {seat['user']:<15} {seat['role']:<9} seat {seat['seat']} {seat['seat_name']}")
        self.stdout.write(f"Its people, with the passwords from {demo.path()}:")
        for user in listing["users"]:
            self.stdout.write(f"  {user['name']:<15} {user['token']}")
