import { Service } from "./service.js";
export { choices } from "./choices.js";
export { form } from "./form.js";
export { Refusal } from "./refusal.js";
export { sample } from "./sample.js";
export { Reading } from "./schema.js";
/** One service, and who holds the token. */
export class Theogony extends Service {
}
