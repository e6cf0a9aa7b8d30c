"""Forms are made of the schema of a command's body, and send what that schema takes."""

import json

import pytest
from rest_framework.exceptions import ParseError

from api.pages.forms.body import HINTS, body_of
from api.pages.forms.fields import FormField, Making
from api.pages.forms.schemas import join
from api.pages.wording import place_in_words
from games import registry
from games.engine.prompts.sealed import DIGEST, ClientSealed


def fields(
    properties: dict, given: dict | None = None, required: tuple[str, ...] = (), **defs: dict
) -> list[FormField]:
    """The fields of an object."""
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return list(Making(defs).fields(schema, given or {}))


def test_choices_are_offered_by_their_titles_and_sent_as_json():
    (found,) = fields({"war": {"oneOf": [{"const": "a1", "title": "War 1"}, {"const": "a2", "title": "War 2"}]}})
    assert (found.widget, found.name) == ("select", "war:json")
    assert found.choices == (('"a1"', "War 1", False), ('"a2"', "War 2", False))
    assert body_of({"war:json": ['"a2"']}) == {"war": "a2"}


def test_a_number_that_is_proposed_stands_in_each_line_and_makes_none_alone():
    tie = {"type": "object", "properties": {"max": {"type": "integer", "minimum": 0, "examples": [3]}}}
    item = {"type": "object", "properties": {"action": {"enum": ["battle", "recover"]}, "tie": tie}}
    field = Making({}).field_of("orders", {"type": "array", "items": item}, None, needed=False, depth=0)
    first, second, *_ = (line.fields[1].fields[0] for line in field.fields)
    assert (first.value, first.name, second.value) == (3, "orders.0.tie.max:proposed", 3)
    sent = {
        "orders.0.action:json": ['"battle"'],
        "orders.0.tie.max:proposed": ["3"],
        "orders.1.tie.max:proposed": ["3"],
    }
    assert body_of(sent) == {"orders": [{"action": "battle", "tie": {"max": 3}}]}
    assert body_of(sent | {"orders.0.tie.max:proposed": ["5"]})["orders"][0]["tie"] == {"max": 5}
    assert body_of(sent | {"orders.0.tie.max:proposed": [""]}) == {"orders": [{"action": "battle"}]}
    assert body_of({"check_from:proposed": ["99"]}) == {"check_from": 99}
    with pytest.raises(ValueError, match="a whole number"):
        body_of({"check_from:proposed": ["soon"]})


def test_what_leaves_no_choice_is_fixed():
    (found,) = fields({"prompt": {"const": "p"}}, required=("prompt",))
    assert (found.widget, found.value) == ("hidden", '"p"')
    (left_out,) = fields({"prompt": {"const": "p"}})
    assert left_out.widget == "select"


def test_a_number_has_its_bounds_and_what_is_empty_is_left_out():
    (found,) = fields({"seconds": {"type": "integer", "minimum": 1, "maximum": 9}}, {"seconds": 5})
    assert (found.widget, found.low, found.high, found.value) == ("number", 1, 9, 5)
    assert body_of({"seconds:number": ["7"], "text:text": [" "], "war:json": [""]}) == {"seconds": 7}


@pytest.mark.parametrize(
    "nothing",
    [
        {"type": "object", "properties": {}, "additionalProperties": False},
        {"type": "array", "items": {"enum": []}, "maxItems": 0},
    ],
)
def test_what_may_be_left_out_and_says_nothing_is_no_field(nothing: dict) -> None:
    schema = {"properties": {"gain": nothing, "text": {"type": "string"}, "free": {"type": "object"}}}
    assert [field.path for field in Making({}).fields(schema, {})] == ["text", "free"]
    assert [field.path for field in Making({}).fields({**schema, "required": ["gain"]}, {})] == ["gain", "text", "free"]


def test_references_and_null_are_resolved():
    (found,) = fields(
        {"why": {"anyOf": [{"$ref": "#/$defs/Words"}, {"type": "null"}]}}, Words={"type": "string", "maxLength": 40}
    )
    assert (found.widget, found.longest) == ("text", 40)


def test_a_list_of_objects_has_rows_that_may_stay_empty():
    item = {
        "type": "object",
        "required": ["x", "units"],
        "properties": {"x": {"type": "integer"}, "units": {"type": "integer"}, "last": {"type": "boolean"}},
    }
    (found,) = fields({"placed": {"type": "array", "items": item}}, {"placed": [{"x": 1, "units": 2}]})
    assert found.widget == "table" and len(found.fields) == 4
    assert [field.value for field in found.fields[0].fields][:2] == [1, 2]
    assert not any(inner.needed for field in found.fields for inner in field.fields)
    sent = {
        "placed.0.x:number": ["1"], "placed.0.units:number": ["3"], "placed.0.last:flag": ["0", "1"],
        "placed.1.x:number": [""], "placed.1.last:flag": ["0"],
        "placed.2.x:number": ["4"], "placed.2.units:number": ["5"], "placed.2.last:flag": ["0"],
    }  # fmt: skip
    assert body_of(sent) == {"placed": [{"x": 1, "units": 3, "last": True}, {"x": 4, "units": 5, "last": False}]}


