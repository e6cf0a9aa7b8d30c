"""Code filters (G2-FILT-1): which powers a letter and its small letters mean."""

import pytest

from games.gods2.rules.pack.filters import fits


@pytest.mark.rule("G2-W69", "G2-FILT-1", "G2-AMB-64")
@pytest.mark.parametrize(
    ("wanted", "codes", "expected"),
    [
        ("B", ["Bfe"], True),
        ("Be", ["Bfe"], True),
        ("Be", ["Bf"], False),
        ("K", ["Ks"], True),
        ("Ks", ["K"], False),
        ("Mn", ["M", "Mn"], True),
        ("Mn", ["Mv", "Mn"], True),
        ("Mn", ["Mu"], False),
        ("F", ["Fp", "Bfe"], True),
        ("Be", ["Fp", "Bfe"], True),
        ("B", ["Gf"], False),
    ],
)
def test_a_filter_wants_the_same_capital_and_all_its_small_letters(wanted, codes, expected) -> None:
    assert fits(wanted, codes) is expected
