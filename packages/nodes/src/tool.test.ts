import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Tool, ToolContext } from "@weft/engine/ports/tool";
import { type Json, type JsonObject, WeftError } from "@weft/schema";
import { chain, createFlowProcess, findingsOf, runFlow, toolServices } from "./testing/run-flow.ts";

const parameters = {
  type: "object",
  properties: {
    city: { type: "string" },
    days: { type: "integer" },
    exact: { type: ["boolean", "null"] },
    filter: { type: "object" },
  },
  required: ["city"],
  additionalProperties: false,
};

/** A tool that keeps how it was called. */
function recorder(more: Partial<Tool> = {}) {
  const calls: JsonObject[] = [];
  const contexts: ToolContext[] = [];
  const tool: Tool = {
    name: "weather",
    description: "Tells the weather.",
    parameters,
    kind: "read",
    effect: "read",
    async call(args, context) {
      calls.push(args);
      contexts.push(context);
      return { content: '{"sun":true}' };
    },
    ...more,
  };
  return { calls, contexts, tool, services: toolServices({ kit: [tool] }) };
}

const row = (name: string, value: string) => ({ name, value });
const node = (rows: object[], more: object = {}) => ({
  id: "tool",
  type: "tool",
  config: { tool: { type: "kit" }, arguments: rows, ...more },
});

describe("tool node", () => {
  it("calls a tool and passes its answer on, as text and as data", async () => {
    const { services, calls } = recorder();
    const run = await runFlow(chain(node([row("city", "{{ question }}")])), { services, input: { question: "Ulm" } });
    assert.deepEqual(calls, [{ city: "Ulm" }]);
    assert.equal(run.text, '{"sun":true}');
    assert.deepEqual(run.outputOf("tool"), {
      content: '{"sun":true}',
      data: { sun: true },
      isError: false,
      usedTools: [{ tool: "weather", toolInput: { city: "Ulm" }, toolOutput: '{"sun":true}' }],
    });
  });

  it("keeps the type of one reference, and reads text as data where the parameter takes no text", async () => {
    const cases: [JsonObject, Json[]][] = [
      [{ days: "{{ $form.days }}" }, [{ days: 3 }]],
      [{ days: "3", exact: "true" }, [{ days: 3, exact: true }]],
      [{ filter: '{ "a": [1] }' }, [{ filter: { a: [1] } }]],
      [{ filter: "{{ $form.filter }}" }, [{ filter: { b: null } }]],
      [{ days: " ", exact: "", filter: "" }, [{}]],
    ];
    for (const [given, [expected]] of cases) {
      const { services, calls } = recorder();
      const rows = Object.entries(given).map(([name, value]) => row(name, String(value)));
      const input = { form: { days: 3, filter: { b: null } } };
      await runFlow(chain(node([row("city", "3"), ...rows])), { services, input });
      assert.deepEqual(calls, [{ city: "3", ...(expected as JsonObject) }]);
    }
  });

  it("does not call with arguments that do not fit", async () => {
    for (const rows of [[], [row("city", "Ulm"), row("days", "many")], [row("city", "Ulm"), row("town", "Ulm")]]) {
      const { services, calls } = recorder();
      const run = await runFlow(chain(node(rows)), { services });
      assert.equal(run.error?.code, "tool-failed");
      assert.match(run.error?.message ?? "", /do not match the tool's schema/);
      assert.deepEqual(calls, []);
    }
  });

  it("fails when the tool fails, or takes what it says as a result", async () => {
    const failing = { call: async () => ({ content: "no such city", isError: true, details: { status: 404 } }) };
    const strict = await runFlow(chain(node([row("city", "X")])), { services: recorder(failing).services });
    assert.equal(strict.error?.message, "The tool weather failed: no such city");
    assert.deepEqual([strict.error?.retryable, strict.error?.upstream?.status], [false, 404]);
    const lenient = chain(node([row("city", "X")], { failOnError: false }));
    const run = await runFlow(lenient, { services: recorder(failing).services });
    assert.equal(run.text, "no such city");
    assert.partialDeepStrictEqual(run.outputOf("tool"), { isError: true, data: "no such city" });
  });

  it("calls again after a passing failure, where it only reads", async () => {
    for (const [kind, expected] of [
      ["read", "completed"],
      ["write", "failed"],
    ] as const) {
      let calls = 0;
      const call = async () => {
        calls += 1;
        return calls === 1 ? { content: "busy", isError: true, details: { status: 503 } } : { content: "ok" };
      };
      const flow = chain(node([row("city", "X")], { onFailure: { retries: 2 } }));
      const run = await runFlow(flow, { services: recorder({ kind, call }).services });
      assert.deepEqual([run.outcome, calls], [expected, kind === "read" ? 2 : 1]);
    }
  });

  it("asks for a name where an integration has several tools", async () => {
    const [one, two] = [recorder().tool, { ...recorder().tool, name: "forecast" }];
    const services = toolServices({ kit: [one, two], none: [] });
    const unnamed = await runFlow(chain(node([row("city", "X")])), { services });
    assert.match(unnamed.error?.message ?? "", /kit cannot be used: choose one .*weather, forecast/);
    const named = await runFlow(chain(node([row("city", "X")], { toolName: "forecast" })), { services });
    assert.equal(named.outcome, "completed");
    const unknown = await runFlow(chain(node([], { toolName: "tides" })), { services });
    assert.match(unknown.error?.message ?? "", /tides cannot be used/);
    const empty = await runFlow(chain(node([], { tool: { type: "none" } })), { services });
    assert.match(empty.error?.message ?? "", /one of its tools: none/);
  });

  it("never repeats a write whose process died", async () => {
    const entered = Promise.withResolvers<void>();
    let calls = 0;
    const call = () => {
      calls += 1;
      entered.resolve();
      return new Promise<never>(() => undefined);
    };
    const { services } = recorder({ kind: "write", call });
    const process = createFlowProcess(chain(node([row("city", "X")])), { services });
    process.start();
    await entered.promise;
    assert.equal(await process.recover().done, "failed");
    const end = process.events().at(-1);
    assert.equal(end?.type === "run-failed" && end.error.code, "flow-outcome-unknown");
    assert.equal(calls, 1);
  });

  it("gives the tool what an agent's call gets", async () => {
    const { services, contexts } = recorder();
    await runFlow(chain(node([row("city", "X")])), { services, vars: { team: "blue" } });
    const [context] = contexts;
    assert.deepEqual([context?.vars, context?.flow.executionId], [{ team: "blue" }, "run-1"]);
    assert.equal(context?.idempotencyKey, "run-1/tool#0:tool");
    assert.equal(typeof context?.callAgent, "function");
  });

  it("fails when the tool cannot be built", async () => {
    const resolve = () => Promise.reject(new WeftError("tool-invalid", { params: { name: "kit", reason: "no URL." } }));
    const run = await runFlow(chain(node([])), { services: { tools: { resolve } } });
    assert.equal(run.error?.code, "tool-invalid");
    const [finding] = findingsOf({ ...node([]), config: { tool: { type: "" } } });
    assert.deepEqual([finding?.code, finding?.path], ["node-config-invalid", "tool.type"]);
  });
});
