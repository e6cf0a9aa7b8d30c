/** The JSON Schema (2020-12) of a body, as far as `legal-commands` uses it: what it admits, lists, and narrows down. */
import type { Choice } from "./choices.js";

/** A schema; `false` admits nothing. Of a legal command: `{ ...entry.schema, $defs: listing.$defs }`. */
export type Schema = SchemaObject | boolean;

export interface SchemaObject {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  title?: string;
  description?: string;
  default?: unknown;
  /** What a form may begin with. */
  examples?: unknown[];
  const?: unknown;
  enum?: unknown[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  not?: Schema;
  if?: Schema;
  then?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
  items?: Schema;
  prefixItems?: Schema[];
  contains?: Schema;
  maxContains?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  /** A list that is another one in another order. */
  "x-ordered"?: boolean;
  /** So many values are not listed. */
  "x-more"?: number;
  [more: string]: unknown;
}

export type Fields = Record<string, unknown>;

const DEFINITIONS = "#/$defs/";

/** Whether two values of JSON are the same. */
export function same(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return one === other;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  const isAlike = Array.isArray(one) === Array.isArray(other) && keys.length === others.length;
  return isAlike && keys.every((key) => key in other && same((one as Fields)[key], (other as Fields)[key]));
}

const CHECKS: Record<string, (value: unknown) => boolean> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === "number",
  string: (value) => typeof value === "string",
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/** Schemas that refer to the same `$defs`. */
export class Reading {
  /** What people call the ids that some schema has a title for: a race in one argument is one in another. */
  private readonly names: Map<unknown, string>;

  /** `names`: what people call ids for which no schema has a title. */
  constructor(
    readonly defs: Record<string, Schema> = {},
    names: Record<string, string> = {},
  ) {
    this.names = new Map(Object.entries(names));
    for (const each of Object.values(defs)) this.learn(each);
  }

  private learn(schema: Schema): void {
    if (typeof schema !== "object") return;
    if (typeof schema.const === "string" && schema.title) this.names.set(schema.const, schema.title);
    const within = [schema.items, ...(schema.oneOf ?? []), ...Object.values(schema.properties ?? {})];
    for (const each of within) if (each !== undefined) this.learn(each);
  }

  /** A value as people read it: `{"x": 3, "y": 1}` is `x 3, y 1`. */
  private titleOf(value: unknown): string {
    if (value === null) return "none";
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (typeof value !== "object") return this.names.get(value) ?? String(value);
    const isList = Array.isArray(value);
    const parts = Object.entries(value).map(([name, each]) => (isList ? "" : `${name} `) + this.titleOf(each));
    return parts.join(", ") || "none";
  }

  /** The schema itself, where it only refers to one. */
  resolve(schema: Schema | undefined): SchemaObject {
    let found = schema ?? {};
    while (typeof found === "object" && found.$ref !== undefined) {
      found = this.defs[found.$ref.slice(DEFINITIONS.length)] ?? false;
    }
    if (found === true) return {};
    return found === false ? { not: {} } : found;
  }

  /** Whether a schema admits no value. */
  isBarred(schema: Schema | undefined): boolean {
    const { not } = this.resolve(schema);
    return not === true || (typeof not === "object" && Object.keys(not).length === 0);
  }

  /** Whether a value is one that the schema admits. */
  admits(schema: Schema | undefined, value: unknown): boolean {
    const found = this.resolve(schema);
    if (this.isBarred(found)) return false;
    const kinds = typeof found.type === "string" ? [found.type] : found.type;
    return (
      (kinds === undefined || kinds.some((kind) => CHECKS[kind]?.(value))) &&
      (!("const" in found) || same(found.const, value)) &&
      (!found.enum || found.enum.some((each) => same(each, value))) &&
      (!found.anyOf || found.anyOf.some((each) => this.admits(each, value))) &&
      (!found.oneOf || found.oneOf.filter((each) => this.admits(each, value)).length === 1) &&
      (!found.allOf || found.allOf.every((each) => this.admits(each, value))) &&
      (found.not === undefined || !this.admits(found.not, value)) &&
      (found.if === undefined || !this.admits(found.if, value) || this.admits(found.then, value)) &&
      (typeof value !== "number" || this.admitsNumber(found, value)) &&
      (typeof value !== "string" || this.admitsText(found, value)) &&
      (!Array.isArray(value) || this.admitsList(found, value)) &&
      (!CHECKS["object"]!(value) || this.admitsObject(found, value as Fields))
    );
  }

  private admitsNumber({ minimum = -Infinity, maximum = Infinity }: SchemaObject, value: number): boolean {
    return minimum <= value && value <= maximum;
  }

