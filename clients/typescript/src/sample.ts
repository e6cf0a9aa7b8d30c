/** Bodies at random, by JSON Schema alone: to try a form, to write a bot, to fill a test. */
import { Reading, same, type Fields, type Schema, type SchemaObject } from "./schema.js";

/** So far beyond its end a range without an end is tried. */
const FAR = 20;
/** Bodies that are thought of before a schema is said to admit none. */
const TRIES = 50;
const WORDS = ["abcdefghijklmnopqrstuvwxyz", "0123456789abcdef"];
/** A text for patterns of three parts. */
const THREE_PARTS = "AB-CD-1";
const TIME_OF_DAY = "20:00";

export interface Chances {
  /** Numbers from 0 to below 1. */
  random?: () => number;
  /** The share of arguments that may be left out and are given; 0.4. */
  given?: number;
}

/** A value at random that a schema admits. Throws RangeError where none is found. */
export function sample(schema: Schema, { random = Math.random, given = 0.4 }: Chances = {}): unknown {
  const reading = new Reading(typeof schema === "object" ? schema.$defs : {});
  const sampler = new Sampler(reading, random, given);
  for (let left = TRIES; left > 0; left--) {
    const value = sampler.value(schema);
    if (reading.admits(schema, value)) return value;
  }
  throw new RangeError(`Nothing is found that this admits: ${JSON.stringify(schema)}`);
}

class Sampler {
  constructor(
    readonly reading: Reading,
    readonly random: () => number,
    readonly given: number,
  ) {}

  /** A whole number between two, both included. */
  private whole(low: number, high: number): number {
    return low + Math.floor(this.random() * (high - low + 1));
  }

  private one<T>(of: ArrayLike<T>): T {
    return of[this.whole(0, of.length - 1)]!;
  }

  value(schema: Schema | undefined): unknown {
    const found = this.reading.resolve(schema);
    const listed = this.reading.options(found);
    if (listed?.length) return this.one(listed).value;
    const branches = found.anyOf ?? found.oneOf;
    if (branches) {
      const { anyOf: _, oneOf: __, ...rest } = found;
      return this.value({ ...rest, ...this.reading.resolve(this.one(branches)) });
    }
    const kind = typeof found.type === "object" ? this.one(found.type) : found.type;
    if (kind === "null") return null;
    if (kind === "boolean") return this.random() < 0.5;
    if (kind === "string") return this.text(found);
    if (kind === "array") return this.list(found);
    if (kind === "object") return this.object(found);
    if (kind !== "integer" && kind !== "number") throw new RangeError(`This has no type: ${JSON.stringify(found)}`);
    const low = found.minimum ?? (found.maximum ?? 0) - FAR;
    return this.whole(low, Math.min(found.maximum ?? low + FAR, low + 1000 * FAR));
  }

  private text(schema: SchemaObject): string {
    if (schema.format === "uuid") {
      const digits = Array.from({ length: 32 }, () => this.one("0123456789abcdef")).join("");
      return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
    }
    const { minLength = 0, maxLength = 10_000, pattern = "" } = schema;
    for (const letters of [...WORDS, pattern.replace(/\W/g, "")]) {
      for (const length of [12, minLength, maxLength]) {
        if (!letters || length < minLength || length > maxLength) continue;
        const text = Array.from({ length }, () => this.one(letters)).join("");
        if (this.reading.admits(schema, text)) return text;
      }
    }
    return this.reading.admits(schema, TIME_OF_DAY) ? TIME_OF_DAY : THREE_PARTS;
  }

  private list(schema: SchemaObject): unknown[] {
    const { minItems = 0, items, prefixItems = [], uniqueItems } = schema;
    const most = Math.max(minItems, Math.min(schema.maxItems ?? Infinity, Math.max(minItems, 3)));
    const length = this.whole(minItems, most);
    const counts = (schema.allOf ?? []).map((each) => this.reading.resolve(each)).filter((each) => each.maxContains);
    const found: unknown[] = [];
    for (let left = 20 * length; left > 0 && found.length < length; left--) {
      const kind = prefixItems[found.length] ?? items;
      if (this.reading.isBarred(kind)) break;
      const value = this.value(kind);
      const isTwice = uniqueItems && found.some((each) => same(each, value));
      const isTooOften = counts.some(
        ({ contains, maxContains }) =>
          [...found, value].filter((each) => this.reading.admits(contains, each)).length > maxContains!,
      );
      if (!isTwice && !isTooOften) found.push(value);
    }
    return found;
  }

  private object(schema: SchemaObject): Fields {
    const body: Fields = {};
    for (const name of Object.keys(schema.properties ?? {})) {
      const found = this.reading.property(schema, name, body);
      if (this.reading.isBarred(found.schema) || !(found.isRequired || this.random() < this.given)) continue;
      body[name] = this.value(found.schema);
    }
    return body;
  }
}
