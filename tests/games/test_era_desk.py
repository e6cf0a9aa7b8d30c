"""Combined castings and the GM's tasks through the one writer: what waits between two commands stands in rows."""

import pytest

from games import registry, services
from games.engine.errors import Refused
from games.engine.game_state import dump
from games.engine.kernel import Actor, Issuer
from games.gods2.models import Grant, Land, Law, Proposal, Signature
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.joint_commands import AnswerCasting
from games.gods2.rules.gm_desk.commands import GrantPower, RecordLaw, SignEntry
from games.gods2.rules.history.commands import NamePlace
from games.gods2.rules.state.effect_records import GrantSource
from games.gods2.rules.state.value_types import PartOf, Place, Target
from games.gods2.rules.window.standing_answer_commands import SetStandingAnswer
from games.models import Game, Prompt
from games.storage import log
from games.workers import demo
from worlds.visibility import Visibility

pytestmark = pytest.mark.django_db
GM = Actor(Issuer.GM)


@pytest.fixture
def event(settings, tmp_path):
    """The demo event, just opened: the first century has begun."""
    settings.DEMO, settings.DATA_DIR, settings.DEMO_STEP_SECONDS = True, tmp_path, 60
    return Game.objects.get(pk=demo.prepare("gods2")["game"])


def agree(event: Game) -> None:
    """Rows equal the folded log."""
    game = Game.objects.get(pk=event.pk)
    rows, found = dump(registry.store("gods2").load(game)), dump(log.fold(game))
    assert {name for name in rows if rows[name] != found[name]} == set()


def test_a_casting_waits_for_its_partner_in_rows_that_only_the_casters_see(event):
    state = registry.store("gods2").load(event)
    first, partner, other = sorted(state.gods)[:3]

    def run(command, seat):
        at = Game.objects.get(pk=event.pk).last_at
        return services.run(event.pk, command, actor=Actor(Issuer.SEAT, seat=seat) if seat else GM, now=at)

    run(GrantPower(seat=first, power="call_to_arms", source=GrantSource.ARTIFACT, uses=2), None)
    run(RecordLaw(name="Of Tides"), None)
    run(NamePlace(kind="land", squares=(Place(x=1, y=0), Place(x=0, y=0)), name="Far Shore"), None)
    run(SetStandingAnswer(kind="casting", seat=first, answer="yes", amount=1), partner)
    race = sorted(state.races)[0]
    both = (PartOf(seat=first), PartOf(seat=partner))
    run(CastPower(power="call_to_arms", targets=(Target(race=race),), parts=both, signed=True), first)
    agree(event)
    assert [(g.power, g.uses) for g in Grant.objects.filter(game=event)] == [("call_to_arms", 2)]
    assert [law.name for law in Law.objects.filter(game=event)] == ["Of Tides"]
    assert Land.objects.filter(game=event, name="Far Shore").count() == 1
    counts = [Proposal.objects.visible_to(Visibility(seats=frozenset({s}))).count() for s in (first, partner, other)]
    assert counts == [1, 1, 0]

    before = set(Signature.objects.filter(game=event).values_list("pk", flat=True))
    prompt = Prompt.objects.get(game=event, kind="CASTING.join")
    run(AnswerCasting(prompt=prompt.pk, yes=True), partner)

    agree(event)
    assert not Proposal.objects.filter(game=event).exists()
    assert Grant.objects.get(game=event).uses == 1
    signed = Signature.objects.exclude(pk__in=before).get(game=event, seat=first)
    with pytest.raises(Refused) as caught:
        run(SignEntry(entry=signed.pk), first)
    assert caught.value.code == "entry.signed"
