/** Forms drawn from JSON Schema, in plain DOM: no framework, no style of its own, no text of others read as HTML. */
import { Reading, same } from "./schema.js";
/** Texts that may be longer than this get several lines. */
const LONG_TEXT = 200;
/** Lists that need no more items than this begin with as many. */
const MOST_ROWS = 20;
/**
 * A form for a body. `schema` is that of a legal command, with what it refers to: `{ ...entry.schema, $defs: listing.$defs }`;
 * `value` is written into it at first, `names` are what people call ids for which the schema has no title. Fields that
 * follow from others change with them.
 */
export function form(schema, value, names = {}) {
    const drawer = new Drawer(new Reading(typeof schema === "object" ? schema.$defs : {}, names));
    const control = drawer.draw(schema, { label: "", isRequired: true, value });
    const mark = (faults) => {
        for (const old of control.element.querySelectorAll("[data-fault]"))
            old.remove();
        for (const old of control.element.querySelectorAll("[aria-invalid]"))
            old.removeAttribute("aria-invalid");
        return faults.filter((fault) => !showFault(control, fault));
    };
    return { element: control.element, read: () => control.read(), mark };
}
/** Show a fault at its field, or at what is around it; whether there is anything but the whole form. */
function showFault(control, { pointer = "", detail }) {
    const found = control.find(pointer.split("/").slice(1));
    if (found === control.element)
        return false;
    const field = found.matches("label") ? found.querySelector("input, select, textarea") : found;
    field?.setAttribute("aria-invalid", "true");
    found.append(make("span", { dataset: { fault: "" }, role: "alert" }, detail));
    return true;
}
function make(tag, { dataset, ...properties } = {}, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    Object.assign(element.dataset, dataset);
    element.append(...children);
    return element;
}
/** `starting_mana` as `Starting mana`. */
function words(name) {
    const text = name.replace(/[_-]/g, " ");
    return text.slice(0, 1).toUpperCase() + text.slice(1);
}
class Drawer {
    reading;
    constructor(reading) {
        this.reading = reading;
    }
    draw(schema, place) {
        const found = this.reading.resolve(schema);
        const options = this.reading.options(found);
        if (options)
            return this.select(found, options, place);
        if (found.anyOf || found.oneOf)
            return this.alternatives(found, place);
        if (Array.isArray(found.type)) {
            return this.alternatives({ anyOf: found.type.map((type) => ({ ...found, type })) }, place);
        }
        if (found.type === "boolean")
            return this.flag(found, place);
        if (found.type === "integer" || found.type === "number")
            return this.number(found, place);
        if (found.type === "string")
            return this.text(found, place);
        if (found.type === "array")
            return this.list(found, place);
        if (found.type === "object")
            return place.isRequired ? this.object(found, place) : this.optional(found, place);
        if (found.type === "null")
            return this.nothing();
        return this.json(found, place);
    }
    nothing() {
        const element = make("span");
        return { element, read: () => null, find: () => element };
    }
    /** A field and its label, with what is good to know behind the label. */
    labelled(field, place, note) {
        const name = make("span", { className: "name" }, place.label);
        const more = make("small", {}, [place.isRequired ? "" : "optional", note].filter(Boolean).join(", "));
        return make("label", {}, name, more, field);
    }
    /** A control that is one field. */
    single(field, place, note, read) {
        const element = this.labelled(field, place, note);
        return { element, read, find: () => element };
    }
    select(schema, options, place) {
        const field = make("select");
        const [only] = options;
        if (place.isRequired && only && options.length === 1)
            return this.settled(only, place);
        const known = options.findIndex(({ value }) => same(value, place.value ?? schema.default));
        const isOpen = !place.isRequired || known < 0;
        if (isOpen)
            field.append(make("option", { value: "" }, place.isRequired ? "Choose …" : "–"));
        field.required = place.isRequired;
        options.forEach(({ title }, number) => field.append(make("option", { value: String(number) }, title)));
        field.value = known >= 0 ? String(known) : isOpen ? "" : "0";
        const hidden = schema["x-more"] ? `${schema["x-more"]} more are not listed` : "";
        const read = () => (field.value === "" ? undefined : options[Number(field.value)]?.value);
        return this.single(field, place, hidden, read);
    }
    /** What cannot be anything else is read, not chosen. */
    settled({ value, title }, place) {
        const name = make("span", { className: "name" }, place.label);
        const element = make("p", { className: "settled" }, name, " ", title);
        return { element, read: () => value, find: () => element };
    }
    flag(schema, place) {
        if (!place.isRequired) {
            const options = [true, false].map((value) => ({ value, title: value ? "yes" : "no" }));
            return this.select({}, options, place);
        }
        const field = make("input", { type: "checkbox", checked: Boolean(place.value ?? schema.default) });
        return this.single(field, place, "", () => field.checked);
    }
    number(schema, place) {
        const { minimum, maximum } = schema;
        const field = make("input", { type: "number", required: place.isRequired, inputMode: "numeric" });
        field.step = schema.type === "integer" ? "1" : "any";
        if (minimum !== undefined)
            field.min = String(minimum);
        if (maximum !== undefined)
            field.max = String(maximum);
        const only = place.isRequired && minimum === maximum ? minimum : undefined;
        const begin = place.value ?? schema.examples?.[0] ?? schema.default ?? only;
        field.value = typeof begin === "number" ? String(begin) : "";
        const note = minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : "";
        return this.single(field, place, note, () => (field.value === "" ? undefined : field.valueAsNumber));
    }
    text(schema, place) {
        const { minLength = 0, maxLength = Infinity } = schema;
        const isLong = maxLength > LONG_TEXT;
        const field = isLong ? make("textarea", { rows: 3 }) : make("input", { type: "text", autocomplete: "off" });
        field.required = place.isRequired && minLength > 0;
        if (minLength)
            field.minLength = minLength;
        if (Number.isFinite(maxLength))
            field.maxLength = maxLength;
        field.value = String(place.value ?? schema.default ?? "");
        return this.single(field, place, "", () => field.value || (place.isRequired ? "" : undefined));
    }
    /** Whatever the schema does not say, as JSON. */
    json(schema, place) {
        const known = JSON.stringify(place.value ?? schema.default);
        const field = make("textarea", { rows: 3, spellcheck: false, value: known ?? "" });
        return this.single(field, place, "JSON", () => (field.value.trim() ? JSON.parse(field.value) : undefined));
    }
    group(place, ...children) {
        const more = place.isRequired ? [] : [" ", make("small", {}, "optional")];
        const legend = place.label ? [make("legend", {}, place.label, ...more)] : [];
        return make("fieldset", {}, ...legend, ...children);
    }
    /** What stands below something that has its name already: a single field needs one of its own. */
    below(schema, place, value) {
        const hasName = this.reading.resolve(schema).type === "object" && !this.reading.options(schema);
        return this.draw(schema, { label: hasName ? "" : place.label, isRequired: true, value });
    }
    /** One of several shapes: which one is chosen, then its fields. */
    alternatives(schema, place) {
        const branches = (schema.anyOf ?? schema.oneOf ?? []).map((each) => this.reading.resolve(each));
        const field = make("select", { ariaLabel: place.label ? `${place.label}: which` : "Which" });
        if (!place.isRequired)
            field.append(make("option", { value: "" }, "–"));
        branches.forEach((each, number) => field.append(make("option", { value: String(number) }, this.nameOf(each, number))));
        const known = branches.findIndex((each) => this.reading.admits(each, place.value));
        field.value = known >= 0 ? String(known) : place.isRequired ? "0" : "";
        const slot = make("div");
        let inner;
        const redraw = (value) => {
            const branch = branches[Number(field.value)];
            inner = field.value === "" || !branch ? undefined : this.below(branch, place, value);
            slot.replaceChildren(...(inner ? [inner.element] : []));
        };
        field.addEventListener("change", () => redraw());
        redraw(place.value);
        const element = this.group(place, field, slot);
        return { element, read: () => inner?.read(), find: (path) => inner?.find(path) ?? element };
    }
    /** What a shape is called: the values of the first argument that lists some, or its type. */
    nameOf(schema, number) {
        for (const each of [schema, ...Object.values(schema.properties ?? {})]) {
            const titles = this.reading.options(each)?.map(({ title }) => title);
            if (titles?.length)
                return titles.slice(0, 5).join(" / ");
        }
        const names = Object.keys(schema.properties ?? {}).map(words);
        return names.join(", ") || (typeof schema.type === "string" ? schema.type : `${number + 1}`);
    }
    /** An object that may be left out: a tick, then its fields. */
    optional(schema, place) {
        const tick = make("input", { type: "checkbox", checked: place.value !== undefined });
        const slot = make("div");
        let inner;
        const redraw = () => {
            inner = tick.checked ? this.object(schema, { ...place, label: "", isRequired: true }) : undefined;
            slot.replaceChildren(...(inner ? [inner.element] : []));
        };
        tick.addEventListener("change", redraw);
        redraw();
        const name = make("span", { className: "name" }, place.label);
        const label = make("label", { className: "tick" }, tick, name, make("small", {}, "optional"));
        const element = make("div", {}, label, slot);
        return { element, read: () => inner?.read(), find: (path) => inner?.find(path) ?? element };
    }
    /** An object: its properties in their order, each drawn anew when what may stand there has changed. */
    object(schema, place) {
        const element = place.label ? this.group(place) : make("div");
        const given = (typeof place.value === "object" && place.value ? place.value : {});
        const drawn = new Map();
        const fields = Object.keys(schema.properties ?? {});
        const redraw = () => {
            const before = {};
            for (const name of fields) {
                const found = this.reading.property(schema, name, before);
                const drawnFor = JSON.stringify(found);
                const former = drawn.get(name);
                if (former?.drawnFor !== drawnFor) {
                    const slot = former?.slot ?? element.appendChild(make("div", { className: "field" }));
                    const value = former ? former.control?.read() : given[name];
                    const within = { label: words(name), isRequired: found.isRequired, value };
                    const control = this.reading.isBarred(found.schema) ? undefined : this.draw(found.schema, within);
                    slot.replaceChildren(...(control ? [control.element] : []));
                    drawn.set(name, { drawnFor, control, slot });
                }
                const value = drawn.get(name)?.control?.read();
                if (value !== undefined)
                    before[name] = value;
            }
            return before;
        };
        // As soon as something is written: what follows is drawn before anybody is on the way to it.
        if (schema.allOf)
            for (const kind of ["input", "change"])
                element.addEventListener(kind, redraw);
        redraw();
        const find = ([name = "", ...rest]) => drawn.get(name)?.control?.find(rest) ?? element;
        return { element, read: redraw, find };
    }
    list(schema, place) {
        const { items, prefixItems = [], uniqueItems } = schema;
        const options = this.reading.options(items);
        if (options && uniqueItems && !schema["x-ordered"] && !prefixItems.length)
            return this.ticks(schema, options, place);
        return this.rows(schema, place);
    }
    /** Any of several values: a tick each. */
    ticks(schema, options, place) {
        const chosen = Array.isArray(place.value) ? place.value : [];
        const fields = options.map(({ value, title }) => {
            const field = make("input", { type: "checkbox", checked: chosen.some((each) => same(each, value)) });
            return { field, element: make("label", { className: "tick" }, field, make("span", {}, title)) };
        });
        const { minItems = 0, maxItems = options.length } = schema;
        const note = make("small", {}, minItems || maxItems < options.length ? `${minItems} to ${maxItems} of them` : "");
        const read = () => {
            const values = options.filter((_, number) => fields[number]?.field.checked).map(({ value }) => value);
            return values.length || place.isRequired ? values : undefined;
        };
        const element = this.group(place, note, ...fields.map((each) => each.element));
        return { element, read, find: () => element };
    }
    /** A list: one row after the other, which can be added, taken away and moved. */
    rows(schema, place) {
        const { items, prefixItems = [], minItems = 0 } = schema;
        const most = this.reading.isBarred(items) ? prefixItems.length : (schema.maxItems ?? Infinity);
        const body = make("ol");
        let rows = [];
        const add = make("button", { type: "button" }, place.label ? `Add to ${place.label.toLowerCase()}` : "Add");
        const arrange = (focus) => {
            body.replaceChildren(...rows.map(({ element }) => element));
            add.hidden = rows.length >= most;
            (focus?.isConnected && !focus.hidden ? focus : add).focus();
        };
        const append = (value) => {
            const control = this.below(prefixItems[rows.length] ?? items, place, value);
            const up = make("button", { type: "button" }, "Up");
            const away = make("button", { type: "button" }, "Remove");
            const row = { element: make("li", {}, control.element, ...(prefixItems.length ? [] : [up]), away), control };
            up.addEventListener("click", () => {
                const at = rows.indexOf(row);
                if (at > 0)
                    [rows[at - 1], rows[at]] = [row, rows[at - 1]];
                arrange(up);
            });
            away.addEventListener("click", () => {
                rows = rows.filter((each) => each !== row);
                arrange();
                body.dispatchEvent(new Event("change", { bubbles: true }));
            });
            rows.push(row);
        };
        const known = Array.isArray(place.value) ? place.value : [];
        const count = known.length || (place.isRequired ? Math.min(minItems, MOST_ROWS) : 0);
        for (let number = 0; number < count; number++)
            append(known[number]);
        body.replaceChildren(...rows.map(({ element }) => element));
        add.hidden = rows.length >= most;
        add.addEventListener("click", () => {
            do
                append();
            while (rows.length < Math.min(minItems, MOST_ROWS));
            arrange();
            body.dispatchEvent(new Event("change", { bubbles: true }));
        });
        const read = () => {
            const values = rows.map(({ control }) => control.read());
            return values.length || place.isRequired ? values : undefined;
        };
        const element = this.group(place, body, add);
        const find = ([at = "", ...rest]) => rows[Number(at)]?.control.find(rest) ?? element;
        return { element, read, find };
    }
}
