"""Addresses of the pages of an event."""

from django.urls import path

from api.pages import accents, icon
from api.pages.event import amend, chronicle, desk, map_page, replay, screen, seat
from api.pages.way_in import (
    calendar,
    demo_chat,
    demo_sign_in,
    free_seats,
    home,
    joining,
    opening,
    passwords,
    practice,
    sign_up,
)
from core.places.cards import read_across

urlpatterns = [
    path("", read_across(home.HomePage.as_view()), name="home"),
    path("accents.css", accents.AccentsView.as_view(), name="accents"),
    path("favicon.ico", icon.IconView.as_view(), name="icon"),
    path("join/<str:code>/", joining.JoinPage.as_view(), name="join-game"),
    path("games/new/", opening.ChooseRuleset.as_view(), name="choose-ruleset"),
    path("games/new/<slug:slug>/", opening.OpenGame.as_view(), name="open-game"),
    path("demo/chat/<str:key>/", demo_chat.DemoChat.as_view(), name="demo-chat"),
    path("demo/<str:link>/", read_across(demo_sign_in.DemoSignIn.as_view()), name="demo-sign-in"),
    path("forgotten-password/", passwords.ForgottenPassword.as_view(), name="forgotten-password"),
    path("new-password/<str:key>/", passwords.NewPassword.as_view(), name="new-password"),
    path("games/<uuid:game_id>/join/", free_seats.TakeSeat.as_view(), name="take-seat"),
    path("calendar/", calendar.CalendarPage.as_view(), name="calendar-page"),
    path("calendar/<str:secret>.ics", read_across(calendar.CalendarFile.as_view()), name="calendar"),
    path("sign-up/", sign_up.SignUpPage.as_view(), name="sign-up"),
    path("play/<slug:slug>/", practice.PlayNow.as_view(), name="play-now"),
    path("games/<uuid:game_id>/desk/", desk.DeskPage.as_view(), name="desk"),
    path("games/<uuid:game_id>/desk/body/", desk.DeskBody.as_view(), name="desk-body"),
    path("games/<uuid:game_id>/desk/ticket/", desk.DeskTicket.as_view(), name="desk-ticket"),
    path("games/<uuid:game_id>/desk/commands/<slug:command>/", desk.DeskCommand.as_view(), name="desk-command"),
    path("games/<uuid:game_id>/desk/amend/", amend.DeskAmend.as_view(), name="desk-amend"),
    path("games/<uuid:game_id>/desk/map/", map_page.DeskMap.as_view(), name="desk-map"),
    path("games/<uuid:game_id>/desk/map.svg", desk.DeskPicture.as_view(), name="desk-picture"),
    path("games/<uuid:game_id>/desk/at/", desk.DeskAt.as_view(), name="desk-at"),
    path("games/<uuid:game_id>/seat/", seat.OwnSeat.as_view(), name="own-seat"),
    path("games/<uuid:game_id>/seats/<uuid:seat_id>/", seat.SeatPage.as_view(), name="seat"),
    path("games/<uuid:game_id>/seats/<uuid:seat_id>/body/", seat.SeatBody.as_view(), name="seat-body"),
    path("games/<uuid:game_id>/seats/<uuid:seat_id>/may/", seat.SeatMay.as_view(), name="seat-may"),
    path("games/<uuid:game_id>/seats/<uuid:seat_id>/map.svg", seat.SeatMap.as_view(), name="seat-map"),
    path("games/<uuid:game_id>/seats/<uuid:seat_id>/at/", seat.SeatAt.as_view(), name="seat-at"),
    path("games/<uuid:game_id>/seats/<uuid:seat_id>/ticket/", seat.SeatTicket.as_view(), name="seat-ticket"),
    path(
        "games/<uuid:game_id>/seats/<uuid:seat_id>/commands/<slug:command>/",
        seat.SeatCommand.as_view(),
        name="seat-command",
    ),
    path("games/<uuid:game_id>/chronicle/", chronicle.BookPage.as_view(), name="book"),
    path("games/<uuid:game_id>/replay/", replay.ReplayPage.as_view(), name="replay"),
    path("games/<uuid:game_id>/replay/body/", replay.ReplayBody.as_view(), name="replay-body"),
    path("games/<uuid:game_id>/replay/recap/", replay.ReplayRecap.as_view(), name="replay-recap"),
    path("games/<uuid:game_id>/replay/map.svg", replay.ReplayMap.as_view(), name="replay-map"),
    path("games/<uuid:game_id>/replay/charts/<slug:name>.svg", replay.ReplayChart.as_view(), name="replay-chart"),
    path("games/<uuid:game_id>/screen/", screen.ScreenPage.as_view(), name="screen"),
    path("games/<uuid:game_id>/screen/body/", screen.ScreenBody.as_view(), name="screen-body"),
    path("games/<uuid:game_id>/screen/map.svg", screen.ScreenMap.as_view(), name="screen-map"),
    path("games/<uuid:game_id>/screen/marks.svg", screen.ScreenHighlights.as_view(), name="screen-marks"),
    path("games/<uuid:game_id>/screen/charts/<slug:name>.svg", screen.ScreenChart.as_view(), name="screen-chart"),
]
