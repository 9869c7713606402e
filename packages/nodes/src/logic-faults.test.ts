import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { endByTime, openWaits, type RunHandle } from "@weft/engine";
import type { NodeServices } from "@weft/engine/node";
import type { HttpRequest } from "@weft/engine/ports/http-client";
import {
  assertJournal,
  createFault,
  createMemoryJournal,
  createScriptedModel,
  createTestProcess,
  type Fault,
  faultyJournal,
  noServices,
  runId,
  type TestProcess,
  type Way,
  ways,
} from "@weft/engine/testing";
import { isTerminalEvent, type Json } from "@weft/schema";
import { nodeRegistry } from "./registry.ts";
import { type FlowOfNode, flowOf, say } from "./testing/flow-of.ts";

/** Fails the k-th call of every port for every k, in every way, in flows of the real node types; then recovers. */
type Scenario = { flow: string; text: string; writes: string[] };

const post = (path: string, within?: string): FlowOfNode => ({
  type: "http",
  config: { method: "POST", url: `http://api.test/${path}`, responseType: "text" },
  ...(within === undefined ? {} : { within }),
});
const inside = (within: string, type: string, config: object = {}): FlowOfNode => ({ type, config, within });
const yesWhen = (conditions: object[]): FlowOfNode => ({
  type: "condition",
  config: { branches: [{ id: "yes", conditions }] },
});

const scenarios: Record<string, Scenario> = {
  loop: {
    flow: flowOf(
      { a: post("{{ loop_count }}"), l: { type: "loop", config: { target: "a", times: 2 } }, end: say("{{ a }}") },
      "start>a a>l l>end",
    ),
    text: "POST 2",
    writes: ["0", "1", "2"],
  },
  "loop in a loop": {
    flow: flowOf(
      {
        a: say("a"),
        count: say("count", { n: "{{ $flow.state.n }}x" }),
        b: post("{{ $flow.state.n }}"),
        inner: { type: "loop", config: { target: "count", times: 1 } },
        outer: { type: "loop", config: { target: "a", times: 1, fallback: "{{ b }}" } },
      },
      "start>a a>count count>b b>inner inner>outer",
    ),
    text: "POST xxxx",
    writes: ["x", "xx", "xxx", "xxxx"],
  },
  iteration: {
    flow: flowOf(
      {
        each: { type: "iteration", config: { items: '["p", "q", "r"]', concurrency: 2 } },
        x: post("{{ $iteration }}", "each"),
        end: say("{{ each }}"),
      },
      "start>each each>end",
    ),
    text: "POST p\nPOST q\nPOST r",
    writes: ["p", "q", "r"],
  },
  "iteration in an iteration that collects": {
    flow: flowOf(
      {
        each: { type: "iteration", config: { items: '[["p", "q"], ["r"]]', onItemError: "collect" } },
        inner: inside("each", "iteration", { items: "{{ $iteration }}", concurrency: 2, onItemError: "skip" }),
        x: post("{{ $iteration }}", "inner"),
        y: post("after-{{ x }}", "each"),
        end: say("{{ each }}"),
      },
      "start>each each>end inner>y",
    ),
    text: "POST after-POST%20q\nPOST after-POST%20r",
    writes: ["after-POST%20q", "after-POST%20r", "p", "q", "r"],
  },
  "human input in a loop": {
    flow: flowOf(
      {
        a: post("draft-{{ loop_count }}"),
        h: { type: "human-input", config: { question: "{{ loop_count }}" } },
        l: { type: "loop", config: { target: "a" } },
        yes: post("sent-{{ h }}"),
      },
      "start>a a>h h:proceed>yes h:reject>l",
    ),
    text: "POST sent-proceed",
    writes: ["draft-0", "draft-1", "sent-proceed"],
  },
  "human input in an iteration": {
    flow: flowOf(
      {
        each: { type: "iteration", config: { items: "[1, 2]", concurrency: 2 } },
        h: inside("each", "human-input", { question: "{{ $iteration }}" }),
        yes: post("{{ $iteration }}", "each"),
        end: say("{{ each }}"),
      },
      "start>each each>end h:proceed>yes h:reject>yes",
    ),
    text: "POST 1\nPOST 2",
    writes: ["1", "2"],
  },
  condition: {
    flow: flowOf(
      {
        c: yesWhen([{ type: "string", left: "{{ question }}", operation: "matches", right: "^h" }]),
        yes: post("yes"),
        no: post("no"),
        join: say("{{ yes }}{{ no }}"),
      },
      "start>c c:yes>yes c:else>no yes>join no>join",
    ),
    text: "POST yes",
    writes: ["yes"],
  },
  "waits in a loop": {
    flow: flowOf(
      {
        short: { type: "wait", config: { amount: "0.5", unit: "seconds" } },
        a: post("{{ loop_count }}"),
        long: { type: "wait", config: { amount: "2", unit: "hours" } },
        l: { type: "loop", config: { target: "short", times: 1 } },
        end: say("{{ a }}"),
      },
      "start>short short>a a>long long>l l>end",
    ),
    text: "POST 1",
    writes: ["0", "1"],
  },
  "condition agent": {
    flow: flowOf(
      {
        c: {
          type: "condition-agent",
          config: {
            scenarios: [
              { id: "b", description: "second" },
              { id: "a", description: "first" },
            ],
          },
        },
        a: post("a"),
        b: post("b"),
      },
      "start>c c:a>a c:b>b",
    ),
    text: "POST a",
    writes: ["a"],
  },
};

