"""Every command and event of The Gods II, in the order of the rulebook's chapters."""

from games.engine.kernel import Command, Event
from games.gods2.rules.aggression import AggressionRolled
from games.gods2.rules.calculation import (
    ApproveWorksheet,
    CenturyClosed,
    CorrectWorksheet,
    EraPaid,
    WorksheetApproved,
    WorksheetClosed,
    WorksheetCorrected,
    WorksheetOpened,
)
from games.gods2.rules.calendar import GameFinished, PlanSessions, SessionClosed, SessionOpened, SessionsPlanned
from games.gods2.rules.casting import CASTING_EVENTS
from games.gods2.rules.castpower import CastPower
from games.gods2.rules.century import ActivityClosed, CenturyOpened, GrowthOrdered, OpenSession
from games.gods2.rules.choosing import CHOOSING_EVENTS
from games.gods2.rules.cities import CITY_EVENTS
from games.gods2.rules.clock import CLOCK_COMMANDS
from games.gods2.rules.combining import COMBINING_EVENTS, CombineWars, SetWarSplit
from games.gods2.rules.creation import CREATION_EVENTS, StartSecondCreation
from games.gods2.rules.cults import CULT_EVENTS
from games.gods2.rules.cutting import CUTTING_EVENTS
from games.gods2.rules.declaring import DeclareWar
from games.gods2.rules.desk import DESK_EVENTS, GrantPower, RecordLaw, SettleManualTask, SignEntry
from games.gods2.rules.disasters import DISASTER_EVENTS
from games.gods2.rules.fighting import DiplomacySet, FightWarNow, HoldWar, SetDiplomacy
from games.gods2.rules.founding import (
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
from games.gods2.rules.growing import GROWING_EVENTS, PlaceGrowth
from games.gods2.rules.growth import GROWTH_EVENTS
from games.gods2.rules.history import HISTORY_EVENTS
from games.gods2.rules.joining import JOINING_EVENTS, AnswerCasting, SettleCasting
from games.gods2.rules.lesser import LESSER_EVENTS
from games.gods2.rules.mana import (
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
from games.gods2.rules.marking import MarkAbsent, MarkGod, SetCards
from games.gods2.rules.migrating import MIGRATION_EVENTS
from games.gods2.rules.modifications import MODIFICATION_EVENTS
from games.gods2.rules.naming import NAMING_EVENTS, NamePlace
from games.gods2.rules.ordering import OrderMigration
from games.gods2.rules.orders import (
    PantheonChanged,
    PantheonOrderAccepted,
    PantheonOrderDeferred,
    PantheonOrderDrafted,
    PantheonOrderDropped,
    PantheonOrderRefused,
    PantheonOrderSigned,
    PantheonOrderUnsigned,
)
from games.gods2.rules.pantheon import (
    DraftPantheonOrder,
    DropPantheonOrder,
    HandInPantheonOrder,
    SignPantheonOrder,
    UnsignPantheonOrder,
)
from games.gods2.rules.peopling import PEOPLING_EVENTS
from games.gods2.rules.picking import ChooseEffect, SettleEffect
from games.gods2.rules.planning import GrowthOrderSet, SetGrowthOrder
from games.gods2.rules.posting import (
    BoardOpened,
    DeclarationVoided,
    WarCancelled,
    WarDeclared,
    WarHastened,
    WarHeld,
    WarsOrdered,
)
from games.gods2.rules.previewing import PREVIEWING_EVENTS, SetCasualties
from games.gods2.rules.previews import PREVIEW_EVENTS, AcceptPreview
from games.gods2.rules.queue import (
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
from games.gods2.rules.repacking import PACK_EVENTS, MovePack
from games.gods2.rules.rolling import ROLLING_EVENTS
from games.gods2.rules.settling import SETTLING_EVENTS
from games.gods2.rules.setup import ConfigureGame, DefineGod, DefineRace, SetMap
from games.gods2.rules.siting import ChooseCitySite, SettleCitySite
from games.gods2.rules.spreading import SPREADING_EVENTS
from games.gods2.rules.standing import STANDING_EVENTS, SetStandingAnswer
from games.gods2.rules.starting import STARTING_EVENTS
from games.gods2.rules.teaching import TEACHING_EVENTS
from games.gods2.rules.terraforming import LAND_EVENTS
from games.gods2.rules.turmoil import TURMOIL_EVENTS
from games.gods2.rules.units import UNIT_EVENTS
from games.gods2.rules.unrest import UNREST_EVENTS, AnswerExpulsion, SettleExpulsion, StartTurmoil
from games.gods2.rules.war_events import WAR_EVENTS
from games.gods2.rules.worksheet import WORKSHEET_EVENTS

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
