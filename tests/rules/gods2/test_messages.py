"""Messages between gods (G2-PAN-12): with the option, alone to those who share a race."""

import pytest

from games.engine.audience import PUBLIC, seats
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.messages import SendMessage
from games.gods2.rules.state.options import Gods2Options
from tests.playbook import Playbook, refused
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, shares
from tests.rules.gods2.position import position
from tests.rules.gods2.worlds import race

pytestmark = pytest.mark.rule("G2-PAN-12")


def two_pantheons(**options: str) -> Playbook:
    """Ana and Ben share the Dwarves; Cleo has the Elves alone."""
    return position(
        ("PPPP", "PPPP"),
        race("Dwarves", {(0, 0): 1}, faith=shares(a=60, b=40)),
        race("Elves", {(0, 3): 1}, number=7, faith=shares(c=100)),
        options=Gods2Options(**options),
    )


def test_gods_write_alone_only_to_those_who_share_a_race_with_them():
    book = two_pantheons(message_partners="shared_race")
    book.when(SendMessage(to=(BEN,), text="War?"), ANA)
    assert book.log[-1].audience == seats(ANA, BEN)
    for by, to in ((ANA, (CLEO,)), (ANA, (BEN, CLEO)), (CLEO, (ANA,))):
        with refused("press.race", book.state) as caught:
            book.when(SendMessage(to=to, text="War?"), by)
        assert caught.value.rules == ("G2-PAN-12",)
    book.when(SendMessage(to=("everybody",), text="War!"), CLEO)
    assert book.log[-1].audience == PUBLIC
    book.when(SendMessage(to=(CLEO,), text="A word."), GM)
    (_, to_some) = legal_commands_for(book.state, [SendMessage], Actor(Issuer.SEAT, seat=ANA))
    assert BEN in to_some.choices("to") and CLEO not in to_some.choices("to")


def test_without_the_option_every_god_writes_to_every_other():
    book = two_pantheons()
    book.when(SendMessage(to=(CLEO,), text="War?"), ANA)
    assert book.log[-1].audience == seats(ANA, CLEO)
