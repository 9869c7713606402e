import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileFlow } from "@weft/engine";
import type { NodeServices } from "@weft/engine/node";
import type { HttpResponse } from "@weft/engine/ports/http-client";
import { createScriptedModel } from "@weft/engine/testing";
import { type Json, WeftError } from "@weft/schema";
import { nodeRegistry } from "./registry.ts";
import { type FlowOfNode, flowOf, say, stepsOf } from "./testing/flow-of.ts";
import { createFlowProcess, modelServices, runFlow } from "./testing/run-flow.ts";

const each = (config: object, within?: string): FlowOfNode => ({
  type: "iteration",
  config: { items: "{{ $form.items }}", ...config },
  ...(within === undefined ? {} : { within }),
});
const call = (config: object = {}): FlowOfNode => ({
  type: "http",
  config: { url: "http://api.test/{{ $iteration }}", responseType: "text", ...config },
  within: "each",
});

const bytes = (text: string) => new TextEncoder().encode(text);
const ok = (text: string): HttpResponse => ({
  status: 200,
  statusText: "OK",
  headers: {},
  body: bytes(text),
  truncated: false,
  url: "",
});

/** An API that answers with the path, in the order in which it is told, and fails for the paths it is told. */
function api(failing: readonly string[] = []) {
  const called: string[] = [];
  const active = { now: 0, most: 0 };
  const http: NodeServices["http"] = {
    async request({ url }) {
      const path = new URL(url).pathname.slice(1);
      called.push(path);
      active.now += 1;
      active.most = Math.max(active.most, active.now);
      for (let turn = 0; turn < 40 - Number(path.replace(/\D/g, "")) * 5; turn += 1) await null;
      active.now -= 1;
      if (failing.includes(path)) throw new WeftError("egress-failed", { params: { url, reason: "down" } });
      return ok(`<${path}>`);
    },
  };
  return { services: { http }, called, active };
}

function iterate(config: object, items: Json, options: Parameters<typeof runFlow>[1] = {}) {
  const nodes = { each: each(config), x: call(), end: say("{{ each }}") };
  return runFlow(flowOf(nodes, "start>each each>end"), { input: { form: { items } }, ...options });
}

