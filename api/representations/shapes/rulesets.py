"""The shapes of rulesets and their rules."""

from api.representations.shapes.shape import JsonSchema, Shape


class RulesetShape(Shape):
    """A game that can be played here."""

    slug: str
    title: str
    summary: str
    has_rulebook: bool
    resources: list[str]
    """Its own rows, as in `/api/v1/<slug>/<resource>/`."""


class RulesetDetail(RulesetShape):
    """A ruleset with the schema of its options."""

    options: JsonSchema
    """JSON Schema of `options` when a game is opened."""
    bots: list[str]
    """The policies that may play a player's seat."""
    gm_bots: list[str]
    """The policies that may play a game-master's seat."""
    commands: list[str]


class RulesetList(Shape):
    """The rulesets that are installed."""

    results: list[RulesetShape]


class RuleShape(Shape):
    """A numbered rule."""

    id: str
    chapter: str
    text: str


class RuleList(Shape):
    """The rulebook as built, rule by rule."""

    results: list[RuleShape]
