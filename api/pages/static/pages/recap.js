// Between two chapters the screen plays the last one again: its map before and after, one of its best sentences after the
// other, in fifteen seconds. Whatever is pressed ends it.
"use strict";

(() => {
  const STEP = 5000;
  const stage = document.createElement("section");
  let known = past(), timer = null;
  stage.id = "recap";
  stage.hidden = true;
  stage.setAttribute("aria-hidden", "true"); // the chronicle has the same sentences
  document.body.append(stage);

  function past() {
    const pictures = document.getElementById("pictures");
    return pictures && pictures.dataset.past ? Number(pictures.dataset.past) : null;
  }

  async function play(at) {
    const answer = await fetch(`${document.getElementById("pictures").dataset.recap}?at=${at}`, { headers: { "HX-Request": "true" } });
    if (!answer.ok) return;
    const made = document.createElement("template");
    made.innerHTML = await answer.text();
    await Promise.all([...made.content.querySelectorAll("img")].map((image) => {
      const ahead = new Image();
      ahead.src = image.getAttribute("src");
      return ahead.decode().catch(() => image.remove());
    }));
    if (at !== known) return; // another chapter is over meanwhile
    stage.replaceChildren(made.content);
    stage.hidden = false;
    step(0);
  }

  function step(number) {
    const sentences = [...stage.querySelectorAll("li")], maps = [...stage.querySelectorAll("img")];
    if (number >= Math.max(2, sentences.length)) return end();
    sentences.forEach((each, place) => each.classList.toggle("on", place === number));
    maps.forEach((each, place) => each.classList.toggle("on", place === Math.min(number, maps.length - 1)));
    timer = setTimeout(step, STEP, number + 1);
  }

  function end() {
    clearTimeout(timer);
    stage.hidden = true;
    stage.replaceChildren();
  }

  function look() {
    const now = past();
    if (known !== null && now !== null && now > known) play(now);
    known = now;
  }

  document.addEventListener("moved", look);
  for (const press of ["keydown", "pointerdown"]) document.addEventListener(press, () => { if (!stage.hidden) end(); });
})();
