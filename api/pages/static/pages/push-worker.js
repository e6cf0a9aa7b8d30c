// The service worker of pushes: shows what the service says, and leads there. It controls no page and keeps nothing.
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
