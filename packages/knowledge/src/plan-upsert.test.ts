import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { JsonObject } from "@weft/schema";
import fc from "fast-check";
import {
  type ChunkRecord,
  hashChunk,
  planUpsert,
  type SourceChunk,
  type UpsertRequest,
  type UpsertStep,
} from "./plan-upsert.ts";

const hash = (text: string) => createHash("sha256").update(text).digest("hex");

const of = (source: string, text: string, metadata: JsonObject = {}): SourceChunk => ({
  source,
  chunk: { text, metadata },
});

async function plan(request: Partial<UpsertRequest>): Promise<UpsertStep[]> {
  const steps: UpsertStep[] = [];
  const standard = { loader: "l", chunks: [], records: [], cleanup: "incremental", hash } as const;
  for await (const step of planUpsert({ ...standard, ...request })) steps.push(step);
  return steps;
}

const types = (steps: UpsertStep[]) => steps.map((step) => step.type);

/** What the steps leave behind of the records. */
function apply(records: readonly ChunkRecord[], steps: readonly UpsertStep[]): ChunkRecord[] {
  const kept = new Map(records.map((record) => [record.id, record]));
  for (const step of steps) {
    if (step.type === "delete") kept.delete(step.id);
    else kept.set(step.record.id, step.record);
  }
  return [...kept.values()];
}

test("the same upsert twice adds nothing", async () => {
  const chunks = [of("a", "one"), of("a", "two"), of("b", "one")];
  const first = await plan({ chunks });
  assert.deepEqual(types(first), ["add", "add", "add"]);
  const records = apply([], first);
  assert.equal(new Set(records.map(({ id }) => id)).size, 3);
  for (const { id } of records) assert.match(id, /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  const second = await plan({ chunks, records });
  assert.deepEqual(types(second), ["skip", "skip", "skip"]);
  assert.deepEqual(apply(records, second), records);
});

test("a changed text is added, and what stood there before is deleted at the end", async () => {
  const records = apply([], await plan({ chunks: [of("a", "old"), of("a", "same")] }));
  const steps = await plan({ chunks: [of("a", "new"), of("a", "same")], records });
  assert.deepEqual(types(steps), ["add", "skip", "delete"]);
  assert.deepEqual(steps.at(-1), { type: "delete", id: records[0]?.id });
});

test("a known text with other metadata is updated under its id, the order of keys aside", async () => {
  const records = apply([], await plan({ chunks: [of("a", "one", { x: 1, y: { p: 1, q: [2] } })] }));
  const same = await plan({ chunks: [of("a", "one", { y: { q: [2], p: 1 }, x: 1 })], records });
  assert.deepEqual(types(same), ["skip"]);
  const moved = await plan({ chunks: [of("a", "one", { x: 2 })], records });
  assert.deepEqual(types(moved), ["update"]);
  assert.equal(moved[0]?.type === "update" && moved[0].record.id, records[0]?.id);
  assert.deepEqual(types(await plan({ chunks: [of("a", "one", { x: 2 })], records: apply(records, moved) })), ["skip"]);
});

test("a repetition in one run is skipped, and the same text elsewhere is not", async () => {
  const chunks = [of("a", "one", { page: 1 }), of("a", "one", { page: 1 }), of("a", "one", { page: 2 })];
  const steps = await plan({ chunks });
  assert.deepEqual(types(steps), ["add", "skip", "add"]);
  assert.equal(apply([], steps).length, 2);
});

test("what is deleted: nothing, what the sources no longer hold, or what the run did not see", async () => {
  const chunks = [of("a", "1"), of("a", "2"), of("b", "3"), of("c", "4")];
  const records = apply([], await plan({ chunks }));
  const idOf = (index: number) => records[index]?.id;
  const deleted = async (request: Partial<UpsertRequest>) =>
    (await plan({ chunks: [of("a", "1")], records, ...request }))
      .filter((step) => step.type === "delete")
      .map(({ id }) => id);
  assert.deepEqual(await deleted({ cleanup: "none" }), []);
  assert.deepEqual(await deleted({ cleanup: "incremental" }), [idOf(1), idOf(2), idOf(3)]);
  assert.deepEqual(await deleted({ cleanup: "incremental", mayMissSources: () => true }), [idOf(1)]);
  assert.deepEqual(await deleted({ cleanup: "full" }), [idOf(1), idOf(2), idOf(3)]);
  assert.deepEqual(await deleted({ cleanup: "full", failedSources: new Set(["c"]) }), [idOf(1), idOf(2)]);
  const failedSources = new Set(["a"]);
  assert.deepEqual(await deleted({ cleanup: "incremental", failedSources }), [idOf(2), idOf(3)]);
});

test("two loaders with the same texts do not share records", async () => {
  const [one] = apply([], await plan({ loader: "one", chunks: [of("a", "x")] }));
  const [two] = apply([], await plan({ loader: "two", chunks: [of("a", "x")] }));
  assert.notEqual(one?.id, two?.id);
});

test("another embedder writes everything again", async () => {
  const chunks = [of("a", "one"), of("a", "one")];
  const records = apply([], await plan({ chunks }));
  assert.deepEqual(types(await plan({ chunks, records, forceUpdate: true })), ["update", "skip"]);
});

test("steps come while the chunks do, and a run that is cut short deletes nothing", async () => {
  const records = apply([], await plan({ chunks: [of("a", "old")] }));
  let taken = 0;
  async function* chunks() {
    for (; taken < 1_000; taken += 1) yield of("a", `new ${taken}`);
  }
  const steps = planUpsert({ loader: "l", chunks: chunks(), records, cleanup: "full", hash });
  for (let index = 0; index < 3; index += 1) assert.equal((await steps.next()).value?.type, "add");
  assert.ok(taken < 5);
  await steps.return(undefined);
});

const anyChunks = fc.array(
  fc
    .tuple(fc.constantFrom("a", "b"), fc.constantFrom("x", "y", "z"), fc.nat(2))
    .map(([s, t, page]) => of(s, t, { page })),
  { maxLength: 12 },
);

test("whatever was there, a full upsert leaves exactly the chunks of the run, each once", async () => {
  await fc.assert(
    fc.asyncProperty(anyChunks, anyChunks, async (before, after) => {
      const records = apply([], await plan({ chunks: before }));
      const steps = await plan({ chunks: after, records, cleanup: "full" });
      const left = apply(records, steps).map((record) => `${record.source} ${record.metadataHash}`);
      const wanted = new Map(
        after.map(({ source, chunk }) => [
          JSON.stringify([source, chunk]),
          `${source} ${hashChunk(chunk, hash).metadataHash}`,
        ]),
      );
      assert.deepEqual(left.sort(), [...wanted.values()].sort());
      assert.equal(steps.filter((step) => step.type !== "delete").length, after.length);
      assert.deepEqual(
        new Set(types(await plan({ chunks: after, records: apply(records, steps), cleanup: "full" }))),
        new Set(after.length > 0 ? ["skip"] : []),
      );
    }),
  );
});
