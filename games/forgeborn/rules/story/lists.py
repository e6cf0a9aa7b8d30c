"""The lists of the appendix as data: threats, guardians, names (FB-TXT-1). Suggestions, without effect on dice."""

from games.forgeborn.rules.state.schema_types import ListName

THREATS = (
    "bandits with a charming chief",
    "wolves",
    "werewolves",
    "howlers in the night",
    "a warlord with a quick temper",
    "orcs camping close by",
    "an evil baron",
    "famine",
    "sickness",
    "feuding clans",
    "a serial murderer",
    "fire",
    "earthquake",
    "tornado",
    "a yeti far from home",
    "goblins who carry people off",
    "a minor demon that wants worship",
    "rude mercenaries camping close by",
    "a cult of cannibals",
    "drug trade",
    "a thirsty vampire",
    "poisoned wells",
    "a leopard that eats people",
    "a rumbling volcano",
    "mist that drives people mad",
    "time out of joint",
)
"""Problems of Villages."""
GUARDIANS = (
    "hell-bear, green fire in its eyes",
    "animated skeletons that giggle and whimper",
    "giant ants in rusty iron shells",
    "invisible demon, claws of ice",
    "foul troll with thick fingers",
    "scarlet goblins with notched scimitars",
    "golden slime that spits acid",
    "ghost that loves riddles and secrets",
    "maze of fungi full of spores",
    "shadow hounds",
    "spirits of fog",
    "people-hating wizard with a headache",
    "huge burrowing beast",
    "linked traps",
)
"""What guards Ruins."""
NAMES = (
    "Brika", "Bandi", "Hele", "Oswinmum", "Olis", "Sogliasha", "Sisia", "Dican", "Jorius", "Opsia",
    "Brancetia", "Pscardium", "Blacra", "Triodor", "Pina", "Nyca", "Lowin", "Thyllotila", "Poranov", "Fawystietia",
    "Titterolium", "Caria", "Rapra", "Ærli", "Zvetoulai", "Þórachlo", "Loporoc", "Excus", "Mohum", "Quildus",
    "Fabran", "Theapolyton", "Viloa", "Shus", "Shossa", "Yonseuda", "Roburida", "Yosema", "Lukr", "Janniffe",
    "Ríkuchiinia", "Valen", "Ichellara", "Adia", "Ixisellania", "Thoce", "Ceoa", "Petrodooni", "Leum", "Geitian",
    "Gunna", "Acola", "Serna", "Calavis", "Kumbermum", "Bolyper", "Marmaritt", "Coly", "Clittij", "Vild",
)  # fmt: skip
"""For everybody."""
LISTS = {ListName.THREATS: THREATS, ListName.GUARDIANS: GUARDIANS, ListName.NAMES: NAMES}
