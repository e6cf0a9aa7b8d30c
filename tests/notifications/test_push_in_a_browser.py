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
from tests.browser import needed, open_pages
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
        session = {"name": settings.SESSION_COOKIE_NAME, "value": client.cookies[settings.SESSION_COOKIE_NAME].value}
        page.context.add_cookies([{**session, "url": live_server.url}])
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
