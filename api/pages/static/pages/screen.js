// The screen: the map and the charts take turns; a picture is loaded before it is shown, so that nothing flickers.
"use strict";

(() => {
  const TURN = 20000, MAP_TURNS = 2, FRESH = 8000;
  const shown = new Map();
  let place = 0, turns = 0;

  function load(picture) {
    const now = Date.now(), known = shown.get(picture.dataset.src);
    if (known && now - known.at < FRESH) { picture.src = known.url; return; }
    const ahead = new Image(), url = `${picture.dataset.src}?at=${now}`;
    if (known) picture.src = known.url;
    shown.set(picture.dataset.src, { at: now, url: known ? known.url : url });
    ahead.onload = () => {
      shown.set(picture.dataset.src, { at: now, url });
      const here = document.getElementById(picture.id);
      if (here) { here.src = url; here.closest("figure").dataset.drawn = ""; }
    };
    ahead.src = url;
  }

  function show() {
    const figures = [...document.querySelectorAll(".turn")];
    if (!figures.length) return;
    place %= figures.length;
    figures.forEach((figure, at) => {
      figure.classList.toggle("on", at === place);
      if (at === place) load(figure.querySelector("img"));
    });
  }

  function turn() {
    const first = document.querySelector(".turn.on#turn-map");
    turns += 1;
    if (first && turns % MAP_TURNS) return show();
    turns = 0;
    place += 1;
    show();
  }
  document.addEventListener("moved", show);
  setInterval(turn, TURN);
  show();
})();
