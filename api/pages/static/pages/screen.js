// The screen: the map and the charts take turns; a picture is loaded before it is shown, so that nothing flickers.
"use strict";

(() => {
  const TURN = 20000, MAP_TURNS = 2, FRESH = 8000;
  const shown = new Map();
  let place = 0, turns = 0;

  function load(picture) {
    const now = Date.now(), known = shown.get(picture.dataset.src);
    if (known && known.url) picture.src = known.url;
    if (known && now - known.at < FRESH) return;
    const ahead = new Image(), url = `${picture.dataset.src}?at=${now}`;
    shown.set(picture.dataset.src, { at: now, url: known ? known.url : "" });
    ahead.onload = () => {
      shown.set(picture.dataset.src, { at: now, url });
      const here = document.getElementById(picture.id);
      if (here) here.src = url;
      show();
    };
    ahead.src = url;
  }

  // A picture that there is none of yet (a map before the start) takes no turn.
  function show() {
    const figures = [...document.querySelectorAll(".turn")];
    const pictures = figures.map((figure) => figure.querySelector("img"));
    if (!figures.length) return;
    place %= figures.length;
    load(pictures[place]);
    const drawn = pictures.map((picture) => Boolean((shown.get(picture.dataset.src) || {}).url));
    if (!drawn[place] && drawn.includes(true)) place = drawn.indexOf(true);
    figures.forEach((figure, at) => figure.classList.toggle("on", at === place && drawn[at]));
  }

  function turn() {
    const first = document.querySelector(".turn.on#turn-map");
    turns += 1;
    if (first && turns % MAP_TURNS) return show();
    turns = 0;
    place += 1;
    for (const picture of document.querySelectorAll(".turn img")) load(picture);
    show();
  }
  document.addEventListener("moved", show);
  setInterval(turn, TURN);
  show();
})();
