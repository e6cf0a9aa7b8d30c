"""Every command and event of The Gods II, in the order of the rulebook's chapters."""

from games.engine.kernel import Command, Event
from games.gods2.rules.cascade.settling import SETTLING_EVENTS
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.joint import JOINING_EVENTS, AnswerCasting, SettleCasting
from games.gods2.rules.casting.queue import (
    CallNumber,
    DrawNumber,
    LeaveQueue,
    NumberCalled,
    NumberDrawn,
    NumberDropped,
    NumberPassed,
    NumberServed,
    NumberTaken,
    PassNumber,
)
from games.gods2.rules.casting.rules import CASTING_EVENTS
from games.gods2.rules.casting.standing_answers import STANDING_EVENTS, SetStandingAnswer
from games.gods2.rules.century.calculation import (
    ApproveWorksheet,
    CenturyClosed,
    CorrectWorksheet,
    EraPaid,
    WorksheetApproved,
    WorksheetClosed,
    WorksheetCorrected,
    WorksheetOpened,
)
from games.gods2.rules.century.calendar import GameFinished, PlanSessions, SessionClosed, SessionOpened, SessionsPlanned
from games.gods2.rules.century.clock_commands import CLOCK_COMMANDS
from games.gods2.rules.century.mana import (
    FactorsTaken,
    ManaGained,
    ManaPaid,
    ManaRefunded,
    ManaSpent,
    PoolGained,
    PoolPaid,
    PoolRefunded,
    PoolSpent,
)
from games.gods2.rules.century.start import STARTING_EVENTS
from games.gods2.rules.century.steps import ActivityClosed, CenturyOpened, GrowthOrdered, OpenSession
from games.gods2.rules.century.worksheet import WORKSHEET_EVENTS
from games.gods2.rules.cities.rules import CITY_EVENTS
from games.gods2.rules.cities.site_prompt import ChooseCitySite, SettleCitySite
from games.gods2.rules.effects.choice_prompts import ChooseEffect, SettleEffect
from games.gods2.rules.effects.choices import CHOOSING_EVENTS
from games.gods2.rules.effects.disasters import DISASTER_EVENTS
from games.gods2.rules.effects.limit_cuts import CUTTING_EVENTS
from games.gods2.rules.effects.misc import LESSER_EVENTS
from games.gods2.rules.effects.modifications import MODIFICATION_EVENTS
from games.gods2.rules.effects.roll_tables import ROLLING_EVENTS
from games.gods2.rules.effects.spreading import SPREADING_EVENTS
from games.gods2.rules.effects.terraforming import LAND_EVENTS
from games.gods2.rules.effects.units import PEOPLING_EVENTS
from games.gods2.rules.gm_desk import DESK_EVENTS, GrantPower, RecordLaw, SettleManualTask, SignEntry
from games.gods2.rules.gm_previews import PREVIEW_EVENTS, AcceptPreview
from games.gods2.rules.growth.migration import MIGRATION_EVENTS
from games.gods2.rules.growth.migration_commands import OrderMigration
from games.gods2.rules.growth.order import GrowthOrderSet, SetGrowthOrder
from games.gods2.rules.growth.preview import GROWING_EVENTS, PlaceGrowth
from games.gods2.rules.growth.rules import GROWTH_EVENTS
from games.gods2.rules.history.naming import NAMING_EVENTS, NamePlace
from games.gods2.rules.history.record import HISTORY_EVENTS
from games.gods2.rules.knowledge.rules import TEACHING_EVENTS
from games.gods2.rules.pack.upgrade import PACK_EVENTS, MovePack
from games.gods2.rules.pantheon.commands import (
    DraftPantheonOrder,
    DropPantheonOrder,
    HandInPantheonOrder,
    SignPantheonOrder,
    UnsignPantheonOrder,
)
from games.gods2.rules.pantheon.cults import CULT_EVENTS
from games.gods2.rules.pantheon.events import (
    PantheonChanged,
    PantheonOrderAccepted,
    PantheonOrderDeferred,
    PantheonOrderDrafted,
    PantheonOrderDropped,
    PantheonOrderRefused,
    PantheonOrderSigned,
    PantheonOrderUnsigned,
)
from games.gods2.rules.pantheon.turmoil import TURMOIL_EVENTS
from games.gods2.rules.pantheon.turmoil_commands import UNREST_EVENTS, AnswerExpulsion, SettleExpulsion, StartTurmoil
from games.gods2.rules.setup.commands import ConfigureGame, DefineGod, DefineRace, SetMap
from games.gods2.rules.setup.events import (
    AbsenceMarked,
    CardsSet,
    EraPrepared,
    FeatureAdded,
    GameConfigured,
    GodDefined,
    GodMarked,
    MapSet,
    PackPinned,
    RaceDefined,
)
from games.gods2.rules.setup.roster import MarkAbsent, MarkGod, SetCards
from games.gods2.rules.setup.second_creation import CREATION_EVENTS, StartSecondCreation
from games.gods2.rules.units import UNIT_EVENTS
from games.gods2.rules.war.aggression import AggressionRolled
from games.gods2.rules.war.combined import COMBINING_EVENTS, CombineWars, SetWarSplit
from games.gods2.rules.war.commands import DeclareWar
from games.gods2.rules.war.declarations import (
    BoardOpened,
    DeclarationVoided,
    WarCancelled,
    WarDeclared,
    WarHastened,
    WarHeld,
    WarsOrdered,
)
from games.gods2.rules.war.events import WAR_EVENTS
from games.gods2.rules.war.preview import PREVIEWING_EVENTS, SetCasualties
from games.gods2.rules.war.schedule import DiplomacySet, FightWarNow, HoldWar, SetDiplomacy

