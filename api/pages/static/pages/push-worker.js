// The service worker of pushes: shows what the service says, leads there, and tells it of a renewed subscription. It
// controls no page and keeps nothing.
"use strict";

self.addEventListener("push", (event) => {
  const told = event.data.json();
  const until = told.due ? `\nUntil ${new Date(told.due).toLocaleString()}.` : "";
  // One tag is shown once: what is newer about the same question takes the place of what was there.
  const options = { body: told.body + until, tag: told.tag, renotify: true, data: { path: told.path } };
  event.waitUntil(self.registration.showNotification(told.title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = new URL(event.notification.data.path, self.location.origin);
  if (address.origin === self.location.origin) event.waitUntil(self.clients.openWindow(address.href));
});

// A browser may renew its subscription by itself, while nobody is signed in: what it had shows the service whose it is.
const renew = async ({ oldSubscription: former, newSubscription: made }) => {
  if (!former) throw new Error("it is not said which subscription has ended");
  const { applicationServerKey } = former.options;
  const wish = { userVisibleOnly: true, applicationServerKey };
  const renewed = (made || await self.registration.pushManager.subscribe(wish)).toJSON();
  const had = former.toJSON();
  const { endpoint, keys: { p256dh, auth } } = renewed;
  const body = { former_endpoint: had.endpoint, former_auth: had.keys.auth, endpoint, p256dh, auth };
  const headers = { "Content-Type": "application/json" };
  const sent = { method: "POST", credentials: "omit", headers, body: JSON.stringify(body) };
  const answer = await fetch("/api/v1/push-renewals/", sent);
  if (!answer.ok) throw new Error(`the service answers ${answer.status}`);
};

const askAnew = () => self.registration.showNotification("Pushes to this browser have ended", {
  body: "Allow them once more at your notifications.", tag: "push-renewal", data: { path: "/notifications/" },
});

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event).catch(askAnew)));
