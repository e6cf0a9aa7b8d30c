// What moves by itself on desk and screen: the stream says that something happened, the page asks for its moving part
// again. The stream is read with fetch, since an EventSource can neither renew a ticket nor hear events of every name.
"use strict";

const live = (() => {
  const body = document.body;
  const moving = document.getElementById("moving");
  const stale = document.getElementById("stale");
  const RETRY = [500, 1000, 2000, 4000, 8000];
  const EVERY = 15000; // what no event says, such as a deadline that moved in secret
  const SPREAD = Number(body.dataset.spread || 220); // so long may a look wait beyond a pause: a hall looks not all at once
  const SILENT = 40000; // a stream beats each 15 s
  let cursor = "", failed = 0, lost = null, waiting = null, again = false;

  function refresh() {
    if (waiting === null) {
      waiting = setTimeout(() => {
        again = false;
        htmx.trigger(moving, "refresh");
      }, 80 + Math.random() * SPREAD);
    } else again = true;
  }

  function settle() {
    if (waiting === null) return;
    waiting = null;
    if (again) refresh();
  }

  function say(isLost) {
    if (isLost && lost === null) lost = new Date();
    if (!isLost) lost = null;
    stale.hidden = lost === null;
    if (lost !== null) stale.textContent = `Not connected since ${lost.toLocaleTimeString()}; what you see may be old.`;
  }

  async function address() {
    const url = new URL(body.dataset.stream, location.href);
    if (body.dataset.ticket) {
      const answer = await fetch(body.dataset.ticket, {
        method: "POST", headers: { "X-CSRFToken": body.dataset.csrf }, credentials: "same-origin",
      });
      if (!answer.ok) throw new Error(`ticket: ${answer.status}`);
      url.searchParams.set("ticket", (await answer.json()).ticket);
    }
    if (cursor) url.searchParams.set("after", cursor);
    else url.searchParams.set("from", "now");
    return url;
  }

  async function listen() {
    const ending = new AbortController();
    let alive = setTimeout(() => ending.abort(), SILENT);
    try {
      const answer = await fetch(await address(), { signal: ending.signal, credentials: "omit", cache: "no-store" });
      if (answer.status === 400 || answer.status === 409) cursor = ""; // a log that was restored: begin anew
      if (!answer.ok) throw new Error(`stream: ${answer.status}`);
      failed = 0;
      say(false);
      refresh();
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = ""; ;) {
        const { done, value } = await reader.read();
        if (done) break;
        clearTimeout(alive);
        alive = setTimeout(() => ending.abort(), SILENT);
        const parts = (text + value).split("\n\n");
        text = parts.pop();
        for (const part of parts) {
          const id = /^id: (.+)$/m.exec(part);
          if (id) cursor = id[1];
          if (/^event: /m.test(part)) refresh();
        }
      }
    } catch (error) {
      console.info("stream", error.message);
    } finally {
      clearTimeout(alive);
    }
    say(true);
    setTimeout(listen, RETRY[Math.min(failed++, RETRY.length - 1)] * (0.5 + Math.random()));
  }

  // Times of day: as this machine's clock has them; the page says them in UTC.
  function localise(root) {
    for (const each of root.querySelectorAll("time[datetime]")) {
      const moment = new Date(each.dateTime), long = each.textContent.split(":").length > 2;
      each.textContent = moment.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", ...(long && { second: "2-digit" }), hour12: false });
      each.title = moment.toLocaleString();
    }
  }

  // Countdowns: what was left when the page was made, from then on by this machine's own steady clock.
  function wind(root) {
    const now = performance.now();
    localise(root);
    for (const each of root.querySelectorAll(".countdown[data-left]")) each.until = now + 1000 * Number(each.dataset.left);
    tick();
  }

  function words(seconds) {
    const whole = Math.max(0, Math.ceil(seconds)), two = (number) => String(number).padStart(2, "0");
    if (whole >= 86400) return `${Math.floor(whole / 86400)} d ${Math.floor(whole % 86400 / 3600)} h`;
    if (whole >= 3600) return `${Math.floor(whole / 3600)}:${two(Math.floor(whole % 3600 / 60))}:${two(whole % 60)}`;
    return `${Math.floor(whole / 60)}:${two(whole % 60)}`;
  }

  function left(each) {
    return "frozen" in each.dataset ? Number(each.dataset.left) : (each.until - performance.now()) / 1000;
  }

  function tick() {
    for (const each of document.querySelectorAll(".countdown[data-left]")) {
      const seconds = left(each);
      each.textContent = words(seconds);
      each.classList.toggle("soon", seconds < 30 && !("frozen" in each.dataset));
    }
    document.dispatchEvent(new Event("tick"));
  }

  // A morph keeps what is written, what is open and what has the focus; countdowns keep the text of their last second.
  Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, node) => !(name === "open" && node.tagName === "DETAILS");
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target === moving && event.detail.xhr.status >= 400) event.detail.shouldSwap = false;
    else if (event.detail.xhr.status >= 400) { event.detail.shouldSwap = true; event.detail.isError = false; }
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    wind(event.detail.target);
    if (event.detail.target === moving) { settle(); document.dispatchEvent(new Event("moved")); }
  });
  for (const failure of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
    document.addEventListener(failure, (event) => { if (event.detail.target === moving) settle(); });
  }

  wind(document);
  setInterval(tick, 250);
  setInterval(refresh, EVERY);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
  listen();
  return { refresh, words, left, wind };
})();
