// What has changed between two versions of an API's document; a breaking change is printed and ends with 1.
// node changes.mjs openapi|graphql OLD NEW
import { readFileSync } from "node:fs";
import { diff } from "@graphql-inspector/core";
import { apiDiff } from "api-smart-diff";
import { buildSchema } from "graphql";
import { parse } from "yaml";

const [kind, old, fresh] = process.argv.slice(2);
const text = (file) => readFileSync(file, "utf8");
const found = [];

if (kind === "graphql") {
  for (const change of await diff(buildSchema(text(old)), buildSchema(text(fresh)))) {
    found.push({ breaking: change.criticality.level === "BREAKING", message: change.message });
  }
} else {
  for (const change of apiDiff(parse(text(old)), parse(text(fresh)))) {
    found.push({ breaking: change.type === "breaking", message: `${change.action} ${change.path.join("/")}` });
  }
}
const breaking = found.filter((change) => change.breaking);
for (const change of breaking) console.error(`breaking: ${change.message}`);
console.log(`${found.length} changes, ${breaking.length} of them breaking`);
process.exit(breaking.length === 0 ? 0 : 1);
