"""The button, its script and the service worker in a real browser, under the policy of the page.

No push service is at hand: a stand-in for `PushManager` subscribes, and the browser itself hands the worker a push.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import expect

from accounts.models import PushSubscription
from api.notifications import browsers
from tests.browser import needed, open_pages
from tests.games.cairns import NOON
from tests.notifications.pushed import VAPID_PRIVATE_KEY, VAPID_SUBJECT, Browser
from tests.notifications.told import told

pytestmark = [needed, pytest.mark.long, pytest.mark.django_db(transaction=True)]
ENDPOINT = "https://push.example.net/wpush/v2/a-long-secret"
STAND_IN = """
  Notification.requestPermission = async () => "granted";
  Object.defineProperty(ServiceWorkerRegistration.prototype, "pushManager", { get: () => ({
    getSubscription: async () => null,
    subscribe: async (options) => {
      if (!options.userVisibleOnly || options.applicationServerKey.length !== 65) throw new Error("no such options");
      return { toJSON: () => (%s) };
    },
  }) });
"""
PUSHED = {"title": "Cairns", "body": "You are asked: More salt?", "due": None, "path": "/games/", "tag": "one"}
RENEWED = """async ([former, made, subscribed]) => {
  // A browser renews when it wants to: the event is a stand-in, what handles it and whom it asks are not.
  const options = { applicationServerKey: new ArrayBuffer(65) };
  const subscription = (given) => given && ({ toJSON: () => given, options });
  Object.defineProperty(ServiceWorkerRegistration.prototype, "pushManager", { configurable: true, get: () => ({
    subscribe: async ({ userVisibleOnly, applicationServerKey }) => {
      if (!userVisibleOnly || applicationServerKey.byteLength !== 65) throw new Error("no such options");
      return subscription(subscribed);
    } }) });
  const event = new Event("pushsubscriptionchange");
  let done;
  Object.assign(event, { oldSubscription: subscription(former), newSubscription: subscription(made) });
  Object.assign(event, { waitUntil: (promise) => { done = promise; } });
  self.dispatchEvent(event);
  await done;
  const shown = await self.registration.getNotifications();
  return shown.map((each) => [each.title, each.tag, each.data.path]);
}"""
SHOWN = """async () => {
  const registration = await navigator.serviceWorker.getRegistration("/notifications/push-worker.js");
  return (await registration.getNotifications()).map((each) => [each.title, each.body, each.tag, each.data.path]);
}"""


def test_the_button_subscribes_and_the_worker_shows_one_notification_for_each_tag(
    live_server: Any, settings, tmp_path: Path
) -> None:
    settings.VAPID_PRIVATE_KEY, settings.VAPID_SUBJECT = VAPID_PRIVATE_KEY, VAPID_SUBJECT
    game = told()
    client = Client()
    client.force_login(game.cairns.ann)
    given = Browser(ENDPOINT).given
    keys = {"p256dh": given["p256dh"], "auth": given["auth"]}
    stand_in = STAND_IN % json.dumps({"endpoint": ENDPOINT, "keys": keys})
    with open_pages(tmp_path, "ann") as (page,):
        faults: list[str] = []
        page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
        page.context.grant_permissions(["notifications"], origin=live_server.url)
        page.context.add_cookies([{**session_of(client, settings), "url": live_server.url}])
        page.add_init_script(stand_in)
        page.goto(f"{live_server.url}/notifications/")
        page.get_by_label("Name of this browser").fill("Desk")
        page.get_by_role("button", name="Allow pushes in this browser").click()
        expect(page.get_by_role("button", name="Push nothing to Desk")).to_be_visible()
        assert "a-long-secret" not in page.content()

        found: list[dict[str, Any]] = []
        devtools = page.context.new_cdp_session(page)
        devtools.on("ServiceWorker.workerRegistrationUpdated", lambda told: found.extend(told["registrations"]))
        devtools.send("ServiceWorker.enable")
        page.wait_for_function("async () => (await navigator.serviceWorker.getRegistrations()).every((r) => r.active)")
        (registration,) = {each["registrationId"]: each for each in found}.values()
        assert registration["scopeURL"] == f"{live_server.url}/notifications/push-worker.js", "no page is in its scope"
        for pushed in (PUSHED, PUSHED | {"body": "Your deadline is near: More salt?"}):
            message = {"registrationId": registration["registrationId"], "data": json.dumps(pushed)}
            devtools.send("ServiceWorker.deliverPushMessage", {"origin": live_server.url, **message})
            expected = [["Cairns", pushed["body"], "one", "/games/"]]
            wanted = json.dumps(expected, separators=(",", ":"))
            page.wait_for_function(f"async (wanted) => JSON.stringify(await ({SHOWN})()) === wanted", arg=wanted)
        assert faults == []
    (row,) = PushSubscription.objects.all()
    assert (row.endpoint, row.p256dh, row.auth, row.label) == (ENDPOINT, given["p256dh"], given["auth"], "Desk")


def test_the_worker_tells_the_service_of_a_renewed_subscription_and_else_asks_its_owner(
    live_server: Any, settings, tmp_path: Path
) -> None:
    """The kind: a policy of the worker, a sign-in or a CSRF check that keeps the renewal from being heard."""
    settings.VAPID_PRIVATE_KEY, settings.VAPID_SUBJECT = VAPID_PRIVATE_KEY, VAPID_SUBJECT
    ann = told().cairns.ann
    first, second, third = (Browser(f"{ENDPOINT}/{number}") for number in range(3))
    client = Client()
    client.force_login(ann)
    row = browsers.subscribe(ann.pk, browsers.Wish(**first.given, label="Desk"), NOON)
    with open_pages(tmp_path, "ann") as (page,):
        page.context.grant_permissions(["notifications"], origin=live_server.url)
        page.context.add_cookies([{**session_of(client, settings), "url": live_server.url}])
        page.goto(f"{live_server.url}/notifications/")
        script = "/notifications/push-worker.js"
        with page.context.expect_event("serviceworker") as begun:
            page.evaluate("(script) => navigator.serviceWorker.register(script, { scope: script })", script)
        page.wait_for_function("async () => (await navigator.serviceWorker.getRegistrations()).every((r) => r.active)")
        page.context.clear_cookies()
        worker = begun.value
        for former, now, is_made in ((first, second, True), (second, third, False)):
            made, subscribed = (_json(now), None) if is_made else (None, _json(now))
            assert worker.evaluate(RENEWED, [_json(former), made, subscribed]) == []
        anew = [["Pushes to this browser have ended", "push-renewal", "/notifications/"]]
        assert worker.evaluate(RENEWED, [_json(first), _json(second), None]) == anew, "the former one is not known"
        assert worker.evaluate(RENEWED, [None, _json(second), None]) == anew, "the former one is not told"
    row.refresh_from_db()
    assert {"endpoint": row.endpoint, "p256dh": row.p256dh, "auth": row.auth} == third.given
    assert (row.user, row.label) == (ann, "Desk") and PushSubscription.objects.count() == 1


def session_of(client: Client, settings: Any) -> dict[str, str]:
    """The cookie of a client that is signed in."""
    return {"name": settings.SESSION_COOKIE_NAME, "value": client.cookies[settings.SESSION_COOKIE_NAME].value}


def _json(browser: Browser) -> dict[str, Any]:
    """A subscription as a browser writes it."""
    keys = {name: value for name, value in browser.given.items() if name != "endpoint"}
    return {"endpoint": browser.endpoint, "keys": keys}