  private admitsText({ minLength = 0, maxLength = Infinity, pattern = "" }: SchemaObject, value: string): boolean {
    const length = [...value].length;
    return minLength <= length && length <= maxLength && new RegExp(pattern).test(value);
  }

  private admitsList(schema: SchemaObject, value: unknown[]): boolean {
    const { minItems = 0, maxItems = Infinity, prefixItems = [], items, contains, maxContains = Infinity } = schema;
    const found = contains === undefined ? 1 : value.filter((each) => this.admits(contains, each)).length;
    const isOnce = (each: unknown, place: number) => !value.slice(0, place).some((before) => same(before, each));
    return (
      minItems <= value.length &&
      value.length <= maxItems &&
      value.every((each, place) => this.admits(prefixItems[place] ?? items, each)) &&
      found >= 1 &&
      found <= maxContains &&
      (!schema.uniqueItems || value.every(isOnce))
    );
  }

  private admitsObject({ properties = {}, required = [], additionalProperties }: SchemaObject, value: Fields): boolean {
    const isAdmitted = (name: string) => this.admits(properties[name] ?? additionalProperties, value[name]);
    return required.every((name) => name in value) && Object.keys(value).every(isAdmitted);
  }

  /** The values that a schema lists, with what people call them; undefined where it lists none. */
  options(schema: Schema | undefined): Choice[] | undefined {
    const found = this.resolve(schema);
    if ("const" in found) return [{ value: found.const, title: found.title ?? this.titleOf(found.const) }];
    if (found.enum) return found.enum.map((value) => ({ value, title: this.titleOf(value) }));
    const branches = found.oneOf ?? found.anyOf;
    const listed = branches?.map((each) => this.options(each));
    const several = listed?.flatMap((each) => each ?? []);
    if (!several || listed?.some((each) => each === undefined)) return undefined;
    return several.filter(({ value }, place) => !several.slice(0, place).some((each) => same(each.value, value)));
  }

  /**
   * What a property of an object may be, given those before it; undefined where nothing is said of it. Properties are
   * read in their order: what follows from another argument stands behind it.
   */
  property(schema: SchemaObject, name: string, before: Fields): { schema: SchemaObject; isRequired: boolean } {
    let narrow = this.resolve(schema.properties?.[name]);
    let isRequired = schema.required?.includes(name) ?? false;
    const narrowBy = (part: SchemaObject) => {
      const alternatives = part.anyOf?.map((each) => this.resolve(each)).filter((each) => this.isOpen(each, before));
      for (const possible of [[part], ...(alternatives?.length ? [alternatives] : [])]) {
        isRequired ||= possible.every((each) => each.required?.includes(name));
        const said = possible.flatMap(({ properties }) => (properties && name in properties ? [properties[name]!] : []));
        if (said.length < possible.length) continue; // one of them says nothing of it
        narrow = this.both(narrow, said.length === 1 ? this.resolve(said[0]) : { anyOf: said });
      }
    };
    for (const each of schema.allOf ?? []) {
      const part = this.resolve(each);
      if (part.if === undefined) narrowBy(part);
      else if (this.isDecided(part.if, before) && this.admits(part.if, before)) narrowBy(this.resolve(part.then));
    }
    return { schema: narrow, isRequired };
  }

  /** Whether a condition speaks of what stands before alone. */
  private isDecided(condition: Schema, before: Fields): boolean {
    return Object.keys(this.resolve(condition).properties ?? {}).every((name) => name in before);
  }

  /** Whether an alternative is one that the properties before leave open. */
  private isOpen({ properties = {} }: SchemaObject, before: Fields): boolean {
    return Object.entries(properties).every(([name, each]) => !(name in before) || this.admits(each, before[name]));
  }

  /** What two schemas say together; listed values keep their titles. */
  private both(known: SchemaObject, narrower: SchemaObject): SchemaObject {
    if (this.isBarred(known) || this.isBarred(narrower)) return { not: {} };
    const values = this.options(known)?.filter(({ value }) => this.admits(narrower, value));
    if (values) return { oneOf: values.map(({ value, title }) => ({ const: value, title })) };
    const allOf = [...(known.allOf ?? []), ...(narrower.allOf ?? [])];
    const maxItems = Math.min(known.maxItems ?? Infinity, narrower.maxItems ?? Infinity);
    return {
      ...known,
      ...narrower,
      ...(allOf.length ? { allOf } : {}),
      ...(Number.isFinite(maxItems) ? { maxItems } : {}),
    };
  }
}
