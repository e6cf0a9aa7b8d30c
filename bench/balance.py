"""Whole games of bots in the kernel, and what they come to: how the balance of each game stands.

    python bench/balance.py GAMES SEED [--game gods2|dawn|albraxas|dietower|forgeborn|all] [--bounds]
        [--people idle|none] [--races FILE] [--pack VERSION] [--seconds N] [--centuries N] [--processes 2]

One game is played for each seed from SEED on (of Albraxas, for each seed and number of rebels), without database or
server. The same arguments give the same figures. The second line of options is for The Gods II; so is `gods2`, the
default. Of the Die Tower and Forgeborn, and of every game with `--bounds`, it is what the first games of `make balance`
come to against its bounds, and SEED does not matter.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
from bench.figures import table
from bench.whole_games import albraxas, dawn, frame, gods2

GAMES = ("gods2", "dawn", "albraxas", "dietower", "forgeborn")


def report(game: str, games: int, seed: int, **setting: object) -> str:
    """The tables of one game. setting: the fields of `bench.whole_games.gods2.Setting`, and `processes`."""
    match game:
        case "gods2":
            return str(gods2.figures(games, seed, **setting))
        case "dawn":
            return table(dawn.figures(games, seed))
        case "albraxas":
            return table(albraxas.figures(games, seed))
        case "dietower" | "forgeborn":
            return table(frame.figures(game, games))
    raise ValueError(f"{game} is none of {', '.join(GAMES)}")


def main() -> None:
    """Play and print."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("games", type=int)
    asked.add_argument("seed", type=int)
    asked.add_argument("--game", choices=(*GAMES, "all"), default="gods2")
    asked.add_argument("--bounds", action="store_true", help="against the bounds of make balance")
    asked.add_argument("--people", choices=("bots", "idle", "none"), default="bots", help="who has no bot")
    asked.add_argument("--races", default="", metavar="FILE", help="Python that changes the names of the demo")
    asked.add_argument("--pack", type=int, metavar="VERSION", help="the newest one where none is named")
    asked.add_argument("--seconds", type=int, default=gods2.SECONDS, help="length of a century")
    asked.add_argument("--centuries", type=int, default=gods2.CENTURIES, help="how many are played")
    asked.add_argument("--processes", type=int, choices=(1, 2), default=1)
    given = vars(asked.parse_args())
    game, games, seed, bounds = (given.pop(name) for name in ("game", "games", "seed", "bounds"))
    for name in GAMES if game == "all" else (game,):
        told = table(frame.figures(name, games)) if bounds else report(name, games, seed, **given)
        print(f"## {name}\n\n{told}\n")


if __name__ == "__main__":
    main()
