// The screen: the map and the charts take turns; a picture is loaded before it is shown, so that nothing flickers. The page
// is laid out around the shape of its picture, and what does not fit is hidden whole.
"use strict";

(() => {
  // Each picture is shown so many turns, the map of a game that goes on more of them, those of an ending one each.
  const TURN = 10000, TURNS = 2, MAP_TURNS = 4, FRESH = 8000;
  // Of the page: the widest that a picture of full height may be beside two columns, beside one; else its width, its least height, and what stays under it.
  const TALL = 0.42, FULL = 0.56, WIDE = 0.6, LOW = 0.5, REST = 0.22, REST_AT_END = 0.3;
  const MARKED = 20000, FADING = 12000, calm = matchMedia("(prefers-reduced-motion: reduce)");
  const body = document.body, moving = document.getElementById("moving");
  const shown = new Map();
  let place = 0, turns = 0, marks = {};

  function load(picture) {
    const now = Date.now(), known = shown.get(picture.dataset.src);
    if (known && known.url) picture.src = known.url;
    if (known && now - known.at < FRESH) return;
    const source = picture.dataset.src, ahead = new Image(), url = source.includes("?") ? source : `${source}?at=${now}`;
    shown.set(picture.dataset.src, { ...known, at: now });
    ahead.onload = () => {
      shown.set(picture.dataset.src, { at: now, url, ratio: ahead.naturalWidth / ahead.naturalHeight || 1 });
      const here = document.getElementById(picture.id);
      if (here) here.src = url;
      show();
    };
    ahead.onerror = () => {
      shown.set(picture.dataset.src, { ...known, at: now, isMissing: true });
      show();
    };
    ahead.src = url;
  }

  function loadAll() {
    for (const picture of document.querySelectorAll(".turn img[data-src]")) load(picture);
  }

  // A picture that there is none of yet (before the start) takes no turn.
  function show() {
    const figures = [...document.querySelectorAll(".turn")];
    const pictures = figures.map((figure) => figure.querySelector("img[data-src]"));
    if (figures.length) {
      place %= figures.length;
      load(pictures[place]);
    }
    const known = pictures.map((picture) => shown.get(picture.dataset.src) || {});
    const first = known.findIndex((each) => each.url);
    const on = known[place] && known[place].url ? place : first;
    if (on >= 0 && on !== place) load(pictures[on]);
    figures.forEach((figure, at) => figure.classList.toggle("on", at === on));
    // By the first picture, the map where there is one: nothing jumps when a chart follows.
    arrange((known.find((each) => each.url || !each.isMissing) || {}).ratio);
  }

  function turn() {
    const most = document.querySelector(".ending") ? 1 : document.querySelector(".turn.on#turn-map") ? MAP_TURNS : TURNS;
    turns += 1;
    if (turns < most) return show();
    turns = 0;
    place += 1;
    loadAll();
    show();
  }

  // The picture has no margin of its own: full height where that leaves room for the words, else over the chronicle.
  function arrange(ratio) {
    if (ratio) {
      const style = getComputedStyle(moving), gap = parseFloat(style.rowGap);
      const width = moving.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      const height = moving.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
      const isFull = ratio * height <= FULL * width, isTall = ratio * height <= TALL * width;
      const rest = document.querySelector(".ending") ? REST_AT_END : REST;
      const wide = Math.min(WIDE * width, (1 - rest) * height * ratio);
      const high = isFull ? height : Math.max(wide / ratio, LOW * height);
      const root = document.documentElement.style;
      root.setProperty("--ratio", ratio);
      root.setProperty("--picture-width", `${Math.floor(isFull ? height * ratio : wide)}px`);
      root.setProperty("--rest", `${Math.floor(height - high - gap)}px`);
      body.dataset.shape = isTall ? "tall" : isFull ? "full" : "wide";
    } else delete body.dataset.shape;
    fit();
  }

  // What `data-fit` marks is hidden, the least number first and each number from its end, until no box around it is cut;
  // what has room again once something larger has gone comes back.
  function fit() {
    const boxes = [...document.querySelectorAll(".standings")];
    for (const each of document.querySelectorAll("[data-fit]")) each.hidden = false;
    for (const box of boxes) {
      box.classList.remove("tight", "broken", "roomy");
      // Smaller, then words broken, where it would be cut else; larger, where that leaves all as it is.
      box.classList.toggle("tight", box.scrollWidth > box.clientWidth || isCut(box));
      box.classList.toggle("broken", box.scrollWidth > box.clientWidth);
    }
    hide();
    if (document.querySelector(".side [data-fit][hidden]")) return;
    for (const box of boxes.filter((each) => !each.classList.contains("tight"))) {
      box.classList.add("roomy");
      box.classList.toggle("roomy", box.scrollWidth <= box.clientWidth && !isCut(box));
    }
  }

  function hide() {
    const all = [...document.querySelectorAll("[data-fit]")].reverse();
    count();
    all.sort((one, other) => one.dataset.fit - other.dataset.fit);
    for (const each of all) each.hidden = isCut(each);
    const ended = new Set(); // lists of which a line stays hidden: those behind it do, too
    for (const each of all.reverse().filter((one) => one.hidden)) {
      if (ended.has(each.parentElement)) continue;
      each.hidden = false;
      each.hidden = isCut(each);
      if (each.hidden && each.matches("li, tr")) ended.add(each.parentElement);
    }
    count();
  }

  function isCut(part) {
    for (let box = part.closest(".fitted"); box; box = box.parentElement.closest(".fitted")) {
      if (box.scrollHeight > box.clientHeight + 1) return true;
    }
    return false;
  }

  // How many are shown, where not all are.
  function count() {
    for (const each of document.querySelectorAll("[data-total]")) {
      const lines = each.closest(".counted").querySelectorAll("li:not([hidden]), tbody tr:not([hidden])").length;
      each.textContent = lines < Number(each.dataset.total) ? `${lines} of ${each.dataset.total}` : "";
    }
  }

  // What has just happened lies over the map for twenty seconds, the last twelve of them fading.
  function mark() {
    const picture = document.getElementById("picture-marks");
    if (!picture) return;
    const address = picture.dataset.marks, now = Date.now();
    if (marks.address !== address) marks = { address, at: now };
    const age = now - marks.at;
    picture.hidden = age >= MARKED;
    picture.style.opacity = calm.matches ? 1 : Math.min(1, (MARKED - age) / FADING);
    if (!picture.hidden && picture.getAttribute("src") !== address) picture.src = address;
  }

  document.addEventListener("moved", () => { show(); mark(); });
  setInterval(mark, 1000);
  mark();
  window.addEventListener("resize", show);
  setInterval(turn, TURN);
  loadAll();
  show();
})();
