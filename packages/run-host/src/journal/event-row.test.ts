import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import { everything } from "@weft/http/identity";
import type { Json, RunEvent, RunEventBody } from "@weft/schema";
import fc from "fast-check";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { listLong } from "../executions/retention.ts";
import { createRun, journal, started } from "../host/testing/store-runs.ts";
import { fromEventRow, toEventRow, toEventRows } from "./event-row.ts";
import { createRunStore } from "./run.store.ts";
import { createRunTailStore, readFlowState, readRunInput } from "./run-reads.ts";

const runId = "01a20aac-8872-73c4-9111-c06bfc5302d2";
const at = Date.parse("2025-06-01T12:00:00.000Z");

/** As JSON keeps it: no -0, no undefined. */
const jsons = fc.jsonValue({ stringUnit: "binary" }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
const texts = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.tuple(fc.string({ unit: "binary", minLength: 1 }), fc.integer({ min: 1, max: 5_000 })).map(([part, times]) => {
    return part.repeat(times);
  }),
);
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

  test("is packed over 4 KB where that makes it shorter, unless a query looks into it", () => {
    const warned = (message: string): RunEvent => ({ type: "run-warned", code: "test", message, seq: 2, at });
    const frame = toEventRow(runId, warned("")).event.length;
    const plain = toEventRow(runId, warned("x".repeat(4_096 - frame)));
    assert.equal(plain.event.length, 4_096);
    assert.match(plain.event, /^\{/);
    const packed = toEventRow(runId, warned("x".repeat(4_097 - frame)));
    assert.match(packed.event, /^z00004097[A-Za-z0-9+/=]{1,100}$/);
    assert.match(toEventRow(runId, warned("日本".repeat(1_000))).event, /^z0000/);
    const noise = warned(randomBytes(9_000).toString("base64"));
    assert.match(toEventRow(runId, noise).event, /^\{/);
    const answered = { type: "node-resumed", nodeKey: "a#0", nodeId: "a", waitId: "w" } as const;
    const resumed = toEventRow(runId, { ...answered, answer: "x".repeat(9_000), resumedBy: "signal", seq: 2, at });
    assert.match(resumed.event, /,"resumedBy":"signal"/);
  });

  test("is not unpacked where it is damaged or would grow beyond its size", () => {
    const message = "Once upon a time. ".repeat(1_000);
    const row = toEventRow(runId, { type: "run-warned", code: "test", message, seq: 7, at });
    const size = Number(row.event.slice(1, 9));
    const withSize = (bytes: number) => `z${String(bytes).padStart(8, "0")}${row.event.slice(9)}`;
    assert.deepEqual(fromEventRow({ ...row, event: withSize(size) }), fromEventRow(row));
    const { event } = row;
    const broken = ["z", "zABCDEFGHxyz", event.slice(0, 9), event.slice(0, -20), `${event.slice(0, 30)}AAAA`];
    for (const text of [...broken, withSize(size - 1), withSize(size + 1), withSize(1), withSize(0)]) {
      assert.throws(
        () => fromEventRow({ ...row, event: text }),
        { message: `Event 7 of run ${runId} cannot be read` },
        text.slice(0, 60),
      );
    }
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
  test("events of all sizes are loaded as they were appended", async (t) => {
    const database = await openTestDatabase(t);
    const store = createRunStore({ database, project: () => [] });
    const appended = bodies.filter(({ type }) => !["run-started", "run-cancelled", "node-resumed"].includes(type));
    await fc.assert(
      fc.asyncProperty(fc.array(appended, { minLength: 1, maxLength: 8 }), async (some) => {
        const run = await createRun(store);
        const events = some.map((body, index) => ({ ...body, seq: index + 2, at: at + index }));
        await store.append({ runId: run.id, epoch: 1, events });
        assert.deepEqual((await store.load(run.id))?.events.slice(1), events);
      }),
      { numRuns: 25 },
    );
  });

  test("long events are found by what they hold, and answers by who gave them, packed or not", async (t) => {
    const database = await openTestDatabase(t);
    const store = createRunStore({ database, project: () => [] });
    const long = "x".repeat(70_000);
    const noise = randomBytes(60_000).toString("base64");
    const run = await createRun(store);
    const finished = (value: Json) =>
      ({ type: "effect-finished", nodeKey: "a#0", effectKey: "e", outcome: { ok: true, value } }) as const;
    const values = ["short", long, noise, long.slice(0, 60_000), noise.slice(0, 60_000)];
    await store.append({ runId: run.id, epoch: 1, events: journal(2, ...values.map(finished)) });
    const found = await listLong(database.read, [run.id]);
    assert.deepEqual(
      found,
      [3, 4].map((seq) => ({ runId: run.id, seq })),
    );

    const chat = { agentId: run.agentId, chatId: run.chatId, reach: everything };
    const wait = { waitId: "w", nodeId: "a", text: "?", details: {} };
    const ask = [{ type: "node-suspended", nodeKey: "a#0", nodeId: "a", wait }, { type: "run-suspended" }] as const;
    await store.append({ runId: run.id, epoch: 1, events: journal(7, ...ask) });
    for (const resumedBy of ["signal", undefined] as const) {
      await database.write((tx) => tx.deleteFrom("runEvents").where("type", "=", "node-resumed").execute());
      const answer = { type: "node-resumed", nodeKey: "a#0", nodeId: "a", waitId: "w", answer: long } as const;
      const event = { ...answer, ...(resumedBy && { resumedBy }), seq: 9, at };
      await database.write((tx) => tx.insertInto("runEvents").values(toEventRow(run.id, event)).execute());
      assert.equal(await store.hasAnswer(chat), resumedBy === undefined);
    }
  });

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

test("long events are written in pieces, with turns for others in between, and restored exactly", async () => {
  const list = Array.from({ length: 50_000 }, (_, id) => ({ id, name: `Customer ${id} – Zoë 😀` }));
  const outcomes: Json[] = [list, "x".repeat(3_000_000), "short", { nested: { list } }];
  const events = outcomes.map((value, index): RunEvent => {
    const outcome = { ok: true as const, value };
    return { type: "effect-finished", nodeKey: "a#0", effectKey: "http", outcome, seq: index + 1, at };
  });
  let turns = 0;
  const count = () => {
    turns += 1;
    again = setImmediate(count);
  };
  let again = setImmediate(count);
  const rows = await toEventRows(runId, events).finally(() => clearImmediate(again));
  assert.deepEqual(await toEventRows(runId, events), rows, "equal events have equal texts");
  assert.ok(turns > 30, `${turns} turns`);
  assert.deepEqual(rows.map(fromEventRow), events);
});