def test_a_list_of_objects_with_few_fields_is_a_table_of_its_leaves():
    place = {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}}}
    item = {"type": "object", "properties": {"square": place, "units": {"type": "integer"}}}
    (found,) = fields({"placed": {"type": "array", "items": item}}, {"placed": [{"square": {"x": 3, "y": 4}}] * 7})
    assert found.widget == "table" and len(found.fields) == 9  # two empty lines behind those that are given
    assert [leaf.label for leaf in found.fields[0].leaves] == ["Square x", "Square y", "Units"]
    assert [leaf.name for leaf in found.fields[6].leaves][1] == "placed.6.square.y:number"
    assert [leaf.value for leaf in found.fields[6].leaves] == [3, 4, ""]


def test_lines_that_say_what_they_are_about_are_a_table_of_which_what_is_left_empty_is_not_sent():
    lines = [
        {"type": "object", "properties": {"sphere": {"const": key, "title": key.upper()}, "count": {"type": "integer"}}}
        for key in ("sea", "war")
    ]
    part = {"type": "array", "items": lines[-1], "prefixItems": lines}
    (found,) = fields({"cards": part}, {"cards": [{"sphere": "war", "count": 3}]})
    assert found.widget == "table"
    assert [
        (sphere.widget, sphere.choices[0][1], count.value) for sphere, count in (f.fields for f in found.fields)
    ] == [
        ("fixed", "SEA", ""),
        ("fixed", "WAR", 3),
    ]
    sent = {leaf.name: [str(leaf.value)] for line in found.fields for leaf in line.leaves}
    assert body_of(sent) == {"cards": [{"sphere": "war", "count": 3}]}


def test_several_ways_to_issue_a_command_are_one_form_with_every_choice_of_each():
    """Of lists and objects, too: what one way alone admits is offered."""
    ways = [
        {"properties": {"cards": {"type": "array", "minItems": 1, "items": {"properties": {"sphere": {"const": key}}}}}}
        for key in ("sea", "war")
    ]
    joined = join(ways, {})["properties"]["cards"]
    assert joined["minItems"] == 1
    assert [each["const"] for each in joined["items"]["properties"]["sphere"]["oneOf"]] == ["sea", "war"]


def test_what_may_be_one_of_several_things_is_a_field_with_every_choice_of_all() -> None:
    """The kind: a word or a number, one of some objects, objects with other fields."""
    (cd,) = fields({"cd": {"anyOf": [{"enum": ["easy"]}, {"type": "integer", "minimum": 1, "maximum": 3}]}})
    assert [(value, title) for value, title, _ in cd.choices] == [
        ('"easy"', "easy"),
        ("1", "1"),
        ("2", "2"),
        ("3", "3"),
    ]
    assert body_of({cd.name: ["2"]}) == {"cd": 2} and body_of({cd.name: ['"easy"']}) == {"cd": "easy"}
    whole = [{"properties": {"kind": {"const": kind}, "die": {"const": die}}, "required": ["kind", "die"]}
             for kind, die in (("blunt", 8), ("bladed", 12))]  # fmt: skip
    (form,) = fields({"form": {"anyOf": whole}})
    assert [title for _, title, _ in form.choices] == ["kind blunt, die 8", "kind bladed, die 12"]
    assert body_of({form.name: [form.choices[1][0]]}) == {"form": {"kind": "bladed", "die": 12}}
    action, dice = {"enum": ["battle", "recover"]}, {"type": "integer", "minimum": 1, "maximum": 4}
    order = [{"properties": {"action": action}, "required": ["action"]},
             {"properties": {"action": {"const": "blitz"}, "dice": dice}, "required": ["action", "dice"]}]  # fmt: skip
    items = {"anyOf": [{"type": "object", **each} for each in order]}
    (orders,) = fields({"orders": {"type": "array", "items": items, "x-ordered": True}})
    assert orders.widget == "table" and orders.help == HINTS["sequence"]
    named, counted = orders.fields[0].leaves
    assert [title for _, title, _ in named.choices] == ["battle", "recover", "blitz"] and counted.high == 4
    sent = {named.name: ['"blitz"'], counted.name: ["2"], orders.fields[1].leaves[0].name: ['"battle"']}
    assert body_of(sent) == {"orders": [{"action": "blitz", "dice": 2}, {"action": "battle"}]}


