"""The facts of every ruleset, by its slug."""

from collections.abc import Mapping

from tests.balance import of_albraxas, of_dawn, of_dietower, of_forgeborn, of_gods2
from tests.balance.frame import Facts

FACTS: Mapping[str, Facts] = {
    facts.ruleset.slug: facts
    for facts in (of_albraxas.FACTS, of_dawn.FACTS, of_dietower.FACTS, of_forgeborn.FACTS, of_gods2.FACTS)
}
