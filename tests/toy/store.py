"""Rows <-> state of Cairns."""

from games.storage.store import Store
from tests.toy import models
from tests.toy.rules import RULESET

STORE = Store(RULESET, models)
