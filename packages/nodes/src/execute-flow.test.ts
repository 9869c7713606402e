import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RunFailure } from "@weft/engine";
import type { ChildRunRequest, ChildRunResult } from "@weft/engine/ports/child-runs";
import { createScriptedModel } from "@weft/engine/testing";
import { chain, completionOf, createFlowProcess, modelServices, runFlow } from "./testing/run-flow.ts";

const node = (config: object = {}) => ({ id: "call", type: "execute-flow", config: { agentId: "agent-2", ...config } });

/** Child runs that answer as told; `asked` keeps the requests. */
function children(answer: Partial<ChildRunResult> | Error = {}) {
  const asked: ChildRunRequest[] = [];
  const run = async (request: ChildRunRequest) => {
    asked.push(request);
    if (answer instanceof Error) throw answer;
    return { text: "from the child", runId: "run-2", ...answer };
  };
  return { asked, services: { childRuns: { run } } };
}

describe("execute flow node", () => {
  it("asks another agent and passes its answer on", async () => {
    const { asked, services } = children();
    const run = await runFlow(chain(node({ input: "Please: {{ question }}" })), { services });
    assert.equal(run.text, "from the child");
    assert.deepEqual(run.outputOf("call"), { content: "from the child", executionId: "run-2" });
    const [request] = asked;
    assert.partialDeepStrictEqual(request, {
      agentId: "agent-2",
      question: "Please: hello",
      overrideConfig: {},
      depth: 1,
      idempotencyKey: "run-1/call#0:flow",
      parent: { runId: "run-1", chatId: "chat-1", sessionId: "session-1" },
    });
    const started = run.events.find((event) => event.type === "effect-started");
    assert.partialDeepStrictEqual(started, { category: "flow", kind: "idempotent", name: "agent-2" });
  });

  it("gives overrides on as data that messages cannot break out of", async () => {
    const { asked, services } = children();
    const overrideConfig = '{ "vars": { "city": "{{ question }}", "n": {{ $vars.n }} }, "sessionId": "s-2" }';
    await runFlow(chain(node({ overrideConfig })), { services, vars: { n: 3 }, input: { question: '", "x": "' } });
    assert.deepEqual(asked[0]?.overrideConfig, { vars: { city: '", "x": "', n: 3 }, sessionId: "s-2" });
  });

  it("gives the child's data on, and its words to later models in the role that is asked for", async () => {
    const { services } = children({ json: { a: 1 } });
    const run = await runFlow(chain(node({ responseRole: "user" })), { services });
    const end = run.events.at(-1);
    assert.deepEqual(end?.type === "run-completed" && end.json, { a: 1 });
    assert.partialDeepStrictEqual(run.outputOf("call"), { json: { a: 1 } });
    assert.deepEqual(completionOf(run.events, "call")?.messages, [{ role: "userMessage", content: "from the child" }]);
    const aside = await runFlow(chain(node({ responseRole: "none" })), { services });
    assert.deepEqual(completionOf(aside.events, "call")?.messages, []);
    const model = createScriptedModel([{ text: "ok" }]);
    const flow = chain(node(), { id: "llm", type: "llm", config: {} });
    await runFlow(flow, { services: { ...services, ...modelServices(model) } });
    assert.deepEqual(model.calls[0]?.messages[0], { role: "assistant", content: "from the child" });
  });

  it("fails with what the child failed with", async () => {
    const error = { code: "model-unavailable", message: "The model server failed.", retryable: false };
    const run = await runFlow(chain(node()), { services: children(new RunFailure(error)).services });
    assert.deepEqual(run.error, error);
  });

  it("fails without an agent, and for overrides that are no object", async () => {
    const { services, asked } = children();
    const wrong: [object, RegExp][] = [
      [{ agentId: "" }, /no agent is selected/],
      [{ overrideConfig: "[1]" }, /must be a JSON object/],
      [{ overrideConfig: "{" }, /not valid JSON/],
    ];
    for (const [config, message] of wrong) {
      const run = await runFlow(chain(node(config)), { services });
      assert.match(run.error?.message ?? "", message);
    }
    assert.deepEqual(asked, []);
  });

  it("asks under the same key after a crash", async () => {
    const entered = Promise.withResolvers<void>();
    const keys: string[] = [];
    const run = async ({ idempotencyKey }: ChildRunRequest) => {
      keys.push(idempotencyKey);
      if (keys.length > 1) return { text: "found again", runId: "run-2" };
      entered.resolve();
      return new Promise<never>(() => undefined);
    };
    const process = createFlowProcess(chain(node()), { services: { childRuns: { run } } });
    process.start();
    await entered.promise;
    assert.equal(await process.recover().done, "completed");
    assert.deepEqual(keys, ["run-1/call#0:flow", "run-1/call#0:flow"]);
  });

  it("leaves the child's answer to a later process when this one lets go of the run", async () => {
    const entered = Promise.withResolvers<void>();
    const letGo = Promise.withResolvers<never>();
    const run = () => {
      entered.resolve();
      return letGo.promise;
    };
    const process = createFlowProcess(chain(node()), { services: { childRuns: { run } } });
    const handle = process.start();
    await entered.promise;
    handle.stop();
    letGo.reject(new Error("let go"));
    assert.equal(await handle.done, "stopped");
    assert.equal(process.events().at(-1)?.type, "effect-started");
    assert.deepEqual(process.bugs, []);
  });
});
