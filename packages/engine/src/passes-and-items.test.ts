import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type RunEvent, WeftError } from "@weft/schema";
import { compileFlow } from "./flow/compile-flow.ts";
import type { NodeResult } from "./node-type.ts";
import { applyEvent } from "./run/fold.ts";
import { openWaits } from "./run/readiness.ts";
import { emptyRunState, turnText } from "./run/run-state.ts";
import { assertJournal } from "./testing/fault.ts";
import { createMemoryJournal } from "./testing/memory-journal.ts";
import {
  type Behaviours,
  completed,
  createTestProcess,
  runId,
  testFlow,
  testRegistry,
  valuesOf,
} from "./testing/test-process.ts";

type Behaviour = NonNullable<Behaviours[string]>;

const failure = (reason: string, retryable = false) =>
  new WeftError(retryable ? "egress-failed" : "flow-node-failed", { params: { url: "x", reason } });

const spawn = (items: number[], more: object = {}): Behaviour => {
  const spawned = { type: "spawn", items, concurrency: items.length, ...more } as NodeResult;
  return (context) => (context.spawned ? completed(valuesOf(context.spawned)) : spawned);
};

const ask: Behaviour = (context) =>
  context.answer === undefined ? { type: "suspend", text: context.nodeKey, details: {} } : completed(context.answer);

/** Waits until everything else that can happen has happened. */
async function others(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await null;
}

function textOf(events: readonly RunEvent[]): string | undefined {
  const end = events.at(-1);
  return end?.type === "run-completed" ? end.text : undefined;
}

function started(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => (event.type === "node-started" ? [event.nodeKey] : []));
}

function waitsOf(flow: string, events: readonly RunEvent[]) {
  const state = emptyRunState();
  const { graph } = compileFlow(flow, testRegistry({}));
  for (const event of events) applyEvent(state, graph, event);
  return openWaits(state);
}

function assertDense(events: readonly RunEvent[]): void {
  for (const [index, event] of events.entries()) assert.equal(event.seq, index + 1);
}

describe("passes", () => {
  it("forgets a retry that a jump overtakes", async () => {
    let failed = 0;
    const process = createTestProcess({
      flow: testFlow("start>a a>slow a>c", { slow: { onFailure: { retries: 1, retryDelayMs: 1_000 } } }),
      behaviours: {
        slow: () => {
          failed += 1;
          if (failed === 1) throw failure("reset", true);
          return completed("slow");
        },
        c: async (context) => {
          await others();
          return context.nodeKey === "c#0" ? { type: "jump", to: "a", output: null } : completed("c");
        },
      },
    });
    assert.equal(await process.start().done, "completed");
    assert.deepEqual(process.bugs, []);
    assertDense(process.events());
    assert.deepEqual(started(process.events()), ["start#0", "a#0", "slow#0", "c#0", "a#1", "slow#1", "c#1"]);
  });

  it("forgets the wait of an earlier pass", async () => {
    const flow = testFlow("start>a a>ask a>c");
    const process = createTestProcess({
      flow,
      behaviours: {
        ask: (context) => (context.nodeKey === "ask#0" ? ask(context) : completed("asked")),
        c: async (context) => {
          await others();
          return context.nodeKey === "c#0" ? { type: "jump", to: "a", output: null } : completed("c");
        },
      },
    });
    assert.equal(await process.start().done, "completed");
    assert.equal(textOf(process.events()), "c");
  });

  it("forgets the items of an earlier pass", async () => {
    const release = Promise.withResolvers<void>();
    const process = createTestProcess({
      flow: testFlow("start>a a>each a>c x@each"),
      behaviours: {
        each: (context) => spawn([1])(context),
        x: async (context) => {
          if (context.nodeKey.startsWith("each#0")) await release.promise;
          return completed("x", { state: { [context.nodeKey]: true } });
        },
        c: async (context) => {
          await others();
          if (context.nodeKey === "c#0") return { type: "jump", to: "a", output: null };
          release.resolve();
          await others();
          return completed(context.state);
        },
      },
      limits: { concurrency: 10 },
    });
    assert.equal(await process.start().done, "completed");
    assert.equal(textOf(process.events()), '{"each#1[0]/x#0":true}');
    assertDense(process.events());
  });

  it("fails a step that goes back to none beside it", async () => {
    for (const to of ["gone", "x", "start2"]) {
      const process = createTestProcess({
        flow: testFlow("start>a a>each each>b b:error>caught x@each"),
        behaviours: {
          each: spawn([1]),
          b: () => ({ type: "jump", to, output: null }),
          caught: (context) => completed(context.render("{{ b.output.error.message }}")),
        },
      });
      assert.equal(await process.start().done, "completed");
      assert.match(
        textOf(process.events()) ?? "",
        new RegExp(`^b goes back to "${to}", which is not a step at the same level`),
      );
    }
  });

  it("tells a node how often it has jumped, and begins anew after a jump from further up", async () => {
    const seen: string[] = [];
    const process = createTestProcess({
      flow: testFlow("start>a a>b b>inner inner>outer"),
      behaviours: {
        inner: (context) => {
          seen.push(`inner ${context.jumps}`);
          return context.jumps < 1 ? { type: "jump", to: "b", output: null } : completed(null);
        },
        outer: (context) => {
          seen.push(`outer ${context.jumps}`);
          return context.jumps < 2 ? { type: "jump", to: "a", output: null } : completed(null);
        },
      },
    });
    await process.start().done;
    const pass = ["inner 0", "inner 1"];
    assert.deepEqual(seen, [...pass, "outer 0", ...pass, "outer 1", ...pass, "outer 2"]);
  });
});