function servicesWith(fault: Fault, writes: string[]): NodeServices {
  const model = createScriptedModel([{ text: '{"scenario":"a"}' }]);
  const body = (text: string) => new TextEncoder().encode(text);
  return {
    ...noServices,
    http: {
      request: ({ method, url }: HttpRequest) =>
        fault.around("http", async () => {
          const path = url.slice("http://api.test/".length);
          writes.push(path);
          return {
            status: 200,
            statusText: "OK",
            headers: {},
            body: body(`${method} ${path}`),
            truncated: false,
            url,
          };
        }),
    },
    sandbox: { run: () => fault.around("sandbox", async () => ({ ok: true, value: true, logs: [] })) },
    models: { resolve: async () => ({ id: "m", answer: (call) => fault.around("model", () => model.answer(call)) }) },
  };
}

/**
 * Answers what a human is asked, until the run is over or its process has died: no to the first draft, else yes. Other
 * waits end when they are due.
 */
async function answerAll(process: TestProcess, begun: RunHandle, fault: Fault): Promise<void> {
  for (let handle = begun; ; ) {
    const outcome = await Promise.race([handle.done.catch(() => undefined), fault.died]);
    if (outcome !== "suspended") return;
    const [open] = openWaits(handle.state);
    assert.ok(open);
    const { nodeKey, wait } = open;
    const answer: Json = { type: wait.text === "0" ? "reject" : "proceed" };
    const said = { nodeKey, nodeId: wait.nodeId, waitId: wait.waitId, answer };
    handle = process.recover({ resume: wait.asks === false ? endByTime(open) : said });
  }
}

async function runWithFault({ flow }: Scenario, at: number, way: Way) {
  const writes: string[] = [];
  const journal = createMemoryJournal();
  const fault = createFault(at, way);
  const processWith = (dying: Fault) =>
    createTestProcess({
      flow,
      registry: nodeRegistry,
      journal: faultyJournal(journal, dying),
      limits: { wallTimeMs: Number.POSITIVE_INFINITY },
      deps: { services: servicesWith(dying, writes) },
    });
  const first = processWith(fault);
  await answerAll(first, first.start(), fault);
  const events = () => journal.events(runId);
  if (!events().some(isTerminalEvent)) {
    const none = createFault(-1, "error");
    const second = processWith(none);
    await answerAll(second, second.recover(), none);
  }
  return { events: events(), writes, calls: fault.calls.length };
}

describe("faults at every port call of the logic nodes", () => {
  for (const [name, scenario] of Object.entries(scenarios)) {
    it(`keeps the guarantees: ${name}`, async () => {
      const { calls, events, writes } = await runWithFault(scenario, -1, "error");
      const end = events.at(-1);
      assert.equal(end?.type === "run-completed" && end.text, scenario.text);
      assert.deepEqual(writes.toSorted(), scenario.writes);
      assert.ok(calls > 2);
      for (let at = 1; at <= calls; at += 1) {
        for (const way of ways) {
          const label = `${name}, call ${at}, ${way}`;
          const result = await runWithFault(scenario, at, way);
          assertJournal(result.events, label);
          assert.equal(new Set(result.writes).size, result.writes.length, `${label}: a write was made twice`);
          assert.ok(
            result.writes.every((path) => scenario.writes.includes(path) || path.startsWith("after-")),
            `${label}: wrote ${result.writes.join(", ")}`,
          );
        }
      }
    });
  }
});
