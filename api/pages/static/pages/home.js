// The wall of games: once a minute the pictures of games that go on are loaded anew, each shown when it is there.
"use strict";

setInterval(() => {
  if (document.hidden) return;
  for (const picture of document.querySelectorAll("img[data-live]")) {
    const ahead = new Image();
    ahead.onload = () => { picture.src = ahead.src; };
    ahead.src = `${picture.src.split("?")[0]}?at=${Date.now()}`;
  }
}, 60000);