def test_a_cell_of_a_table_may_be_a_choice_that_begins_with_what_is_given():
    square = {"oneOf": [{"const": {"x": 1, "y": 2}}, {"const": {"x": 3, "y": 4}}]}
    item = {"type": "object", "properties": {"square": square, "units": {"type": "integer"}}}
    (found,) = fields({"losses": {"type": "array", "items": item}}, {"losses": [{"square": {"x": 3, "y": 4}}]})
    assert found.widget == "table"
    (first, _), (empty, _) = (found.fields[line].leaves for line in (0, 1))
    assert [(title, chosen) for _, title, chosen in first.choices] == [("x 1, y 2", False), ("x 3, y 4", True)]
    assert not any(chosen for _, _, chosen in empty.choices)


def test_a_list_of_objects_with_much_in_them_is_written_one_below_the_other():
    item = {"type": "object", "properties": {"words": {"type": "string", "maxLength": 2000}}}
    (found,) = fields({"notes": {"type": "array", "items": item}})
    assert found.widget == "group"
    wide = {"type": "object", "properties": {name: {"type": "integer"} for name in "abcdefg"}}
    (found,) = fields({"notes": {"type": "array", "items": wide}})
    assert found.widget == "group"


def test_an_id_without_a_title_is_called_by_what_it_stands_for():
    schema = {"properties": {"war": {"const": "a1"}, "wars": {"type": "array", "items": {"enum": ["a1", "b2"]}}}}
    names = {"a1": "war 1 of century 2"}
    war, wars = Making({}, names=names.get).fields(schema | {"required": ["war"]}, {})
    assert (war.widget, war.choices[0][1]) == ("fixed", "War 1 of century 2")
    assert [title for _, title, _ in wars.choices] == ["War 1 of century 2", "b2"]


def test_a_default_beside_a_reference_is_what_the_field_begins_with():
    (found,) = fields({"role": {"$ref": "#/$defs/Role", "default": "gm"}}, Role={"enum": ["gm", "player"]})
    assert found.choices == (('"gm"', "game-master", True), ('"player"', "player", False))


def test_several_of_some_choices_are_ticked():
    items = {"enum": ["a", "b", "c"]}
    (found,) = fields({"wars": {"type": "array", "items": items, "uniqueItems": True}}, {"wars": ["b"]})
    assert [(value, chosen) for value, _, chosen in found.choices] == [('"a"', False), ('"b"', True), ('"c"', False)]
    assert body_of({"wars:choices": ["", '"a"', '"c"']}) == {"wars": ["a", "c"]}
    assert body_of({"wars:choices": [""]}) == {"wars": []}


@pytest.mark.parametrize(
    ("part", "text", "value"),
    [
        ({"type": "array", "items": {"type": "integer"}}, "3 5, 6", [3, 5, 6]),
        ({"type": "array", "items": {"type": "string"}}, "north\n\nfar south ", ["north", "far south"]),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, '{"a": 1}', {"a": 1}),
        ({"type": "string"}, "  words ", "words"),
    ],
)
def test_what_is_written_by_hand_is_read(part, text, value):
    (found,) = fields({"it": part})
    assert body_of({found.name: [text]}) == {"it": value}


@pytest.mark.parametrize("name", ["it:number", "it:json", "it:numbers"])
def test_what_cannot_be_read_is_said_with_its_place(name):
    with pytest.raises(ValueError, match="it: 'many' cannot be read"):
        body_of({name: ["many"]})


def test_a_number_that_a_list_may_hold_twice_is_counted():
    """Dice of a pool: a check box gives one of each size, and two of one size are what most pools are."""
    sizes = {"enum": [6, 12]}
    two = {"contains": {"enum": [12]}, "minContains": 0, "maxContains": 2}
    (pool,) = fields({"dice": {"type": "array", "items": sizes, "allOf": [two]}}, {"dice": [12, 6, 12]})
    assert (pool.widget, pool.name) == ("counts", "dice:counts")
    assert [(each.label, each.value, each.high) for each in pool.fields] == [("6", 1, None), ("12", 2, 2)]
    assert body_of({"dice:counts": ["6", "1", "12", "2"]}) == {"dice": [6, 12, 12]}
    assert body_of({"dice:counts": ["6", "", "12", "0"]}) == {"dice": []}
    for wrong in ("-1", "1001", "two", "1.5"):
        with pytest.raises(ValueError, match="How many of each"):
            body_of({"dice:counts": ["6", wrong]})
    for once in ({"uniqueItems": True}, {"maxItems": 1}):
        assert [each.widget for each in fields({"dice": {"type": "array", "items": sizes, **once}})] == ["choices"]


