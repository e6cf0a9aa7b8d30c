// GraphQL over HTTP: each audit of graphql-http against the live service.
import { auditServer } from "graphql-http";

const results = await auditServer({ url: process.argv[2], fetchFn: fetch });
const wrong = results.filter((result) => result.status !== "ok");
for (const result of wrong) console.error(`${result.status}: ${result.name}: ${result.reason}`);
console.log(`${results.length - wrong.length} of ${results.length} audits`);
process.exit(wrong.length === 0 && results.length >= 61 ? 0 : 1);