describe("iteration", () => {
  it("runs its steps for every item, one after the other, with the results in order", async () => {
    const { services, called, active } = api();
    const run = await iterate({}, [1, 2, 3], { services });
    assert.deepEqual(called, ["1", "2", "3"]);
    assert.equal(active.most, 1);
    assert.equal(run.text, "<1>\n<2>\n<3>");
    assert.deepEqual(run.outputOf("each"), { content: "<1>\n<2>\n<3>", results: ["<1>", "<2>", "<3>"] });
    assert.equal(stepsOf(run.events), "start each x x x end");
  });

  it("runs so many items at once, with the results in the order of the items", async () => {
    const { services, active } = api();
    const run = await iterate({ concurrency: 3 }, [1, 2, 3, 4, 5, 6], { services });
    assert.equal(active.most, 3);
    const finished = run.events.flatMap((event) =>
      event.type === "node-completed" && event.nodeId === "x" ? [event.nodeKey] : [],
    );
    assert.notDeepEqual(finished, finished.toSorted());
    assert.equal(run.text, "<1>\n<2>\n<3>\n<4>\n<5>\n<6>");
  });

  it("reads its items from a list, its JSON text, and the words around it", async () => {
    const reads: [Json, string][] = [
      [["a", "b"], "a\nb"],
      ['["a", "b"]', "a\nb"],
      ['Here you are:\n```json\n[{"n": 1}, {"n": 2}]\n```\n', '{"n":1}\n{"n":2}'],
      [[], ""],
      ["[]", ""],
      [[[1], [2, 3]], "[1]\n[2,3]"],
    ];
    for (const [items, text] of reads) {
      const nodes = { each: each({}), x: say("{{ $iteration }}", {}, "each"), end: say("{{ each }}") };
      const run = await runFlow(flowOf(nodes, "start>each each>end"), { input: { form: { items } } });
      assert.equal(run.text, text, JSON.stringify(items));
    }
  });

  it("gives its steps the item with its type, falsy ones too, and its parts", async () => {
    const items = [0, "", false, null, { n: { m: [7] } }];
    const condition = { type: "number", left: "{{ $iteration.n.m[0] }}", operation: "equal", right: 7 };
    const nodes = {
      each: each({}),
      c: { type: "condition", config: { branches: [{ id: "yes", conditions: [condition] }] }, within: "each" },
      yes: say("yes", { kept: "{{ $iteration }}" }, "each"),
      no: say("[{{ $iteration }}]", {}, "each"),
      end: say("{{ $flow.state.kept }}"),
    };
    const run = await runFlow(flowOf(nodes, "start>each each>end c:yes>yes c:else>no"), { input: { form: { items } } });
    assert.deepEqual((run.outputOf("each") as { results: Json }).results, ["[0]", "[]", "[false]", "[]", "yes"]);
    assert.equal(run.text, '{"n":{"m":[7]}}');
  });

  it("fails when its items are no list", async () => {
    for (const items of ["", "a, b", { a: 1 }, 3, null, "[1,", `${"[".repeat(300)}${"]".repeat(300)}`]) {
      const run = await iterate({}, items as Json);
      assert.equal(run.outcome, "failed", JSON.stringify(items));
      assert.match(run.error?.message ?? "", /^each: its items are not a list/);
      assert.equal(stepsOf(run.events), "start each");
    }
  });

  it("stops at an item that fails, and goes on at the error port", async () => {
    const { services, called } = api(["2"]);
    const stopped = await iterate({}, [1, 2, 3], { services });
    assert.equal(stopped.error?.code, "egress-failed");
    assert.deepEqual(called, ["1", "2"]);
    const nodes = { each: each({}), x: call(), caught: say("{{ each.output.error.message }}") };
    const caught = await runFlow(flowOf(nodes, "start>each each:error>caught"), {
      input: { form: { items: [1, 2, 3] } },
      services: api(["2"]).services,
    });
    assert.match(caught.text ?? "", /\/2 failed: down/);
  });

  it("leaves out what failed, or gives what went wrong as its result", async () => {
    const skipped = await iterate({ onItemError: "skip" }, [1, 2, 3], { services: api(["2"]).services });
    assert.deepEqual((skipped.outputOf("each") as { results: Json }).results, ["<1>", "<3>"]);
    assert.match(skipped.warnings[0] ?? "", /^each: 1 of 3 failed\. Item 2: /);
    const collected = await iterate({ onItemError: "collect" }, [1, 2, 3], { services: api(["1", "3"]).services });
    const { results } = collected.outputOf("each") as { results: string[] };
    assert.match(results[0] ?? "", /^Item 1 failed: .*down/);
    assert.equal(results[1], "<2>");
    assert.match(results[2] ?? "", /^Item 3 failed: /);
    assert.equal(collected.warnings.length, 1);
    const all = await iterate({ onItemError: "skip", concurrency: 2 }, [1, 2], { services: api(["1", "2"]).services });
    assert.equal(all.outcome, "completed");
    assert.equal(all.text, "");
  });

  it("catches inside of an item what its own error ports catch", async () => {
    const nodes = {
      each: each({ onItemError: "skip" }),
      x: call(),
      caught: say("caught {{ $iteration }}", {}, "each"),
      end: say("{{ each }}"),
    };
    const run = await runFlow(flowOf(nodes, "start>each each>end x:error>caught"), {
      input: { form: { items: [1, 2] } },
      services: api(["2"]).services,
    });
    assert.deepEqual((run.outputOf("each") as { results: Json }).results, ["<1>", "caught 2"]);
    assert.equal(run.warnings.length, 0);
  });

  it("retries a step of an item, and never the items that finished", async () => {
    let attempts = 0;
    const http: NodeServices["http"] = {
      async request({ url }) {
        attempts += 1;
        if (attempts === 2) throw new WeftError("egress-failed", { params: { url, reason: "down" } });
        return ok(url.slice(-1));
      },
    };
    const nodes = {
      each: each({}),
      x: call({ onFailure: { retries: 1, retryDelayMs: 100 } }),
      end: say("{{ each }}"),
    };
    const run = await runFlow(flowOf(nodes, "start>each each>end"), {
      input: { form: { items: [1, 2] } },
      services: { http },
    });
    assert.equal(run.text, "1\n2");
    assert.equal(attempts, 3);
    const { findings } = compileFlow(
      flowOf({ each: each({ onFailure: { retries: 1 } }), x: call() }, "start>each"),
      nodeRegistry,
    );
    assert.deepEqual(
      findings.map(({ code }) => code),
      ["node-config-invalid"],
    );
  });

  it("iterates inside of an iteration", async () => {
    const nodes = {
      each: each({ concurrency: 2 }),
      outer: say("{{ $iteration.name }}", {}, "each"),
      inner: each({ items: "{{ $iteration.parts }}", concurrency: 2 }, "each"),
      x: say("{{ outer }}{{ $iteration }}", {}, "inner"),
      last: say("{{ inner }} ({{ x }})", {}, "each"),
      end: say("{{ each }} / {{ x }}"),
    };
    const items = [
      { name: "a", parts: [1, 2] },
      { name: "b", parts: [] },
      { name: "c", parts: [3] },
    ];
    const run = await runFlow(flowOf(nodes, "start>each each>end outer>inner inner>last"), {
      input: { form: { items } },
    });
    assert.deepEqual((run.outputOf("each") as { results: Json }).results, ["a1\na2 (a2)", " ()", "c3 (c3)"]);
    assert.equal(run.text, "a1\na2 (a2)\n ()\nc3 (c3) / c3");
  });

  it("ends the outer item alone when an inner item fails", async () => {
    const nodes = {
      each: each({ onItemError: "collect" }),
      inner: each({ items: "{{ $iteration }}" }, "each"),
      x: { ...call(), within: "inner" },
      end: say("{{ each }}"),
    };
    const run = await runFlow(flowOf(nodes, "start>each each>end"), {
      input: { form: { items: [[1, 2], [3], [4]] } },
      services: api(["2", "3"]).services,
    });
    const { results } = run.outputOf("each") as { results: string[] };
    assert.match(results[0] ?? "", /^Item 1 failed: /);
    assert.match(results[1] ?? "", /^Item 2 failed: /);
    assert.equal(results[2], "<4>");
  });

  it("lets the items share the state, and later steps read the last item's", async () => {
    const nodes = {
      each: each({}),
      x: say("{{ $iteration }}", { seen: "{{ $flow.state.seen }}{{ output }}" }, "each"),
      end: say("{{ $flow.state.seen }} {{ x }} {{ x.output.content }}"),
    };
    const flow = flowOf(nodes, "start>each each>end");
    const run = await runFlow(flow, { input: { form: { items: ["a", "b", "c"] } } });
    assert.equal(run.text, "abc c c");
  });

  it("lets no item hear what another said, and no later step hear any", async () => {
    const model = createScriptedModel([{ text: "ok" }]);
    const nodes = {
      first: { type: "llm", config: { prompt: "first" } },
      each: each({ items: "[1, 2]", concurrency: 2 }),
      x: { type: "llm", config: { prompt: "{{ $iteration }}" }, within: "each" },
      y: { type: "llm", config: { prompt: "again" }, within: "each" },
      last: { type: "llm", config: { prompt: "last" } },
    };
    await runFlow(flowOf(nodes, "start>first first>each each>last x>y"), { services: modelServices(model) });
    const heard = model.calls.map(({ messages }) => messages.map(({ content }) => content).join(" "));
    assert.deepEqual(heard.toSorted(), [
      "first",
      "first ok 1",
      "first ok 1 ok again",
      "first ok 2",
      "first ok 2 ok again",
      "first ok last",
    ]);
  });

  it("passes data of structured answers on as data", async () => {
    const model = createScriptedModel([{ text: '{"n": 1}' }]);
    const nodes = {
      each: each({ items: "[1, 2]" }),
      x: { type: "llm", config: { structuredOutput: [{ name: "n", type: "number" }] }, within: "each" },
      end: say("{{ each.output.results[1].n }}"),
    };
    const run = await runFlow(flowOf(nodes, "start>each each>end"), { services: modelServices(model) });
    assert.deepEqual((run.outputOf("each") as { results: Json }).results, [{ n: 1 }, { n: 1 }]);
    assert.equal(run.text, "1");
  });

  it("ends in a clear state when there are more items than steps", async () => {
    const items = Array.from({ length: 10_001 }, (_, index) => index);
    const run = await iterate({}, items);
    assert.equal(run.error?.code, "budget-steps");
    assert.match(run.error?.message ?? "", /10001 items/);
  });

  it("goes on with the items that are left after a crash", async () => {
    const entered = Promise.withResolvers<void>();
    const called: string[] = [];
    const http: NodeServices["http"] = {
      async request({ url }) {
        called.push(url.slice(-1));
        if (called.length === 2) {
          entered.resolve();
          return new Promise<never>(() => undefined);
        }
        return ok(url.slice(-1));
      },
    };
    const nodes = { each: each({}), x: call(), end: say("{{ each }}") };
    const process = createFlowProcess(flowOf(nodes, "start>each each>end"), {
      input: { form: { items: [1, 2, 3] } },
      services: { http },
    });
    process.start();
    await entered.promise;
    assert.equal(await process.recover().done, "completed");
    const end = process.events().at(-1);
    assert.equal(end?.type === "run-completed" && end.text, "1\n2\n3");
    assert.deepEqual(called, ["1", "2", "2", "3"]);
  });

  it("warns of an iteration without steps", () => {
    const { findings } = compileFlow(flowOf({ each: each({}) }, "start>each"), nodeRegistry);
    assert.deepEqual(
      findings.map(({ level, code, nodeId }) => [level, code, nodeId]),
      [["warning", "iteration-empty", "each"]],
    );
  });
});
