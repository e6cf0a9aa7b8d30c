/** The one error of the service: what it refused, and why. */
/**
 * The service refused a request (RFC 9457); nothing has changed. Programs look at `code`, people read `detail`; `rules`
 * cites the rulebook, `facts` has the numbers behind it, `errors` (with status 422) each place at fault.
 */
export class Refusal extends Error {
    status;
    code;
    detail;
    rules;
    facts;
    errors;
    request_id;
    constructor(status, problem) {
        const code = problem.code ?? "answer.unreadable";
        const detail = problem.detail ?? `The answer has status ${status} and no problem document.`;
        super(`${code}: ${detail}`);
        this.status = status;
        this.name = "Refusal";
        this.code = code;
        this.detail = detail;
        this.rules = problem.rules ?? [];
        this.facts = problem.facts ?? {};
        this.errors = problem.errors ?? [];
        this.request_id = problem.request_id ?? "";
    }
    /** The refusal that an answer is; of a gateway before the service, one with the code `answer.unreadable`. */
    static async of(answer) {
        let problem = {};
        try {
            problem = JSON.parse(await answer.text());
        }
        catch (error) {
            if (!(error instanceof SyntaxError))
                throw error;
        }
        return new Refusal(answer.status, problem);
    }
}
