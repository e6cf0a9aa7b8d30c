// The button that lets this browser take pushes: permission, service worker, subscription; a form takes it from there.
"use strict";

(() => {
  const form = document.getElementById("push");
  if (!form) return;
  const button = form.querySelector("button");
  const say = (text) => { document.getElementById("push-status").textContent = text; };
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const isSame = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);

  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    say("This browser takes no pushes.");
    button.disabled = true;
    return;
  }

  // A subscription by an earlier key of the service is of no use: it is replaced.
  const subscribe = async () => {
    const { worker, scope, key } = form.dataset;
    const registration = await navigator.serviceWorker.register(worker, { scope });
    const wanted = bytes(key);
    const held = await registration.pushManager.getSubscription();
    if (held && held.options.applicationServerKey && isSame(new Uint8Array(held.options.applicationServerKey), wanted)) {
      return held;
    }
    if (held) await held.unsubscribe();
    return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: wanted });
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      if (await Notification.requestPermission() !== "granted") {
        say("The browser was told not to show notifications; allow them in its settings for this site.");
        return;
      }
      const { endpoint, keys } = (await subscribe()).toJSON();
      Object.assign(form.elements.endpoint, { value: endpoint });
      Object.assign(form.elements.p256dh, { value: keys.p256dh });
      Object.assign(form.elements.auth, { value: keys.auth });
      form.submit();
    } catch (error) {
      say(`The browser could not subscribe: ${error.message}`);
    } finally {
      button.disabled = false;
    }
  });
})();
