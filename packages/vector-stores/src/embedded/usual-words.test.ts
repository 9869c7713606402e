import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { toTestVector } from "@weft/providers/testing";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openEmbeddedStore } from "../testing/bench.ts";

const now = { signal: new AbortController().signal };
const dimension = 8;
const chunks = 6_000;
/** Chunks that are about the rare word. */
const rare = [19, 2_006, 4_039];

await onTestDatabase((databases) => {
  test("words that most chunks have do not hide the rare ones, and are searched for when there are no others", async (t) => {
    const bench = await openEmbeddedStore(t, databases);
    const open = (collection: string) => bench.open(collection, dimension);
    const toRecord = (text: string, kind: string) => {
      return { id: randomUUID(), text, metadata: { kind }, vector: toTestVector(text, dimension) };
    };
    const collection = await open("large");
    await collection.upsert(
      Array.from({ length: chunks }, (_, index) => {
        const part = rare.includes(index) ? "E-4711" : `part${index}`;
        const last = index % 20 < 7 ? "valve" : "gasket";
        return toRecord(`pump pressure ${part} ${last}`, index === chunks - 1 ? "last" : "other");
      }),
      now,
    );
    await (await open("other")).upsert([toRecord("pump pressure valve E-4711", "other")], now);
    const find = async (text: string, topK: number, filter = {}) => {
      const search = { text, topK, filter, vector: toTestVector(text, dimension), mode: "keyword" as const, ...now };
      return (await collection.search(search)).map((match) => match.text);
    };

    const found = await find("pump pressure e-4711", 10);
    assert.ok(found.slice(0, 3).every((text) => text.includes("E-4711")));
    assert.equal(found.length, 10, "usual words fill what the rare one leaves");
    assert.equal(
      found.filter((text) => text.includes("E-4711")).length,
      3,
      "no chunk comes twice, none of another collection",
    );
    assert.equal((await find("valve e-4711", 1))[0], "pump pressure E-4711 valve", "usual words count, too");
    assert.ok(
      (await find("valve pressure", 5)).every((text) => text.endsWith(" valve")),
      "all usual words before one",
    );
    assert.equal((await find("pressure nowhere", 5)).length, 5);
    assert.deepEqual(await find("pressure pump", 5, { kind: "last" }), [`pump pressure part${chunks - 1} gasket`]);
  });
});
