/** What an argument of a legal command may be now, read from the entry's JSON Schema. */
const DEFINITIONS = "#/$defs/";
/**
 * The listed values of an argument; empty where it is barred, or a number, a text or a list of things. `listing` is the
 * answer of `legal-commands`, which holds what entries share; `entry` is one of its `results`.
 */
export function choices(listing, entry, argument) {
    const fields = (entry.schema?.["properties"] ?? {});
    return choices_in(fields[argument] ?? {}, listing.$defs);
}
function choices_in(schema, shared) {
    const found = schema.$ref === undefined ? schema : (shared[schema.$ref.slice(DEFINITIONS.length)] ?? {});
    const one = "const" in found ? [{ value: found.const, title: found.title ?? String(found.const) }] : [];
    const several = (found.enum ?? []).map((value) => ({ value, title: String(value) }));
    return [...one, ...several, ...(found.oneOf ?? []).flatMap((branch) => choices_in(branch, shared))];
}
