import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chain, findingsOf, runFlow } from "./testing/run-flow.ts";

const reply = (message?: string) => ({
  id: "r",
  type: "direct-reply",
  config: message === undefined ? {} : { message },
});

describe("direct reply", () => {
  it("answers with its rendered text", async () => {
    const run = await runFlow(chain(reply("You said {{ question }}")), {
      input: { question: "{{ $vars.key }}" },
      vars: { key: "s3cret" },
    });
    assert.equal(run.text, "You said {{ $vars.key }}");
    assert.deepEqual(run.outputOf("r"), { content: "You said {{ $vars.key }}" });
  });

  it("answers with data as JSON, and with nothing when it is empty", async () => {
    assert.equal((await runFlow(chain(reply("{{ $form }}")), { input: { form: { a: [1] } } })).text, '{"a":[1]}');
    assert.equal((await runFlow(chain(reply()))).text, "");
  });

  it("answers before other leaves", async () => {
    const nodes = [
      { id: "start", type: "start" },
      { id: "r", type: "direct-reply", config: { message: "reply" } },
      { id: "h", type: "http", config: { url: "http://api.test/" } },
    ];
    const edges = [
      { id: "a", source: "start", target: "r" },
      { id: "b", source: "start", target: "h" },
    ];
    const answer = { status: 200, statusText: "OK", headers: {}, body: new Uint8Array(), truncated: false, url: "" };
    const services = { http: { request: async () => answer } };
    const run = await runFlow(JSON.stringify({ weft: 1, nodes, edges }), { services });
    assert.equal(run.outcome, "completed");
    assert.equal(run.text, "reply");
  });

  it("warns of a reference without a value, and refuses one to nothing", async () => {
    const run = await runFlow(chain(reply("[{{ $form.gone }}]")));
    assert.equal(run.text, "[]");
    assert.equal(run.warnings.length, 1);
    assert.match(run.warnings[0] ?? "", /Direct reply: \{\{ \$form\.gone \}\} has no value/);
    const [finding] = findingsOf(reply("{{ typo }}"));
    assert.deepEqual([finding?.code, finding?.path], ["template-unknown", "message"]);
  });
});
