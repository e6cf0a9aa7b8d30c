"""What bots say: charts of sheets, deeds and Wishes of players, and what a world master tells.

Words alone. How hard a deed is follows from its words (`bots.rulings`), a person's the same way.
"""

from collections.abc import Mapping, Sequence

from games.dietower.rules.state.schema_types import Harm, SheetField, WishKind

Lines = tuple[str, ...]

# --- sheets -----------------------------------------------------------------------------------------------------------
WEAPONS: Lines = ("long knife", "crossbow", "boat hook", "sling", "iron staff", "two hatchets")
SHIELDS: Lines = ("round shield", "heavy cloak")
POWERS: Lines = ("talks with birds", "hears stone", "kindles with a look", "walks on water", "is forgotten at will")
DRAWBACKS: Lines = (
    "they talk back",
    "is deaf for an hour",
    "is cold all night",
    "never on the way back",
    "forgets, too",
)
"""One for each power, in their order."""
DEVIATIONS: Lines = (
    "black feathers",
    "no shadow",
    "eyes like a goat",
    "leaves wet footprints",
    "a voice from elsewhere",
)
MYSTERIES: Lines = (
    "The letters were forged, and the forger sits at this table.",
    "The grave on the hill is empty.",
    "A debt to the salt guild, with a life as the pledge.",
    "The beacon was put out on purpose that night.",
    "The name on the sheet belongs to somebody who drowned.",
    "There is a second road, and it was walked before.",
)
NAMES: Lines = ("Rook", "Odo", "Wren", "Ilse", "Hanne", "Brok", "Siv", "Tamsin", "Corvin", "Marl", "Jory", "Elke")
NOTES: Lines = (
    "Never sits with the back to a door.",
    "Keeps the first coin ever earned.",
    "Writes home each week; nobody answers.",
    "Has crossed the salt once, and says nothing of it.",
)
CHARTS: Mapping[SheetField, Lines] = {
    SheetField.NOTES: NOTES,
    SheetField.NAME: NAMES,
    SheetField.WEAPON: (*WEAPONS, *SHIELDS),
    SheetField.POWER: POWERS,
    SheetField.POWER_DRAWBACK: DRAWBACKS,
    SheetField.DEVIATION: DEVIATIONS,
    SheetField.MYSTERY: MYSTERIES,
}
"""A chart for each field of a sheet (DT-CHR-6)."""

# --- what players try -------------------------------------------------------------------------------------------------
DEEDS: Mapping[str, Lines] = {
    "climbing": (
        "Look down from the roof",
        "Balance along the roof beam",
        "Hold on to the mast",
        "Climb the salt tower",
        "Climb down the sealed shaft",
        "Carry a child across the abyss",
    ),
    "lies": (
        "Greet the toll keeper as an old friend",
        "Calm the innkeeper with a tale",
        "Hide behind a false name",
        "Persuade the guard that the road is closed",
        "Tell the captain that the ship is sold",
        "Turn back an army with a forged letter",
    ),
    "locks": (
        "Knock and see who opens",
        "Learn who made this key",
        "Find the hidden catch",
        "Steal the key from a sleeping guard",
        "Open the vault before the bell",
        "Open the door of the dead",
    ),
    "old songs": (
        "Sit down and hum along",
        "Calm the oxen with a song",
        "Remember the verse about the well",
        "Sing the captain to sleep",
        "Sing a ghost back into its grave",
        "Sing the moon down",
    ),
    "tracks": (
        "Read the footprints in the yard",
        "Count the riders who have passed",
        "Follow the cart into the marsh",
        "Sneak past the hounds",
        "Follow a trail across the burning salt",
        "Track what flies by night through the storm",
    ),
    "herbs": (
        "Look for bandages",
        "Cook something against the cold",
        "Search the ditch for sleepwort",
        "Mend a broken leg",
        "Draw the poison from the wound",
        "Wake somebody who has drowned",
    ),
    "numbers": (
        "Count the barrels",
        "Learn what the ledger hides",
        "Find the mistake in the map",
        "Break the cipher of the salt guild",
        "Foretell the flood to the hour",
    ),
    "knots": (
        "Rest by the coiled rope",
        "Carry the chest across on a line",
        "Mend the net before dawn",
        "Tie up the guard without a sound",
        "Tie down the mast in the gale",
        "Bind a ghost with its own chain",
    ),
}
"""What somebody tries with what they are good at."""
POWER_DEEDS: Lines = (
    "Find out what sleeps below",
    "Turn the watch away",
    "Cross the water before the others",
    "Frighten the hounds back into the dark",
    "Get an answer out of a ghost",
)
WEAPON_DEEDS: Lines = (
    "Cut the bridge behind the company",
    "Hold the stair against three",
    "Break the bars of the cellar",
    "Bring the guard down without a cry",
    "Hold the gate alone",
)
WISHES: Mapping[WishKind, Lines] = {
    WishKind.ELEMENT: (
        "There is a boat after all.",
        "The dogs are asleep.",
        "It begins to rain.",
        "The bridge still stands.",
        "Somebody has left a lamp.",
    ),
    WishKind.SOMEONE: (
        "The toll keeper lets us through.",
        "The widow tells us the name.",
        "The ferryman asks for no fare.",
    ),
    WishKind.GROUP: (
        "The village hides us for a night.",
        "The watch puts its spears down.",
    ),
}
TRIGGERS: Lines = ("it comes nearer", "somebody runs", "the light goes out", "one of us is hurt")
RETREATS: Lines = ("it comes for me", "it strikes out", "somebody calls me back")
"""What a movement waits for that leads away."""

