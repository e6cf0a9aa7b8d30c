// The map as a control: a touch fills a field of the open form in, or asks what may be done there. No game is known here:
// what a field takes of a map follows from its choices and its name (`FormField.takes`).
"use strict";

(() => {
  const { Picture, read, key, squareKey, AT_ONCE } = picture;
  const dialog = document.getElementById("dialog"), inside = document.getElementById("dialog-body");
  let page = null, form = null, shown = "", active = null, step = 1;
  let asked = 0, drawn = 0; // numbers of the newest drawing that was asked for, and of that which is drawn
  let newest = null; // what is drawn: its address and its drawing, the same on the page and in a form

  // The fields of a form. What a value of theirs names: ids wherever they stand in it, squares as objects of x and y.
  function named(value, found = []) {
    if (typeof value === "string") found.push(`:${value}`);
    else if (value && typeof value === "object") {
      if (Number.isInteger(value.x) && Number.isInteger(value.y)) found.push(squareKey(value.x, value.y));
      for (const each of Object.values(value)) named(each, found);
    }
    return found;
  }

  function isAbout(text, field, marks) {
    const value = text === "" ? null : JSON.parse(text), names = named(value);
    return marks.some((mark) => mark.ids.some((id) => names.includes(key(mark.kind, id)) || names.includes(`:${id}`)
      || (mark.kind === field && String(value) === id)));
  }

  const fieldOf = (control) => control.name.replace(/:[^:]*$/, "").replace(/^.*\./, "");
  const square = (marks) => marks.find((each) => each.kind === "square");

  function set(control, value) {
    control.value = value;
    control.dispatchEvent(new Event("input", { bubbles: true }));
    control.dispatchEvent(new Event("change", { bubbles: true }));
  }

  // One place that a touch can fill: a choice, the x and y of a square, a number that counts what is touched.
  function fits(control, marks) {
    const takes = control.dataset.takes;
    if (control.matches("select")) return choicesOf(control, marks).length > 0;
    if (takes === "x" || takes === "y") return square(marks) !== undefined;
    return marks.some((mark) => mark.kind === takes && mark.ids.length === 1 && isNumber(mark.ids[0], control));
  }

  function choicesOf(select, marks) {
    return [...select.options].filter((each) => each.value && isAbout(each.value, fieldOf(select), marks)).sort((a, b) => a.value.length - b.value.length);
  }

  function isNumber(text, control) {
    const number = Number(text);
    return (control.min === "" || number >= Number(control.min)) && (control.max === "" || number <= Number(control.max));
  }

  // Touched again, a choice that is about several things goes on to the next that is about this one, too.
  function fill(control, marks) {
    if (control.matches("select")) {
      const found = choicesOf(control, marks), here = found.findIndex((each) => each.value === control.value);
      return set(control, found[(here + 1) % found.length].value);
    }
    const takes = control.dataset.takes;
    if (takes !== "x" && takes !== "y") return set(control, marks.find((mark) => mark.kind === takes).ids[0]);
    for (const each of pairOf(control)) set(each, square(marks)[each.dataset.takes]);
  }

  function pairOf(control) {
    const base = control.name.replace(/[xy]:number$/, "");
    return [...inside.querySelectorAll("[data-takes=x], [data-takes=y]")].filter((each) => each.name.replace(/[xy]:number$/, "") === base);
  }

  function isAt(control, marks) {
    if (control.matches("select")) return control.value !== "" && isAbout(control.value, fieldOf(control), marks);
    const there = square(marks);
    return pairOf(control).every((each) => each.value !== "" && Number(each.value) === there[each.dataset.takes]);
  }

  const placesIn = (line) => [...line.querySelectorAll("[data-takes]")].filter((each) => each.matches("select, [data-takes=x]"));
  const countIn = (line) => [...line.querySelectorAll("input[type=number]")].find((each) => !["x", "y"].includes(each.dataset.takes));

  // A list of lines: a touch steps the count of the line of a square, or fills the first line that is empty.
  function fillLines(lines, marks) {
    const all = [...lines.children], focused = all.find((each) => each.contains(active));
    if (!all.length || !placesIn(all[0]).some((each) => fits(each, marks))) return false;
    if (placesIn(all[0]).length > 1) return fillWays(lines, focused || all.find((line) => placesIn(line).some((each) => each.value === "")), marks);
    const line = all.find((each) => placesIn(each).some((place) => isAt(place, marks)));
    if (line) {
      const count = countIn(line), number = count ? Math.max(0, Number(count.value) + step) : 0;
      if (count) set(count, number);
      if (!number) for (const each of placesIn(line).flatMap((place) => place.matches("select") ? [place] : pairOf(place)).concat(count || [])) set(each, "");
      return true;
    }
    if (step < 0) return true;
    const empty = all.find((each) => placesIn(each).every((place) => place.value === "")) || addLine(lines);
    if (!empty) return false;
    fill(placesIn(empty)[0], marks);
    if (countIn(empty)) set(countIn(empty), 1);
    return true;
  }

  // A line from one place to another: its first empty place, or that which has the focus.
  function fillWays(lines, line, marks) {
    const to = line || addLine(lines);
    if (!to) return false;
    const places = placesIn(to), own = places.find((each) => each === active || pairOf(each).includes(active));
    const place = [own, ...places.filter((each) => each.value === "")].find((each) => each && fits(each, marks));
    if (!place) return false;
    fill(place, marks);
    active = null;
    return true;
  }

  function addLine(lines) {
    const button = lines.closest("fieldset").querySelector("[data-add-line]");
    if (button) button.click();
    return button ? lines.lastElementChild : null;
  }

  // Boxes to tick: those about what is touched.
  function tick(list, marks) {
    const found = [...list.querySelectorAll("input[type=checkbox]")].filter((each) => isAbout(each.value, fieldOf(each), marks));
    const next = found.find((each) => each.checked === step < 0) || (found.length === 1 ? found[0] : null);
    if (next) next.click();
    return found.length > 0;
  }

  // Places of an order, or how many of each: the number beside what is touched.
  function number(list, marks) {
    for (const line of list.querySelectorAll("li")) {
      const value = line.querySelector("input[type=hidden]"), field = line.querySelector("input[type=number]");
      if (!isAbout(value.value, fieldOf(value), marks)) continue;
      const last = Math.max(0, ...[...list.querySelectorAll("input[type=number]")].map((each) => Number(each.value)));
      set(field, list.dataset.reading === "counts" ? Math.max(0, Number(field.value) + step) : field.value === "" ? last + 1 : "");
      return true;
    }
    return false;
  }

  function fieldsOf(root) {
    return [...root.querySelectorAll("[data-takes]")].map((each) => each.closest("tbody") || each).filter((each, at, all) => all.indexOf(each) === at);
  }

  function give(field, marks) {
    if (field.matches("tbody")) return fillLines(field, marks);
    if (field.matches(".choices")) return tick(field, marks);
    if (field.matches(".order")) return number(field, marks);
    if (!fits(field, marks)) return false;
    fill(field, marks);
    return true;
  }

  const isEmpty = (field) => !field.matches("select, input") || field.value === "";

  // The field with the focus first, then those that are empty, then all others.
  function fillIn(marks) {
    const every = fieldsOf(inside), own = every.filter((each) => active && (each === active || each.contains(active) || each.matches("input") && pairOf(each).includes(active)));
    const found = [...own, ...every.filter(isEmpty), ...every].find((each) => give(each, marks));
    form.words.textContent += found ? "" : " · not chosen in this form";
    if (found && !found.matches("tbody")) active = null;
    follow();
  }

  // What the form names now, with counts.
  function follow() {
    const chosen = new Map();
    const put = (value, text = "") => { for (const each of named(value)) chosen.set(each, text); };
    for (const each of inside.querySelectorAll("select[data-takes]")) {
      const line = each.closest("tr"), count = line && countIn(line);
      if (each.value) put(JSON.parse(each.value), count ? count.value : "");
      if (each.value && /^\d+$/.test(each.value)) chosen.set(key(fieldOf(each), each.value), "");
    }
    for (const each of inside.querySelectorAll("input[data-takes=x]")) {
      const [x, y] = pairOf(each), line = each.closest("tr"), count = line && countIn(line);
      if (x && y && x.value !== "" && y.value !== "") chosen.set(squareKey(x.value, y.value), count ? count.value : "");
    }
    for (const each of inside.querySelectorAll("input[type=number][data-takes]")) if (each.value !== "") chosen.set(key(each.dataset.takes, each.value), "");
    for (const each of inside.querySelectorAll(".choices[data-takes] input:checked")) put(JSON.parse(each.value));
    for (const line of inside.querySelectorAll(".order[data-takes] li")) {
      const count = line.querySelector("input[type=number]").value;
      if (count !== "") put(JSON.parse(line.querySelector("input[type=hidden]").value), count);
    }
    form.outline({ chosen });
  }

  // The map stands in the dialog beside a form that takes something of it.
  function open() {
    const host = document.getElementById("dialog-map");
    const isWanted = newest !== null && [...inside.querySelectorAll("form [data-takes]")].some(takesOf(page));
    dialog.classList.toggle("mapped", isWanted);
    host.hidden = !isWanted;
    if (!isWanted) return close();
    if (form === null) {
      host.replaceChildren(steps(), new Image());
      form = new Picture(host, fillIn);
    }
    active = fieldIn(document.activeElement);
    host.querySelector(".tally").hidden = inside.querySelector("tbody [data-takes], .choices[data-takes], .order[data-takes]") === null;
    drawForm();
  }

  // The form's map is that of the page: its marks are there already, whatever the picture of the page is loading now.
  function drawForm() {
    const copy = form.host.querySelector("img");
    copy.src = newest.address;
    copy.alt = newest.alt;
    form.draw(newest.drawing);
    follow();
  }

  const fieldIn = (control) => inside.contains(control) ? control.closest("[data-takes], tbody input, tbody select") : null;

  // Whether a field takes anything of a picture.
  function takesOf(picture) {
    const ids = new Set(picture.marks.flatMap((mark) => mark.ids.map((id) => `:${id}`)));
    const kinds = new Set(picture.marks.filter((mark) => mark.ids.length).map((mark) => mark.kind));
    if (picture.grid) for (const each of ["square", "x", "y"]) kinds.add(each);
    return (field) => field.dataset.takes.split(" ").some((each) => kinds.has(each))
      || [...field.querySelectorAll("option, input[type=checkbox], input[type=hidden]")].some((each) => each.value && named(JSON.parse(each.value)).some((name) => ids.has(name)));
  }

  function steps() {
    const bar = document.createElement("p"), button = document.createElement("button");
    bar.className = "tally";
    button.type = "button";
    button.className = "small";
    button.textContent = "Take away";
    step = 1;
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => {
      step = -step;
      button.setAttribute("aria-pressed", String(step < 0));
    });
    bar.append(button);
    return bar;
  }

  function close() {
    document.getElementById("dialog-map").replaceChildren();
    form = null;
    active = null;
  }

  function lost(error) {
    console.info("map", error.message); // the picture stands without marks; forms are filled in by hand
  }

  document.addEventListener("htmx:afterSwap", (event) => { if (event.detail.target === inside) open(); });
  dialog.addEventListener("close", () => { if (!dialog.open) close(); });
  inside.addEventListener("focusin", (event) => { active = fieldIn(event.target); });
  inside.addEventListener("change", () => { if (form) follow(); });

  // The map of the page: a touch asks what may be done there.
  function ask(marks) {
    const here = document.getElementById("here");
    const named = marks.flatMap((mark) => mark.ids.map((id) => key(mark.kind, id))).slice(0, AT_ONCE);
    page.asked = `${document.getElementById("map").dataset.at}?${new URLSearchParams(named.map((each) => ["mark", each]))}`;
    htmx.ajax("GET", page.asked, { target: here, swap: "innerHTML" });
    return named;
  }

  function look() {
    const host = document.getElementById("map"), image = host && host.querySelector("img");
    if (!image) return;
    if (page === null || page.host !== host) {
      page = new Picture(host, ask);
      const here = document.createElement("div");
      here.id = "here";
      here.className = "kept";
      here.setAttribute("aria-live", "polite");
      host.append(here);
      const large = document.createElement("button");
      large.type = "button";
      large.className = "small large kept";
      large.textContent = "Larger";
      large.addEventListener("click", () => { large.textContent = document.body.classList.toggle("large-map") ? "Smaller" : "Larger"; });
      host.prepend(large);
    }
    const about = new Map([...document.querySelectorAll("#inbox > .questions [data-about]")].flatMap((each) => each.dataset.about.split(" ").filter(Boolean)).map((each) => [each, ""]));
    page.outline({ asked: about });
    if (!image.currentSrc || image.currentSrc === shown) return;
    shown = image.currentSrc;
    if (page.asked) htmx.ajax("GET", page.asked, { target: document.getElementById("here"), swap: "innerHTML" });
    const address = shown, number = ++asked;
    read(address).then((drawing) => {
      if (number < drawn) return; // a newer one was faster
      drawn = number;
      newest = { address, drawing, alt: image.alt };
      page.draw(drawing);
      if (form) drawForm();
      else if (dialog.open) open(); // a form that was opened before it could be known what it takes of the map
    }, (error) => {
      if (address === shown) shown = ""; // asked for again when something moves
      lost(error);
    });
  }
  document.addEventListener("moved", look);
  document.addEventListener("load", (event) => { if (event.target.closest("#map")) look(); }, true); // of the form that fits the window
  look();
})();