COMMANDS: tuple[type[Command], ...] = (
    ConfigureGame,
    SetMap,
    DefineGod,
    DefineRace,
    MovePack,
    PlanSessions,
    SetCards,
    MarkGod,
    MarkAbsent,
    OpenSession,
    SetGrowthOrder,
    PlaceGrowth,
    ChooseCitySite,
    DrawNumber,
    LeaveQueue,
    PassNumber,
    CallNumber,
    CastPower,
    AnswerCasting,
    ChooseEffect,
    DeclareWar,
    OrderMigration,
    HoldWar,
    FightWarNow,
    SetDiplomacy,
    CombineWars,
    SetWarSplit,
    SetCasualties,
    AcceptPreview,
    DraftPantheonOrder,
    SignPantheonOrder,
    UnsignPantheonOrder,
    HandInPantheonOrder,
    DropPantheonOrder,
    StartTurmoil,
    AnswerExpulsion,
    CorrectWorksheet,
    ApproveWorksheet,
    StartSecondCreation,
    NamePlace,
    SignEntry,
    RecordLaw,
    GrantPower,
    SettleManualTask,
    SetStandingAnswer,
    *CLOCK_COMMANDS,
    SettleExpulsion,
    SettleCasting,
    SettleEffect,
    SettleCitySite,
)

EVENTS: tuple[type[Event], ...] = (
    GameConfigured,
    PackPinned,
    *PACK_EVENTS,
    MapSet,
    FeatureAdded,
    GodDefined,
    CardsSet,
    ManaGained,
    RaceDefined,
    SessionsPlanned,
    EraPrepared,
    GodMarked,
    AbsenceMarked,
    SessionOpened,
    FactorsTaken,
    SessionClosed,
    GameFinished,
    CenturyOpened,
    GrowthOrderSet,
    GrowthOrdered,
    *GROWING_EVENTS,
    *GROWTH_EVENTS,
    *UNIT_EVENTS,
    *PEOPLING_EVENTS,
    *DISASTER_EVENTS,
    *CUTTING_EVENTS,
    *SETTLING_EVENTS,
    *STARTING_EVENTS,
    *LAND_EVENTS,
    *SPREADING_EVENTS,
    *ROLLING_EVENTS,
    *CITY_EVENTS,
    AggressionRolled,
    WarDeclared,
    DeclarationVoided,
    WarsOrdered,
    BoardOpened,
    NumberTaken,
    NumberDrawn,
    NumberCalled,
    NumberPassed,
    NumberDropped,
    NumberServed,
    *JOINING_EVENTS,
    *CASTING_EVENTS,
    *CHOOSING_EVENTS,
    *LESSER_EVENTS,
    *DESK_EVENTS,
    *STANDING_EVENTS,
    ManaSpent,
    PoolSpent,
    ManaRefunded,
    PoolRefunded,
    PoolGained,
    *MODIFICATION_EVENTS,
    *MIGRATION_EVENTS,
    *TEACHING_EVENTS,
    *CULT_EVENTS,
    *TURMOIL_EVENTS,
    *UNREST_EVENTS,
    WarCancelled,
    WarHeld,
    WarHastened,
    DiplomacySet,
    *COMBINING_EVENTS,
    *PREVIEW_EVENTS,
    *PREVIEWING_EVENTS,
    *WAR_EVENTS,
    PantheonOrderDrafted,
    PantheonOrderSigned,
    PantheonOrderUnsigned,
    PantheonOrderDropped,
    PantheonOrderRefused,
    PantheonOrderDeferred,
    PantheonOrderAccepted,
    PantheonChanged,
    ActivityClosed,
    *WORKSHEET_EVENTS,
    WorksheetOpened,
    WorksheetCorrected,
    WorksheetApproved,
    WorksheetClosed,
    ManaPaid,
    PoolPaid,
    CenturyClosed,
    EraPaid,
    *CREATION_EVENTS,
    *NAMING_EVENTS,
    *HISTORY_EVENTS,
)
