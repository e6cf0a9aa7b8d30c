"""Maps in and out at the command line."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from worlds.models import Square, World

pytestmark = pytest.mark.django_db


def output(*words: str, **options) -> str:
    out = StringIO()
    call_command("atlas", *words, stdout=out, **options)
    return out.getvalue()


def test_a_map_of_letters_becomes_a_world_and_comes_out_again(tmp_path):
    file = tmp_path / "isle.txt"
    file.write_text("WWW\nWPF\n")
    assert "3 by 2 squares" in output("import", str(file), "--name", "Isle", "--attribution", "Nobody")
    world = World.objects.get(name="Isle")
    assert (Square.objects.get(world=world, x=2, y=1).terrain, world.attribution) == ("F", "Nobody")
    assert output("export", str(world.pk), "--letters").split() == ["WWW", "WPF"]

    again = tmp_path / "isle.json"
    again.write_text(output("export", str(world.pk)))
    output("import", str(again), "--name", "Twin")
    assert json.loads(output("export", str(World.objects.get(name="Twin").pk))) == json.loads(again.read_text())


def test_a_map_that_cannot_be_read_makes_no_world(tmp_path):
    file = tmp_path / "bad.txt"
    file.write_text("WWW\nWQ\n")
    with pytest.raises(CommandError, match=r"map\.invalid"):
        output("import", str(file), "--name", "Bad")
    assert not World.objects.filter(name="Bad").exists()
