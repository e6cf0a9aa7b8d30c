// The replay: slider, steps and Play show another chapter in place; the address follows, so that it can be sent. A chapter
// is shown once its pictures are there: map and charts change together. Without this file the same are plain links.
"use strict";

(() => {
  const body = document.body, moving = document.getElementById("moving"), form = document.getElementById("times");
  const slider = document.getElementById("at"), here = document.getElementById("here");
  const play = document.getElementById("play"), speed = document.getElementById("speed");
  const KEPT = 40, parts = new Map();
  let wanted = Number(slider.value), timer = null;

  async function part(at) {
    if (!parts.has(at)) {
      if (parts.size >= KEPT) parts.delete(parts.keys().next().value);
      parts.set(at, load(at));
      parts.get(at).catch(() => parts.delete(at));
    }
    return parts.get(at);
  }

  async function load(at) {
    const answer = await fetch(`${body.dataset.body}?at=${at}`, { credentials: "same-origin", headers: { "HX-Request": "true" } });
    if (!answer.ok) throw new Error(`chapter ${at}: ${answer.status}`);
    const made = document.createElement("template");
    made.innerHTML = await answer.text();
    await Promise.all([...made.content.querySelectorAll("img")].map((image) => {
      const ahead = new Image();
      ahead.src = image.getAttribute("src");
      return ahead.decode().catch(() => image.remove());
    }));
    return made;
  }

  async function show(at) {
    wanted = at;
    slider.value = at;
    try {
      const made = await part(at);
      if (wanted !== at) return;
      moving.replaceChildren(made.content.cloneNode(true));
    } catch (error) {
      if (wanted === at) location.search = `?at=${at}`; // the page itself says what is wrong
      return;
    }
    const caption = moving.querySelector("[data-caption]").dataset.caption;
    here.textContent = caption;
    slider.setAttribute("aria-valuetext", caption);
    document.title = `${caption}: ${body.dataset.title}`;
    history.replaceState(null, "", `?at=${at}`);
    if (at < Number(slider.max)) part(at + 1).catch(() => null);
  }

  function stop() {
    clearTimeout(timer);
    timer = null;
    play.textContent = "Play";
  }

  async function step() {
    if (wanted >= Number(slider.max)) return stop();
    await show(wanted + 1);
    if (timer !== null) timer = setTimeout(step, Number(speed.value));
  }

  function toggle() {
    if (timer !== null) return stop();
    play.textContent = "Stop";
    if (wanted >= Number(slider.max)) wanted = -1; // from the beginning
    timer = setTimeout(step, 0);
  }

  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  form.addEventListener("submit", (event) => { event.preventDefault(); show(Number(slider.value)); });
  play.addEventListener("click", toggle);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-at]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    stop();
    show(Number(link.dataset.at));
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select")) return;
    if (event.key === " " && event.target.closest("button, a")) return;
    const ways = { ArrowLeft: wanted - 1, ArrowRight: wanted + 1, Home: 0, End: Number(slider.max) };
    if (event.key === " ") toggle();
    else if (event.key in ways) { stop(); show(Math.min(Number(slider.max), Math.max(0, ways[event.key]))); }
    else return;
    event.preventDefault();
  });

  for (const each of [play, document.getElementById("speed-of")]) each.hidden = false;
  document.getElementById("go").hidden = true;
})();