def test_where_order_counts_each_choice_has_a_place_and_what_is_sent_is_in_that_order():
    items = {"oneOf": [{"const": key, "title": key.upper()} for key in "abc"]}
    part = {"type": "array", "items": items, "uniqueItems": True, "x-ordered": True}
    (some,) = fields({"races": part}, {"races": ["c", "a"]})
    assert (some.widget, some.name) == ("order", "races:order")
    assert [(each.label, each.value) for each in some.fields] == [("C", "1"), ("A", "2"), ("B", "")]
    (every,) = fields({"races": part | {"minItems": 3}})
    assert [each.value for each in every.fields] == ["1", "2", "3"]
    assert body_of({"races:order": ['"a"', "3", '"b"', "1", '"c"', ""]}) == {"races": ["b", "a"]}
    assert body_of({"races:order": ['"a"', "10", '"b"', "9"]}) == {"races": ["b", "a"]}
    with pytest.raises(ValueError, match="no number alike"):
        body_of({"races:order": ['"a"', "1", '"b"', "1"]})


@pytest.mark.parametrize(
    ("pointer", "words"),
    [
        ("/losses/1/units", "Losses 2, units"),
        ("/reason", "Reason"),
        ("/co_creators/0", "Co creators 1"),
        ("", "The form"),
    ],
)
def test_where_a_refusal_points_is_said_as_the_form_calls_it(pointer, words):
    assert place_in_words(pointer) == words


def test_combinations_are_called_by_their_parts():
    (found,) = fields({"square": {"enum": [{"x": 1, "y": 2}]}})
    assert found.choices == ((json.dumps({"x": 1, "y": 2}), "x 1, y 2", False),)


@pytest.mark.parametrize(
    ("part", "widget"), [({"const": "a1", "title": "Coast Folk"}, "fixed"), ({"const": "a1"}, "hidden")]
)
def test_what_leaves_no_choice_is_fixed_and_shown_where_it_has_a_name(part, widget):
    schema = {"properties": {"race": {"oneOf": [part]}}, "required": ["race"]}
    (found,) = Making({}).fields(schema, {})
    assert (found.widget, found.value, found.choices[0][1]) == (widget, '"a1"', part.get("title", "a1"))


DEEP = "[" * 100 + "]" * 100


@pytest.mark.parametrize(
    "sent",
    [
        {"a:json": [DEEP]},
        {"a:json": ['{"b": 1, "b": 2}']},
        {"a:json": ['"\\ud800"']},
        {"a:json": ["[NaN]"]},
        {"a:choices": ['"x"', '"\\u0000"']},
        {"a:text": ["nul \0 here"]},
        {"a\0b:text": ["x"]},
        {"a:number": ["9" * 30]},
        {"a:number": ["9" * 5000]},
        {"a:numbers": ["1 " + "9" * 30]},
        {"a:lines": ["one\n\ud800"]},
        {".".join("a" * 200) + ":text": ["x"]},
        {"a:text": ["x"], "a.b:text": ["y"]},
        {"a.b:text": ["y"], "a:text": ["x"]},
        {"a:text": ["x"], "a:number": ["1"]},
    ],
    ids=lambda sent: next(iter(sent))[:20],
)
def test_what_the_reader_of_the_apis_refuses_no_form_may_send(sent):
    """The kind: a text that some reader behind the form cannot bear; each comes back in words, none as a failure."""
    with pytest.raises((ValueError, ParseError)) as caught:
        body_of(sent)
    assert not isinstance(caught.value, UnicodeError | RecursionError) and str(caught.value)


DICE = {"type": "integer", "enum": [4, 6, 8]}


@pytest.mark.parametrize(
    ("more", "bounds", "said"),
    [
        ({"minItems": 1, "maxItems": 3}, (1, 3), "1 to 3."),
        ({"maxItems": 2}, (0, 2), "At most 2."),
        ({"minItems": 2}, (2, None), "At least 2."),
        ({"minItems": 2, "maxItems": 2}, (2, 2), "Exactly 2."),
        ({"maxItems": 3, "uniqueItems": True}, (0, None), ""),
        ({"minItems": 2, "maxItems": 2, "x-ordered": True}, (2, 2), "Exactly 2. " + HINTS["order"]),
    ],
)
def test_a_list_of_choices_says_how_many_of_them_it_takes(more, bounds, said):
    given = {"type": "array", "items": DICE, "uniqueItems": "x-ordered" in more} | more
    (found,) = fields({"dice": given})
    assert (found.least, found.most) == bounds
    assert found.help.removesuffix(HINTS["counts"]).strip() == said


def test_a_command_that_takes_a_digest_or_opens_one_is_offered_by_no_page():
    of_programs = {
        (rules.slug, name)
        for rules in registry.rulesets()
        for name, kind in rules.open_commands.items()
        if "salt" in kind.model_fields or DIGEST in str(kind.model_json_schema())
    }
    assert ("albraxas", "seal-orders") in of_programs
    assert of_programs == {
        (rules.slug, name)
        for rules in registry.rulesets()
        for name, kind in rules.open_commands.items()
        if issubclass(kind, ClientSealed)
    }