describe("items", () => {
  it("waits for a human in several items at once, each answered once", async () => {
    const flow = testFlow("start>each each>end ask@each>y@each");
    const behaviours: Behaviours = {
      each: spawn([1, 2, 3], { concurrency: 2 }),
      ask,
      y: (context) => completed(context.renderText("{{ $iteration }}{{ ask }}")),
      end: (context) => completed(context.render("{{ each }}")),
    };
    const process = createTestProcess({ flow, behaviours });
    assert.equal(await process.start().done, "suspended");
    const asked = () => waitsOf(flow, process.events()).map(({ nodeKey }) => nodeKey);
    assert.deepEqual(asked(), ["each#0[0]/ask#0", "each#0[1]/ask#0"]);
    const answer = async (nodeKey: string) => {
      const { wait } = waitsOf(flow, process.events()).find((open) => open.nodeKey === nodeKey) ?? {};
      const resume = { nodeKey, nodeId: "ask", waitId: wait?.waitId ?? "", answer: nodeKey.slice(7, 8) };
      return process.recover({ resume }).done;
    };
    assert.equal(await answer("each#0[1]/ask#0"), "suspended");
    assert.deepEqual(asked(), ["each#0[0]/ask#0", "each#0[2]/ask#0"]);
    assert.equal(await answer("each#0[0]/ask#0"), "suspended");
    assert.equal(await answer("each#0[2]/ask#0"), "completed");
    assert.equal(textOf(process.events()), '["10","21","32"]');
    assertDense(process.events());
  });

  it("waits for nobody in items that another item's failure left behind", async () => {
    const flow = testFlow("start>each each:error>caught ask@each>x@each");
    const process = createTestProcess({
      flow,
      behaviours: {
        each: spawn([1, 2]),
        ask: async (context) => {
          if (context.nodeKey === "each#0[0]/ask#0") return ask(context);
          await others();
          throw failure("item broke");
        },
      },
    });
    assert.equal(await process.start().done, "completed");
    assert.equal(textOf(process.events()), "caught ran");
    assert.deepEqual(waitsOf(flow, process.events()), []);
  });

  it("waits for nobody in a run that is over", async () => {
    const flow = testFlow("start>ask start>b");
    const behaviours: Behaviours = {
      ask,
      b: async () => {
        await others();
        throw failure("b broke");
      },
    };
    const process = createTestProcess({ flow, behaviours });
    assert.equal(await process.start().done, "failed");
    assert.deepEqual(waitsOf(flow, process.events()), []);
  });

  it("ignores an answer to what is not waited for", async () => {
    const flow = testFlow("start>ask ask>a");
    const process = createTestProcess({ flow, behaviours: { ask } });
    await process.start().done;
    const resume = { nodeKey: "ask#0", nodeId: "ask", waitId: "another", answer: "no" };
    assert.equal(await process.recover({ resume }).done, "suspended");
    const [open] = waitsOf(flow, process.events());
    const answered = { ...resume, waitId: open?.wait.waitId ?? "" };
    assert.equal(await process.recover({ resume: answered }).done, "completed");
    assert.deepEqual(started(process.events()), ["start#0", "ask#0", "a#0"]);
  });

  it("gives failures as results where they are tolerated", async () => {
    const process = createTestProcess({
      flow: testFlow("start>each each>end x@each"),
      behaviours: {
        each: (context) =>
          context.spawned
            ? completed(context.spawned.map((item) => (item.ok ? item.value : item.error.message)))
            : { type: "spawn", items: [1, 2, 3], concurrency: 1, toleratesFailures: true },
        x: (context) => {
          if (context.render("{{ $iteration }}") === 2) throw failure("two");
          return completed(context.render("{{ $iteration }}"));
        },
        end: (context) => completed(context.render("{{ each }}")),
      },
    });
    assert.equal(await process.start().done, "completed");
    assert.equal(textOf(process.events()), '[1,"two",3]');
  });

  it("does not begin items again when one fails, whatever the retries say", async () => {
    const process = createTestProcess({
      flow: testFlow("start>each x@each", { each: { onFailure: { retries: 3, retryDelayMs: 0 } } }),
      behaviours: {
        each: spawn([1]),
        x: () => {
          throw failure("reset", true);
        },
      },
    });
    assert.equal(await process.start().done, "failed");
    assert.deepEqual(started(process.events()), ["start#0", "each#0", "each#0[0]/x#0"]);
  });

  it("forgets the items of a sub-flow that is done", async () => {
    const process = createTestProcess({
      flow: testFlow("start>each each>end inner@each y@inner"),
      behaviours: {
        each: spawn([1, 2]),
        inner: spawn([3, 4]),
        y: (context) => completed(context.render("{{ $iteration }}")),
        end: (context) => completed(context.render("{{ y }}")),
      },
    });
    const run = process.start();
    assert.equal(await run.done, "completed");
    assert.equal(textOf(process.events()), "4");
    assert.deepEqual([...run.state.scopes.keys()], [""]);
    assert.deepEqual([...run.state.outputs.keys()].toSorted(), ["each", "end", "inner", "start", "y"]);
  });
});

