import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json, RunEvent, RunEventBody } from "@weft/schema";
import fc from "fast-check";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { createRun, started } from "../host/testing/store-runs.ts";
import { readFlowState, readRunInput } from "./earlier-run.store.ts";
import { fromEventRow, toEventRow } from "./event-row.ts";
import { createRunStore } from "./run.store.ts";
import { createRunTailStore } from "./run-tail.store.ts";

const runId = "01a20aac-8872-73c4-9111-c06bfc5302d2";
const at = Date.parse("2025-06-01T12:00:00.000Z");

/** As JSON keeps it: no -0, no undefined. */
const jsons = fc.jsonValue({ stringUnit: "binary" }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
const texts = fc.string({ unit: "binary" });
const ids = fc.oneof(fc.constantFrom("a", "node_0", "a/b", "c#1", "#", "/", ""), texts);
const nodes = fc.oneof(
  ids.map((nodeId) => ({ nodeId, nodeKey: `${nodeId}#0` })),
  ids.map((nodeId) => ({ nodeId, nodeKey: `loop_0#1[3]/${nodeId}#12` })),
  fc.record({ nodeId: ids, nodeKey: ids }),
);
const chats = fc.oneof(
  texts.map((id) => ({ chatId: id, sessionId: id })),
  fc.record({ chatId: texts, sessionId: texts }),
);
const outcomes = jsons.map((value) => ({ ok: true as const, value }));
const bodies: fc.Arbitrary<RunEventBody> = fc.oneof(
  fc.tuple(chats, jsons).map(([chat, value]) => ({
    ...{ type: "run-started" as const, agentId: "agent", flowVersionId: "version", chatType: "EXTERNAL" as const },
    ...{ ...chat, userMessageId: "u", apiMessageId: "a", depth: 0, input: { form: { value } } },
  })),
  fc.tuple(nodes, jsons, texts).map(([node, output, text]) => ({
    ...{ type: "node-completed" as const, ...node, output, text },
    messages: [{ role: "apiMessage" as const, content: text }],
  })),
  nodes.map((node) => ({ type: "node-started" as const, ...node, attempt: 1 })),
  fc.tuple(nodes, jsons).map(([node, answer]) => ({ type: "node-resumed" as const, ...node, waitId: "w", answer })),
  fc.tuple(nodes, outcomes).map(([{ nodeKey }, outcome]) => ({
    ...{ type: "effect-finished" as const, nodeKey, effectKey: "model-0", outcome },
  })),
  texts.map((text) => ({ type: "run-warned" as const, code: text, message: text })),
  fc.constant({ type: "run-cancelled" as const }),
);
const events: fc.Arbitrary<RunEvent> = fc
  .record({ body: bodies, seq: fc.integer({ min: 1 }), at: fc.maxSafeNat() })
  .map(({ body, seq, at }) => ({ ...body, seq, at }));

describe("the row of an event", () => {
  test("restores every event", () => {
    fc.assert(
      fc.property(events, (event) => {
        const row = toEventRow(runId, event);
        assert.deepEqual(fromEventRow(row), event);
        assert.deepEqual(toEventRow(runId, fromEventRow(row)).event.length, row.event.length);
      }),
    );
  });

  test("keeps no copy of its columns, nor of ids that follow from others", () => {
    const node = { nodeKey: "loop_0#0[2]/node_0#1", nodeId: "node_0" };
    const row = toEventRow(runId, { type: "node-started", ...node, attempt: 1, seq: 4, at });
    assert.deepEqual(
      { ...row, event: JSON.parse(row.event) },
      {
        ...{ runId, seq: 4, at, type: "node-started" },
        event: { nodeKey: node.nodeKey, attempt: 1 },
      },
    );
    const other = toEventRow(runId, { type: "node-started", ...node, nodeId: "node_1", attempt: 1, seq: 4, at });
    assert.equal(JSON.parse(other.event).nodeId, "node_1");
  });

  test("is read as it stands where it is from before and holds the whole event", () => {
    fc.assert(
      fc.property(events, (event) => {
        const { seq, at, type } = event;
        assert.deepEqual(fromEventRow({ runId, seq, at, type, event: JSON.stringify(event) }), event);
      }),
    );
  });

  test("names the event that cannot be read", () => {
    const row = toEventRow(runId, { type: "run-cancelled", seq: 7, at });
    for (const event of ["", '{"text":"cut o', "zzz"]) {
      assert.throws(() => fromEventRow({ ...row, event }), {
        message: `Event 7 of run ${runId} cannot be read`,
      });
    }
  });
});

await forEachDatabase(({ openTestDatabase }) => {
  test("events that were stored whole are read beside those that are not", async (t) => {
    const database = await openTestDatabase(t);
    const store = createRunStore({ database, project: () => [] });
    const run = await createRun(store);
    const first = { ...started(run), seq: 1, at } as const;
    await database.write((tx) =>
      tx
        .updateTable("runEvents")
        .set({ event: JSON.stringify(first), at })
        .where("runId", "=", run.id)
        .execute(),
    );
    const completed = (seq: number, state: { [name: string]: Json }) =>
      ({ type: "node-completed", nodeKey: "a#0", nodeId: "a", output: "Å\u0000", state, seq, at }) as const;
    await database.write((tx) =>
      tx
        .insertInto("runEvents")
        .values({ runId: run.id, seq: 2, at, type: "node-completed", event: JSON.stringify(completed(2, { one: 1 })) })
        .execute(),
    );
    await database.write((tx) => tx.updateTable("runs").set({ lastSeq: 2 }).where("id", "=", run.id).execute());
    await store.append({ runId: run.id, epoch: 1, events: [completed(3, { two: 2 })] });
    const all = [first, completed(2, { one: 1 }), completed(3, { two: 2 })];
    assert.deepEqual((await store.load(run.id))?.events, all);
    assert.deepEqual(await createRunTailStore(database.read).eventsAfter(run.id, 1), all.slice(1));
    assert.deepEqual(await readFlowState(database.read, run.id), { one: 1, two: 2 });
    assert.deepEqual(await readRunInput(database.read, run.id), { question: "?" });
  });
});