# --- what the world master tells --------------------------------------------------------------------------------------
TASKS: Sequence[Lines] = (
    (
        "Hold the door",
        "Carry the chest out of the rain",
        "Cross the yard unseen",
        "Calm the horses",
        "Listen at the wall",
    ),
    (
        "Wade through the lower street",
        "Look into the cistern",
        "Find a dry cellar",
        "Push the ferry free",
        "Jump the gap",
    ),
    ("Climb the last stair", "Read the names over the arch", "Find the right bell", "Cross the hall of mirrors"),
)
"""What is asked of those who wait, by session; the last is for all later ones."""
MONSTERS: Sequence[Lines] = (
    ("Salt warden", "Grey hound", "Road wight"),
    ("Ferryman", "Tide wife", "Lamp eater"),
    ("Bone choir", "Keeper of the stair", "Thing in the bell"),
)
"""Of whom one is met in a session."""
CLAWS: Lines = ("claws", "a rusted hook", "a chain", "cold hands")
WEAKNESSES: Lines = ("fresh water", "its own name", "silence", "daylight", "")
BEATEN: Lines = (
    "What is left of it runs out like wet salt.",
    "It lies still, and the road is open.",
    "Nobody cheers; they breathe.",
)
LOST: Lines = ("They are left for dead.", "It turns away, as if they were nothing.")
PEOPLE: Sequence[tuple[str, str, str, str]] = (
    ("Old Marthe", "", "knows every door on the road", "She has buried three companies before this one."),
    ("Tomas the carter", "whip", "", "He carries something for the guild, and does not ask what."),
    ("Sister Ivo", "", "stills fear with a word", "She was one of the drowned."),
    ("Henk with the lamp", "lamp pole", "", "He follows them since the first inn."),
)
"""Name, weapon, power and notes of a person who goes along."""
PEOPLE_TASKS: Lines = ("Show the way by night", "Carry the lamp ahead", "Find shelter for all", "Talk the watch round")
HARMS: Mapping[Harm, Lines] = {
    Harm.INJURY: (
        "The rope burns through both palms.",
        "A step gives way.",
        "Something bites, and holds on.",
        "A beam comes down.",
    ),
    Harm.LOSS: (
        "The lamp goes over the edge.",
        "The map is wet through, and empty.",
        "The horse bolts with the packs.",
    ),
    Harm.OTHER: (
        "For an hour nobody can say where they were.",
        "A voice below knows the name now.",
    ),
    Harm.DEATH: ("The dark closes, and nothing is found.", "The roof comes down, and there is no answer."),
}
"""What a terrible thing is."""
RESTED = "A night at the fire, and a bandage."
NOT_NOW: Lines = ("Not now: something is coming.", "The evening is over; that is for the next one.")
"""Why a check is not made: an encounter is due, or the end of the session."""
WAITED = "Who has waited longest goes first."
"""Why the members act in an order of the world master's."""
BLOWS = "the blows that brought it down"
"""What a level is for that comes before the others."""
ONE_THING = "One thing in a turn; the next turn comes."
TOLD: Lines = (
    '"{deed}": of that they will tell.',
    '"{deed}": nobody had thought it possible.',
    'At the fire they tell it again: "{deed}".',
    '"{deed}": it is in the song already.',
    '"{deed}": even the carters tell of it.',
)
GRANTED: Lines = (
    "So it is.",
    "So it is, for tonight.",
    "It is so, and somebody has noticed.",
    "It was there all the time.",
    "So it is, and the way back is longer.",
    "It is so; nobody asks why.",
)
REFUSED: Lines = ("Not at that price.", "Not tonight.", "Almost; but no.")
LEVELS: Lines = ("the road behind them", "the town under the water", "the last stair")
"""What a level is for, by session."""
SURVIVED, SOME_LOST, ALL_LOST = (
    "They go home, all of them.",
    "They go home, and leave a place at the table empty.",
    "Nobody comes down; the lamp burns on.",
)