describe("a run of passes and items", () => {
  const flow = testFlow("start>a a>each each>l inner@each>y@each x@inner>lx@inner");
  const behaviours: Behaviours = {
    each: spawn([1, 2], { concurrency: 2 }),
    inner: spawn([3, 4, 5], { concurrency: 2 }),
    x: async (context) => {
      const spec = { key: "r", kind: "read", category: "http", name: "GET", input: null } as const;
      await context.effect(spec, async () => 1);
      return completed(context.nodeKey, { messages: [{ role: "apiMessage", content: context.nodeKey }] });
    },
    lx: (context) =>
      context.jumps < 1 ? { type: "jump", to: "x", output: null } : completed(context.render("{{ x }}")),
    y: (context) => completed(context.render("{{ inner }}")),
    l: (context) =>
      context.jumps < 1 ? { type: "jump", to: "a", output: null } : completed(context.render("{{ each }}")),
  };

  it("leaves a journal whose fold is the run's state, and goes on alike from every prefix of it", async () => {
    const process = createTestProcess({ flow, behaviours });
    const run = process.start();
    assert.equal(await run.done, "completed");
    const events = process.events();
    const { graph } = compileFlow(flow, testRegistry(behaviours));
    const state = emptyRunState();
    for (const event of structuredClone(events)) applyEvent(state, graph, event);
    assert.deepEqual(run.state, state);
    for (let length = 1; length < events.length; length += 1) {
      const journal = createMemoryJournal();
      await journal.append({ runId, epoch: journal.takeOver(runId), events: events.slice(0, length) });
      const recovered = createTestProcess({ flow, behaviours, journal });
      assert.equal(await recovered.recover().done, "completed");
      assert.equal(textOf(recovered.events()), textOf(events));
      assertJournal(recovered.events(), `prefix of ${length}`);
      assert.deepEqual(started(recovered.events()).toSorted(), started(events).toSorted());
    }
  });
});

