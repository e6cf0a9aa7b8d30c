// A picture that can be touched. What can be chosen on it its SVG says (docs/pictures.md): `data-kind` with `data-id`, or an
// even grid of squares. The same shapes lie over the picture, unseen: a touch, or the arrow keys, choose what lies there.
"use strict";

const picture = (() => {
  const SVG = "http://www.w3.org/2000/svg", SHAPES = "rect, circle, ellipse, path, polygon";
  const NEAR = 22; // pixels: so far beside a small mark a finger may be
  const AT_ONCE = 8; // so many things one touch means, at most
  const drawings = new Map(); // the newest picture, by its address

  async function read(address) {
    if (!drawings.has(address)) {
      drawings.clear();
      const drawing = fetch(address, { cache: "force-cache", credentials: "same-origin" }).then(async (answer) => {
        if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
        return new DOMParser().parseFromString(unstyled(await answer.text()), "image/svg+xml").documentElement;
      });
      drawings.set(address, drawing);
      drawing.catch(() => { if (drawings.get(address) === drawing) drawings.delete(address); }); // not kept: the next asks again
    }
    return drawings.get(address);
  }

  // The policy of a page has no styles in what it reads.
  const unstyled = (text) => text.replace(/<style>[^<]*<\/style>/g, "").replace(/ style="[^"]*"/g, "");
  const key = (kind, id) => `${kind}:${id}`;
  const squareKey = (x, y) => key("square", `${x},${y}`);

  // A picture with its marks: where it is touched, what is pointed at, what is outlined.
  class Picture {
    constructor(host, choose) {
      this.host = host;
      this.choose = choose;
      this.marks = [];
      this.grid = null;
      this.at = 0; // of the mark or the square that the keyboard points at
      this.sheet = document.createElementNS(SVG, "svg");
      this.sheet.setAttribute("tabindex", "0");
      this.sheet.setAttribute("role", "application");
      this.sheet.setAttribute("aria-label", "Map: arrow keys point, Enter chooses");
      this.sheet.classList.add("marks", "kept");
      this.words = document.createElement("p");
      this.words.className = "pointed kept";
      this.words.setAttribute("role", "status");
      host.append(this.sheet, this.words);
      this.sheet.addEventListener("click", (event) => this.touch(event.clientX, event.clientY));
      this.sheet.addEventListener("keydown", (event) => this.press(event));
      this.sheet.addEventListener("pointermove", (event) => {
        if (event.pointerType === "mouse") this.say(this.under(event.clientX, event.clientY));
      });
    }

    draw(drawing) {
      this.sheet.setAttribute("viewBox", drawing.getAttribute("viewBox"));
      this.sheet.replaceChildren();
      this.marks = [];
      this.grid = null;
      for (const node of drawing.querySelectorAll("[data-kind]")) {
        const shape = document.createElementNS(SVG, "g"), data = node.dataset;
        for (const part of node.matches("g") ? node.querySelectorAll(SHAPES) : [node]) shape.append(plain(part));
        const mark = { kind: data.kind, ids: (data.id || "").split(" ").filter(Boolean), title: titleOf(node), shape };
        if (data.columns) this.grid = { shape, place: placeOf(node), columns: Number(data.columns), rows: Number(data.rows) };
        else this.marks.push(mark);
        shape.mark = mark;
        shape.dataset.ids = mark.ids.join(" ");
        if (data.columns) Object.assign(shape.dataset, { columns: data.columns, rows: data.rows });
        this.sheet.append(shape);
      }
      this.over = document.createElementNS(SVG, "g");
      this.over.classList.add("over");
      this.sheet.append(this.over);
      this.outline();
    }

    // What lies under a point of the window, the uppermost first, and the square last.
    under(x, y) {
      const there = document.elementsFromPoint(x, y).filter((each) => each !== this.sheet && this.sheet.contains(each));
      const found = there.map((each) => each.closest("g").mark).filter((each) => this.marks.includes(each));
      if (this.grid) {
        const box = this.grid.shape.getBoundingClientRect();
        const column = Math.floor((x - box.left) / box.width * this.grid.columns);
        const row = Math.floor((y - box.top) / box.height * this.grid.rows);
        if (column >= 0 && row >= 0 && column < this.grid.columns && row < this.grid.rows) found.push(this.square(column, row));
      } else if (!found.length) found.push(...this.marks.filter((each) => far(each, x, y) < NEAR).sort((a, b) => far(a, x, y) - far(b, x, y)).slice(0, 1));
      return [...new Set(found)].slice(0, AT_ONCE);
    }

    square(x, y) {
      return { kind: "square", ids: [`${x},${y}`], x, y, title: `x ${x}, y ${y}` };
    }

    // Where the keyboard points: a square with what lies on it, or a mark.
    pointed() {
      if (!this.grid) return this.marks.length ? [this.marks[this.at % this.marks.length]] : [];
      const box = this.grid.shape.getBoundingClientRect(), { columns, rows } = this.grid;
      const x = this.at % columns, y = Math.floor(this.at / columns);
      return this.under(box.left + (x + 0.5) * box.width / columns, box.top + (y + 0.5) * box.height / rows);
    }

    press(event) {
      const wide = this.grid ? this.grid.columns : 1, count = this.grid ? wide * this.grid.rows : this.marks.length;
      const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: wide, ArrowUp: -wide }[event.key];
      if (!count || by === undefined && event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (by === undefined) return this.choose(this.pointed());
      if (this.at + by >= 0 && this.at + by < count) this.at += by;
      this.sheet.scrollIntoView({ block: "nearest" });
      this.say(this.pointed());
      this.outline();
    }

    touch(x, y) {
      const found = this.under(x, y), square = found.find((each) => each.kind === "square");
      if (square) this.at = square.y * this.grid.columns + square.x;
      else if (found.length) this.at = this.marks.indexOf(found[0]);
      this.say(found);
      if (found.length) this.choose(found);
    }

    say(found) {
      const words = found.map((each) => each.title).filter(Boolean);
      this.words.textContent = words.reverse().join(" · ");
    }

    // kinds: class -> what is outlined so, by key -> what stands on it.
    outline(kinds = this.kinds || {}) {
      this.kinds = kinds;
      if (!this.over) return;
      this.over.replaceChildren();
      const cursor = document.activeElement === this.sheet ? { cursor: new Map(this.pointed().slice(-1).flatMap(keysOf).map((each) => [each, ""])) } : {};
      for (const [style, wanted] of Object.entries({ ...kinds, ...cursor })) {
        for (const mark of this.marks) {
          const found = keysOf(mark).find((each) => wanted.has(each) || wanted.has(each.replace(/^[^:]*/, "")));
          if (found) this.show(mark.shape.cloneNode(true), style);
        }
        for (const [wantedKey, text] of this.grid ? wanted : []) {
          const place = /^square:(\d+),(\d+)$/.exec(wantedKey);
          if (place) this.showSquare(Number(place[1]), Number(place[2]), style, text);
        }
      }
    }

    show(shape, style) {
      shape.classList.add(style);
      this.over.append(shape);
    }

    showSquare(x, y, style, text) {
      const ground = this.grid.shape.firstElementChild, group = document.createElementNS(SVG, "g");
      const wide = Number(ground.getAttribute("width")) / this.grid.columns, high = Number(ground.getAttribute("height")) / this.grid.rows;
      const rect = document.createElementNS(SVG, "rect");
      for (const [name, value] of Object.entries({ x: x * wide, y: y * high, width: wide, height: high })) rect.setAttribute(name, value);
      group.setAttribute("transform", this.grid.place);
      group.append(rect);
      if (text) {
        const words = document.createElementNS(SVG, "text");
        for (const [name, value] of Object.entries({ x: (x + 0.5) * wide, y: (y + 0.7) * high, "font-size": high * 0.6 })) words.setAttribute(name, value);
        words.textContent = text;
        group.append(words);
      }
      this.show(group, style);
    }
  }

  function far(mark, x, y) {
    const box = mark.shape.getBoundingClientRect();
    return Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
  }

  function keysOf(mark) {
    return mark.ids.map((id) => key(mark.kind, id));
  }

  // A shape without its paint; what is drawn by reference as the rectangle that it fills.
  function plain(part) {
    const isUse = part.localName === "use", made = document.createElementNS(SVG, isUse ? "rect" : part.localName);
    for (const name of ["x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "d", "points"]) {
      if (part.hasAttribute(name)) made.setAttribute(name, part.getAttribute(name));
    }
    made.setAttribute("transform", placeOf(part));
    return made;
  }

  // The transforms of an element and of all around it.
  function placeOf(node) {
    const found = [];
    for (let each = node; each && each.localName !== "svg"; each = each.parentElement) {
      if (each.hasAttribute("transform")) found.unshift(each.getAttribute("transform"));
    }
    return found.join(" ");
  }

  function titleOf(node) {
    const title = node.querySelector("title");
    return title ? title.textContent : "";
  }

  return { Picture, read, key, squareKey, AT_ONCE };
})();
