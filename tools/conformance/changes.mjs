// What has changed between two versions of an API's document; a breaking change is printed and ends with 1.
// A field that is added to what is only answered breaks nobody, though it is always there; api-smart-diff does not tell
// answers from requests.
// node changes.mjs openapi|graphql OLD NEW
import { readFileSync } from "node:fs";
import { diff } from "@graphql-inspector/core";
import { apiDiff } from "api-smart-diff";
import { buildSchema } from "graphql";
import { parse } from "yaml";

const [kind, old, fresh] = process.argv.slice(2);
const text = (file) => readFileSync(file, "utf8");
const found = [];

/** References to the components that requests are made of. */
function sentComponents(document) {
  const sent = new Set();
  const collect = (node) => {
    if (typeof node === "string" && node.startsWith("#/components/") && !sent.has(node)) {
      sent.add(node);
      const [, , kind, name] = node.split("/");
      collect(document.components[kind]?.[name]);
    } else if (node && typeof node === "object") {
      Object.values(node).forEach(collect);
    }
  };
  for (const operation of Object.values(document.paths).flatMap(Object.values)) {
    collect([operation.requestBody, operation.parameters]);
  }
  return sent;
}

/** Whether a change adds a field to what is only answered. */
function addsToAnswer({ action, path }, sent) {
  if (action !== "add" || !["properties", "required"].includes(path.at(-2))) return false;
  const [part, kind, name, place] = path;
  return part === "paths" ? place === "responses" : part === "components" && !sent.has(`#/components/${kind}/${name}`);
}

if (kind === "graphql") {
  for (const change of await diff(buildSchema(text(old)), buildSchema(text(fresh)))) {
    found.push({ breaking: change.criticality.level === "BREAKING", message: change.message });
  }
} else {
  const document = parse(text(fresh));
  const sent = sentComponents(document);
  for (const change of apiDiff(parse(text(old)), document)) {
    const breaking = change.type === "breaking" && !addsToAnswer(change, sent);
    found.push({ breaking, message: `${change.action} ${change.path.join("/")}` });
  }
}
const breaking = found.filter((change) => change.breaking);
for (const change of breaking) console.error(`breaking: ${change.message}`);
console.log(`${found.length} changes, ${breaking.length} of them breaking`);
process.exit(breaking.length === 0 ? 0 : 1);