describe("the answer of a run", () => {
  const answersOf = (events: readonly RunEvent[]) =>
    events.flatMap((event) => (event.type === "node-started" && event.isAnswer ? [event.nodeId] : []));

  it("is that of a step whose error port alone is connected", async () => {
    const flow = testFlow("start>a a:error>reply reply>b");
    const fine = createTestProcess({ flow, behaviours: { a: () => completed("fine") } });
    await fine.start().done;
    assert.equal(textOf(fine.events()), "fine");
    assert.deepEqual(answersOf(fine.events()), ["a"]);
    const broken = createTestProcess({
      flow,
      behaviours: {
        a: () => {
          throw failure("broken");
        },
      },
    });
    await broken.start().done;
    assert.equal(textOf(broken.events()), "b ran");
    assert.deepEqual(answersOf(broken.events()), ["a", "b"]);
  });

  it("begins with what steps that always speak said on the way, in order, at any depth", async () => {
    const flow = testFlow("start>reply reply>a a>each x@each each>quiet", {
      reply: { reply: "always" },
      a: { reply: "always" },
      x: { reply: "always" },
      quiet: { reply: "never" },
    });
    const process = createTestProcess({
      flow,
      behaviours: { each: spawn([1, 2]), x: (context) => completed(context.render("item {{ $iteration }}")) },
    });
    await process.start().done;
    assert.equal(textOf(process.events()), "reply ran\n\na ran\n\nitem 1\n\nitem 2");
    assert.deepEqual(answersOf(process.events()), ["reply", "a", "x", "x"]);
  });

  it("begins again once the run has been answered with a question", async () => {
    const process = createTestProcess({
      flow: testFlow("start>reply reply>ask ask>b", { reply: { reply: "always" } }),
      behaviours: {
        ask: ({ answer }) =>
          answer === undefined ? { type: "suspend", text: "Which?", details: {} } : completed("heard"),
      },
    });
    const handle = process.start();
    assert.equal(await handle.done, "suspended");
    assert.equal(turnText(handle.state, "Which?"), "reply ran\n\nWhich?");
    const waitId = openWaits(handle.state)[0]?.wait.waitId ?? "";
    const resumed = process.recover({ resume: { nodeKey: "ask#0", nodeId: "ask", waitId, answer: "this" } });
    assert.equal(await resumed.done, "completed");
    assert.equal(textOf(process.events()), "b ran");
  });

  it("leaves out what a step says that never speaks, whatever else ends", async () => {
    const silent = createTestProcess({ flow: testFlow("start>a", { a: { reply: "never" } }) });
    await silent.start().done;
    assert.equal(textOf(silent.events()), "");
    const beside = createTestProcess({ flow: testFlow("start>a start>b", { b: { reply: "never" } }) });
    await beside.start().done;
    assert.equal(textOf(beside.events()), "a ran");
    assert.deepEqual(answersOf(beside.events()), ["a"]);
  });

  it("is not streamed where a step behind the error port can run without the failure", async () => {
    const process = createTestProcess({ flow: testFlow("start>a start>b a:error>c b>c"), limits: { concurrency: 1 } });
    await process.start().done;
    assert.equal(textOf(process.events()), "c ran");
    assert.ok(!answersOf(process.events()).includes("a"));
  });

  it("is that of a branch that ends because nothing is connected to its port", async () => {
    const process = createTestProcess({
      flow: testFlow("start>ask ask:left>a"),
      behaviours: { ask: () => ({ type: "branch", ports: ["right"], output: "rejected" }) },
    });
    await process.start().done;
    assert.equal(textOf(process.events()), "rejected");
    const warnings = process.events().flatMap((event) => (event.type === "run-warned" ? [event.message] : []));
    assert.deepEqual(warnings, ['ask: nothing is connected to "right", so this branch ends here.']);
  });
});
