// What moves by itself on desk and screen: the stream says that something happened, the page asks for its moving part
// again. The stream is read with fetch, since an EventSource can neither renew a ticket nor hear events of every name.
// A page that gets no stream, whatever the reason, says so and asks every few seconds instead.
"use strict";

const live = (() => {
  const body = document.body;
  const moving = document.getElementById("moving");
  const stale = document.getElementById("stale");
  const RETRY = [500, 1000, 2000, 4000, 8000, 16000, 30000];
  const EVERY = 15000; // beside a stream: what no event says, such as a deadline that moved in secret
  const INSTEAD = 5000, MOST = 60000; // without a stream; longer where the service asks for it
  const SPREAD = Number(body.dataset.spread || 220); // so long may a look wait beyond a pause: a hall looks not all at once
  const FIRST = 10000; // a stream says something at once: one that does not is held back on its way
  const SILENT = 40000; // a stream beats each 15 s
  const BEGIN_ANEW = [400, 404, 409, 410, 422]; // a cursor that the log does not know: it was restored from an earlier copy
  const REASONS = { 429: "too many are open", 503: "the service is busy", held: "something on the way holds it back" };
  let cursor = "", failed = 0, lost = null, waiting = null, again = false;
  let why = "", every = INSTEAD, reached = true, next = null, retry = null, listening = false;

  // What an answer says besides its part: what was issued, or why what was sent was refused.
  function triggers(xhr) {
    return JSON.parse(xhr.getResponseHeader("HX-Trigger") || "{}");
  }

  // Whether an answer that is a refusal is a form or words of ours; a proxy's page must not take the place of a form.
  function isWorded(target, xhr) {
    return target.id === "dialog-body" && !triggers(xhr).refused && xhr.responseText.includes('id="dialog-title"');
  }

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

  // Ask again after a while, at once where the pace has changed.
  function plan() {
    clearTimeout(next);
    next = setTimeout(() => { refresh(); plan(); }, lost === null ? EVERY : every);
  }

  function say() {
    stale.hidden = lost === null;
    stale.classList.toggle("asks", lost !== null && reached);
    if (lost === null) return;
    const seconds = Math.round(every / 1000), reason = why ? ` (${why})` : "";
    const text = reached ? `No live connection${reason}; this page asks every ${seconds} seconds.`
      : `Not connected since ${lost.toLocaleTimeString()}; what you see may be old.`;
    if (stale.textContent !== text) stale.textContent = text;
  }

  function connected() {
    if (lost === null) return;
    lost = null;
    why = "";
    plan();
    say();
  }

  // Whether the page is cut off altogether, or asks instead, the look that follows at once shows.
  function disconnected(reason) {
    why = reason;
    if (lost === null) {
      lost = new Date();
      reached = false;
      refresh();
      plan();
    }
    say();
  }

  // What a look has shown: whether the service is there, and how often it may be asked.
  function looked(xhr) {
    const was = every, isBack = !reached, wait = 1000 * Number(xhr.getResponseHeader("Retry-After") || 0);
    reached = xhr.status > 0 && xhr.status < 500;
    every = Math.min(MOST, xhr.status === 429 || xhr.status === 503 ? Math.max(2 * every, wait) : INSTEAD);
    if (lost !== null && every !== was) plan();
    if (lost !== null && reached && isBack) listenIn(Math.random() * SPREAD);
    say();
  }

  function listenIn(milliseconds) {
    if (listening) return;
    clearTimeout(retry);
    retry = setTimeout(listen, milliseconds);
  }

  async function address(signal) {
    const url = new URL(body.dataset.stream, location.href);
    if (body.dataset.ticket) {
      const answer = await fetch(body.dataset.ticket, {
        method: "POST", headers: { "X-CSRFToken": body.dataset.csrf }, credentials: "same-origin", signal,
      });
      if (!answer.ok) throw refused("ticket", answer);
      url.searchParams.set("ticket", (await answer.json()).ticket);
    }
    if (cursor) url.searchParams.set("after", cursor);
    else url.searchParams.set("from", "now");
    return url;
  }

  function refused(what, answer) {
    const error = new Error(`${what}: ${answer.status}`);
    error.reason = REASONS[answer.status] || "";
    error.wait = 1000 * Number(answer.headers.get("Retry-After") || 0);
    return error;
  }

  async function listen() {
    let ending = null, alive = null, reason = "", wait = 0, isAnew = false;
    const giveUp = (after, name) => {
      clearTimeout(alive);
      alive = setTimeout(() => { reason = name; ending.abort(); }, after);
    };
    listening = true;
    try {
      ending = new AbortController();
      giveUp(FIRST, REASONS.held);
      const answer = await fetch(await address(ending.signal), { signal: ending.signal, credentials: "omit", cache: "no-store" });
      if (cursor && BEGIN_ANEW.includes(answer.status)) {
        cursor = "";
        isAnew = true;
      }
      if (!answer.ok) throw refused("stream", answer);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = ""; ;) {
        const { done, value } = await reader.read();
        if (done) break;
        giveUp(SILENT, "");
        if (lost !== null || failed) refresh(); // what happened since the last look
        failed = 0;
        connected();
        const parts = (text + value).split("\n\n");
        text = parts.pop();
        for (const part of parts) {
          const id = /^id: (.+)$/m.exec(part);
          if (id) cursor = id[1];
          if (/^event: /m.test(part)) refresh();
        }
      }
    } catch (error) {
      reason = reason || error.reason || "";
      wait = error.wait || 0;
      console.info("stream", error.message);
    } finally {
      clearTimeout(alive);
      listening = false;
    }
    if (isAnew) {
      refresh();
      return listenIn(0);
    }
    disconnected(reason);
    listenIn(Math.max(wait, RETRY[Math.min(failed++, RETRY.length - 1)] * (0.5 + Math.random())));
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
      const seconds = left(each), text = words(seconds);
      if (each.textContent !== text) each.textContent = text; // what is written anew is drawn anew
      each.classList.toggle("soon", seconds < 30 && !("frozen" in each.dataset));
    }
    document.dispatchEvent(new Event("tick"));
  }

  // A morph keeps what is written, what is said of a button, what is open and what has the focus; countdowns keep the
  // text of their last second.
  Idiomorph.defaults.callbacks.beforeNodeRemoved = (node) => !(node instanceof Element && node.matches(".unsent, .kept"));
  Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, node) => !(name === "open" && node.tagName === "DETAILS");
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target === moving && event.detail.xhr.status >= 400) event.detail.shouldSwap = false;
    else if (event.detail.xhr.status >= 500) event.detail.shouldSwap = false; // no page of ours
    else if (event.detail.xhr.status >= 400) { event.detail.shouldSwap = isWorded(event.detail.target, event.detail.xhr); event.detail.isError = false; }
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    wind(event.detail.target);
    if (event.detail.target === moving) { settle(); document.dispatchEvent(new Event("moved")); }
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt !== moving) return;
    looked(event.detail.xhr);
    if (!event.detail.successful) settle();
  });

  wind(document);
  setInterval(tick, 250);
  plan();
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
  for (const change of ["online", "offline"]) window.addEventListener(change, refresh);
  listen();
  return { refresh, words, left, wind, triggers, isWorded, isCut: () => lost !== null && !reached || navigator.onLine === false };
})();
