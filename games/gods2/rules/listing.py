"""Every command and event of The Gods II, in the order of the rulebook's chapters."""

from games.engine.kernel import Command, Event
from games.gods2.rules.aggression import AggressionRolled
from games.gods2.rules.calculation import (
    ApproveWorksheet,
    CenturyClosed,
    CorrectWorksheet,
    WorksheetApproved,
    WorksheetClosed,
    WorksheetCorrected,
    WorksheetOpened,
)
from games.gods2.rules.calendar import GameFinished, PlanSessions, SessionClosed, SessionOpened, SessionsPlanned
from games.gods2.rules.century import ActivityClosed, CenturyOpened, GrowthOrdered, OpenSession
from games.gods2.rules.cities import CITY_EVENTS
from games.gods2.rules.clock import CLOCK_COMMANDS
from games.gods2.rules.declaring import DeclareWar, DeedAuthored, PowerAuthored, PowerCast
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
from games.gods2.rules.growth import GROWTH_EVENTS
from games.gods2.rules.history import HISTORY_EVENTS
from games.gods2.rules.mana import FactorsTaken, ManaGained, ManaPaid, ManaSpent, PoolPaid
from games.gods2.rules.marking import MarkAbsent, MarkGod, SetCards
from games.gods2.rules.naming import NamePlace, PlaceNamed
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
from games.gods2.rules.posting import BoardOpened, DeclarationVoided, WarDeclared, WarHastened, WarHeld, WarsOrdered
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
from games.gods2.rules.settling import SETTLING_EVENTS
from games.gods2.rules.setup import ConfigureGame, DefineGod, DefineRace, SetMap
from games.gods2.rules.units import UNIT_EVENTS
from games.gods2.rules.war_events import WAR_EVENTS
from games.gods2.rules.worksheet import WORKSHEET_EVENTS

COMMANDS: tuple[type[Command], ...] = (
    ConfigureGame,
    SetMap,
    DefineGod,
    DefineRace,
    PlanSessions,
    SetCards,
    MarkGod,
    MarkAbsent,
    OpenSession,
    DrawNumber,
    LeaveQueue,
    PassNumber,
    CallNumber,
    DeclareWar,
    HoldWar,
    FightWarNow,
    SetDiplomacy,
    DraftPantheonOrder,
    SignPantheonOrder,
    UnsignPantheonOrder,
    HandInPantheonOrder,
    DropPantheonOrder,
    CorrectWorksheet,
    ApproveWorksheet,
    NamePlace,
    *CLOCK_COMMANDS,
)

EVENTS: tuple[type[Event], ...] = (
    GameConfigured,
    PackPinned,
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
    GrowthOrdered,
    *GROWTH_EVENTS,
    *UNIT_EVENTS,
    *SETTLING_EVENTS,
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
    PowerCast,
    PowerAuthored,
    ManaSpent,
    DeedAuthored,
    WarHeld,
    WarHastened,
    DiplomacySet,
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
    PlaceNamed,
    *HISTORY_EVENTS,
)
