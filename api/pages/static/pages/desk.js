// The desk: its dialog, its keys, the title that counts, the sound.
"use strict";

(() => {
  const dialog = document.getElementById("dialog"), inside = document.getElementById("dialog-body");
  const toast = document.getElementById("toast"), sound = document.getElementById("sound");
  let known = null, spoken = null, opener = null, requests = 0, shownBy = 0;

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target !== inside) return;
    shownBy = event.detail.requestConfig.number;
    if (!dialog.open) dialog.showModal();
    for (const list of inside.querySelectorAll(".order ol")) arrange(list);
    const first = inside.querySelector("select, textarea, input:not([type=hidden]), button.main, button");
    if (first) first.focus({ preventScroll: true });
    const alert = inside.querySelector("[role=alert]");
    if (alert) alert.scrollIntoView({ block: "nearest" });
    else dialog.scrollTop = 0;
  });

  // An answer belongs to what was pressed for it, which may have gone since, and another form may be open: what was done
  // is said all the same, it closes the form that sent it and no other, and no form takes the place of a later one.
  document.addEventListener("htmx:beforeRequest", (event) => {
    const { elt, xhr, requestConfig } = event.detail;
    requestConfig.number = ++requests;
    if (requestConfig.verb !== "post") return;
    const matter = elt.closest(".matter") || (inside.contains(elt) && matterOf(inside.querySelector("[data-of]")));
    const id = matter ? matter.id : "";
    xhr.addEventListener("load", () => {
      const { issued } = live.triggers(xhr);
      if (!issued) return;
      settle(document.getElementById(id));
      if (inside.contains(elt) && !elt.closest("[data-stay]")) dialog.close();
      say(issued.message);
      live.refresh();
    });
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target, requestConfig, xhr } = event.detail;
    if (target !== inside || !dialog.open || requestConfig.number >= shownBy || !event.detail.shouldSwap) return;
    event.detail.shouldSwap = false;
    if (requestConfig.verb !== "post") return;
    say(xhr.status < 400 ? "What you sent before was done." : "What you pressed before was not done. Press it again to read why.");
  });

  function say(message) {
    toast.textContent = message;
    clearTimeout(spoken);
    spoken = setTimeout(() => { toast.textContent = ""; }, 8000);
  }

  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
    const copying = event.target.closest("[data-copy]");
    if (copying) copy(copying);
    if (event.target.closest("[data-add-line]")) addLine(event.target.closest("fieldset").querySelector("tbody"));
  });
  // The event comes after the dialog has closed: an answer that came in between has opened it again.
  dialog.addEventListener("close", () => {
    if (dialog.open) return;
    inside.replaceChildren();
    opener = null;
  });
  // A form that a panel, a deadline or a question has opened goes when what it is about has gone.
  document.addEventListener("htmx:beforeRequest", (event) => {
    const button = event.detail.elt;
    if (button.matches("#clock [hx-get], #inbox [hx-get], #panels [hx-get]")) opener = button.getAttribute("hx-get");
    else if (!dialog.contains(button)) opener = null;
  });

  // What was pressed gets its answer where it stands, also when none comes from the service.
  const NO_ANSWER_YET = 1500;
  document.addEventListener("htmx:beforeRequest", (event) => {
    const pressed = pressedOf(event);
    if (!pressed) return;
    note(pressed, live.isCut() ? "Not connected; trying." : "");
    pressed.late = setTimeout(() => note(pressed, "No answer yet; still trying."), NO_ANSWER_YET);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const pressed = pressedOf(event), { xhr, target } = event.detail, { status } = xhr, { refused } = live.triggers(xhr);
    if (!pressed) return;
    clearTimeout(pressed.late);
    if (refused) return tell(pressed, refused.message);
    if (status > 0 && (status < 400 || live.isWorded(target, xhr))) return note(pressed, "");
    const what = status ? `The service did not answer as it should (${status}).` : "Not connected: no answer came.";
    const isLook = event.detail.requestConfig.verb === "get";
    tell(pressed, `${what} ${isLook ? "Press again." : "See whether it was done before you press again."}`);
  });

  // Who is signed out is led to the sign-in by a look, once no form is open in which something may be written.
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    if (!dialog.open || !event.detail.xhr.getResponseHeader("HX-Refresh")) return;
    event.preventDefault();
    say("You are signed out. Keep what you have written; when you close this form you can sign in again.");
  });

  // A look keeps what is said of a button, as long as the button does the same.
  document.addEventListener("htmx:afterSwap", (event) => {
    for (const shown of event.detail.target.querySelectorAll(".unsent")) {
      const button = shown.previousElementSibling;
      if (!button || (button.getAttribute("hx-get") || "") !== shown.dataset.pressed) shown.remove();
    }
  });

  function pressedOf(event) {
    const from = event.detail.elt;
    return from.matches("button") ? from : from.matches("form") ? from.querySelector("button.main") : null;
  }

  function tell(button, text) {
    if (button.isConnected) note(button, text);
    else say(text);
  }

  function note(button, text) {
    const next = button.nextElementSibling, there = next && next.matches(".unsent") ? next : null;
    if (!text) return there ? there.remove() : undefined;
    const shown = there || document.createElement("span");
    shown.className = "unsent";
    shown.setAttribute("role", "alert");
    shown.dataset.pressed = button.getAttribute("hx-get") || "";
    if (shown.textContent !== text) shown.textContent = text;
    if (!there) button.after(shown);
  }

  // A browser without a clipboard, as over plain HTTP, leaves the text marked.
  async function copy(button) {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
    } catch (error) {
      button.textContent = "Marked: copy it by hand";
      console.info("clipboard", error.message);
    }
  }

  // What has been answered is not to be pressed again; the look that follows shows what is still open.
  function settle(matter) {
    for (const each of matter ? matter.querySelectorAll("button") : []) each.disabled = true;
  }

  function matterOf(shown) {
    const question = shown && document.getElementById(shown.dataset.of);
    return question ? question.closest(".matter") : null;
  }

  // An order may be written as numbers; with scripts its lines move, and the numbers follow.
  function arrange(list) {
    for (const line of list.children) {
      for (const [sign, words, by] of [["\u2191", "earlier", -1], ["\u2193", "later", 1]]) {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "small";
        button.textContent = sign;
        button.setAttribute("aria-label", `${line.textContent.trim()}: ${words}`);
        button.addEventListener("click", () => { move(list, line, by); button.focus(); });
        line.append(" ", button);
      }
    }
  }

  function move(list, line, by) {
    const places = () => [...list.querySelectorAll("input[type=number]")].filter((each) => each.value !== "");
    const place = line.querySelector("input[type=number]");
    if (place.value === "") { place.value = places().length + 1; return; }
    const other = by < 0 ? line.previousElementSibling : line.nextElementSibling;
    if (other === null) return;
    if (by < 0) other.before(line);
    else other.after(line);
    places().forEach((each, at) => { each.value = at + 1; });
  }

  // Its fields are named by the number of the line: `placed.7.units:number`.
  function addLine(lines) {
    const last = lines.lastElementChild, line = last.cloneNode(true), number = lines.children.length;
    for (const field of line.querySelectorAll("[name]")) {
      field.name = field.name.replace(`.${number - 1}.`, `.${number}.`);
      const label = field.getAttribute("aria-label");
      if (label) field.setAttribute("aria-label", label.replace(`${number}.`, `${number + 1}.`));
      if (field.type === "checkbox") field.checked = false;
      else if (field.type !== "hidden") field.value = field.name.endsWith(":proposed") ? field.defaultValue : "";
    }
    last.after(line);
    line.querySelector("input:not([type=hidden]), select").focus();
  }

  // The form of a question shows what is left of its time, which may have been put off, or be over.
  function follow() {
    const shown = inside.querySelector("[data-of]");
    if (!shown) return followOpener();
    const question = document.getElementById(shown.dataset.of);
    const there = question && (question.querySelector(".countdown") || question.closest(".matter").querySelector(".countdown"));
    if (there) {
      const here = shown.querySelector(".countdown");
      here.dataset.left = there.dataset.left;
      live.wind(shown);
    } else {
      dialog.close();
      say("This question is no longer open; it was answered, or its time is over. Its form is closed.");
    }
  }

  function followOpener() {
    if (!dialog.open || opener === null) return;
    if ([...document.querySelectorAll("[hx-get]")].some((each) => each.getAttribute("hx-get") === opener)) return;
    dialog.close();
    say("What this form was about is no longer there, or the game has moved on. Its form is closed.");
  }

  function help() {
    inside.replaceChildren(document.getElementById("keys-help").content.cloneNode(true));
    dialog.showModal();
  }
  document.getElementById("keys").addEventListener("click", help);

  function step(by) {
    const all = [...document.querySelectorAll("#inbox .matter h3")];
    if (!all.length) return;
    const here = all.findIndex((each) => each.closest(".matter").contains(document.activeElement));
    all[(here + by + all.length) % all.length].focus();
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (event.target.closest("input, textarea, select")) return;
    const pressed = event.key;
    if (pressed === "?") help();
    else if (pressed === "j") step(1);
    else if (pressed === "k") step(-1);
    else if (/^[1-9]$/.test(pressed)) {
      const question = document.activeElement.closest(".matter") || document.querySelector("#inbox .matter");
      const button = question && [...question.querySelectorAll(".deeds button")][Number(pressed) - 1];
      if (button) button.click();
    } else {
      const found = [...document.querySelectorAll("[data-key]")].find((each) => each.dataset.key === pressed);
      if (!found) return;
      found.click();
    }
    event.preventDefault();
  });

  let audio = null;
  function hear(on) {
    sound.setAttribute("aria-pressed", String(on));
    sound.textContent = on ? "Sound on" : "Sound off";
    try {
      localStorage.setItem("theogony.sound", on ? "1" : "");
    } catch (error) {
      console.info("sound", error.message); // a browser that stores nothing forgets it with the page
    }
    if (on && audio === null && window.AudioContext) audio = new AudioContext();
  }
  sound.addEventListener("click", () => hear(sound.getAttribute("aria-pressed") !== "true"));
  try {
    hear(localStorage.getItem("theogony.sound") === "1");
  } catch (error) {
    hear(false);
    console.info("sound", error.message);
  }

  function ring() {
    if (sound.getAttribute("aria-pressed") !== "true" || audio === null) return;
    const tone = audio.createOscillator(), loud = audio.createGain();
    tone.frequency.value = 660;
    loud.gain.setValueAtTime(0.2, audio.currentTime);
    loud.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.6);
    tone.connect(loud).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.6);
  }

  function name() {
    const summary = document.getElementById("summary").dataset, first = document.querySelector("#inbox > .questions .countdown[data-left]");
    const count = Number(summary.count);
    const next = first ? `${summary.next} in ${live.words(live.left(first))}` : summary.next;
    document.title = count ? `(${count}) ${next || summary.game}` : summary.title;
  }
  document.addEventListener("tick", name);
  document.addEventListener("moved", () => {
    const ids = new Set([...document.querySelectorAll("#inbox > .questions .question")].map((each) => each.id));
    if (known !== null && [...ids].some((id) => !known.has(id))) ring();
    known = ids;
    follow();
    name();
  });
  document.dispatchEvent(new Event("moved"));
})();
