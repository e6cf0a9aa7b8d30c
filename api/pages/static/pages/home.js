// The wall of games: once a minute the pictures of games that go on are loaded anew, each shown when it is there. Of a
// game in which there is nothing to draw yet the place of its picture stays empty.
"use strict";

for (const picture of document.querySelectorAll(".games .shown img")) {
  const show = (is) => { picture.style.visibility = is ? "" : "hidden"; };
  picture.addEventListener("load", () => show(true));
  picture.addEventListener("error", () => show(false));
  if (picture.complete) picture.decode().catch(() => show(false)); // it failed before this was listening
}

setInterval(() => {
  if (document.hidden) return;
  for (const picture of document.querySelectorAll("img[data-live]")) {
    const ahead = new Image();
    ahead.onload = () => { picture.src = ahead.src; };
    ahead.src = `${picture.src.split("?")[0]}?at=${Date.now()}`;
  }
}, 60000);
