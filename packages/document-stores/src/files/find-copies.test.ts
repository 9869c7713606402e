import assert from "node:assert/strict";
import { test } from "node:test";
import type { LoaderStatus } from "../tables.ts";
import { compareLoaders } from "./find-copies.ts";

type Loader = { id: string; status?: LoaderStatus; error?: string; texts: string[]; more?: number };

/** What loaders in this order have in common. `more`: documents of theirs that nobody else has. */
function compare(...loaders: Loader[]) {
  const repeated = loaders.flatMap(({ id, status = "UPSERTED", error = "", texts }) =>
    texts.map((text) => {
      const document = { storeId: "s", source: `${id}/${text}`, hash: text };
      return { ...document, loaderId: id, loaderName: `Loader ${id}`, status, error };
    }),
  );
  const documents = new Map(loaders.map(({ id, texts, more = 0 }) => [id, texts.length + more]));
  const found = compareLoaders(repeated, documents);
  return {
    copies: [...found].flatMap(([id, { isCopy }]) => (isCopy ? [id] : [])),
    sameAs: (id: string) => found.get(id)?.sameAs.map(({ document, source }) => `${document} = ${source}`),
  };
}

test("a loader is a copy when loaders before it have all of its documents, whichever of them and in whichever order", () => {
  const { copies, sameAs } = compare(
    { id: "a", texts: ["1", "2"] },
    { id: "b", texts: ["3"] },
    { id: "c", texts: ["3", "2"] },
    { id: "d", texts: ["1"], more: 1 },
  );
  assert.deepEqual(copies, ["c"]);
  assert.deepEqual(sameAs("c"), ["c/3 = b/3", "c/2 = a/2"]);
  assert.deepEqual(sameAs("a"), ["a/1 = d/1", "a/2 = c/2"]);
  assert.deepEqual(sameAs("d"), ["d/1 = a/1"]);
});

test("a loader that repeats its own text does not count as a copy", () => {
  assert.deepEqual(compare({ id: "a", texts: ["1", "1"] }, { id: "b", texts: ["2"] }).copies, []);
  assert.equal(compare({ id: "a", texts: ["1", "1"] }).sameAs("a"), undefined);
});

test("an indexed loader is never a copy of one that is not indexed, or that may load another text next time", () => {
  const after = (status: LoaderStatus, own: LoaderStatus = "UPSERTED") =>
    compare({ id: "a", status, texts: ["1"] }, { id: "b", status: own, texts: ["1"] }).copies;
  assert.deepEqual(after("SYNC"), []);
  assert.deepEqual(after("STALE"), []);
  assert.deepEqual(after("UPSERTING"), ["b"]);
  assert.deepEqual(after("UPSERTED", "SYNC"), ["b"]);
  assert.deepEqual(after("SYNC", "SYNC"), ["b"]);
  assert.deepEqual(after("UPSERTED", "STALE"), []);
  const failed = { texts: ["1"], error: "No such key." };
  assert.deepEqual(compare({ id: "a", texts: ["1"] }, { id: "b", ...failed }).copies, []);
  assert.deepEqual(compare({ id: "a", ...failed }, { id: "b", texts: ["1"] }).copies, []);
  const three = compare(
    { id: "a", status: "SYNC", texts: ["1"] },
    { id: "b", texts: ["1"] },
    { id: "c", texts: ["1"] },
  );
  assert.deepEqual(three.copies, ["c"]);
});

test("without its copies, a store has every text that it had, as searchable as it was", () => {
  const states = ["UPSERTED", "SYNC", "STALE", "UPSERTING"] as const;
  let state = 7;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  for (let round = 0; round < 300; round += 1) {
    const loaders = Array.from({ length: 2 + random(6) }, (_, index): Loader => {
      const texts = Array.from({ length: 1 + random(3) }, () => `${random(4)}`);
      return { id: `${index}`, status: states[random(4)] ?? "SYNC", error: random(4) === 0 ? "failed" : "", texts };
    });
    const { copies } = compare(...loaders);
    const isSearched = ({ status = "NEW" }: Loader) => status.startsWith("UPSERT");
    const textsOf = (some: Loader[]) => [...new Set(some.flatMap(({ texts }) => texts))].sort();
    const left = loaders.filter(({ id }) => !copies.includes(id));
    assert.deepEqual(textsOf(left), textsOf(loaders));
    assert.deepEqual(textsOf(left.filter(isSearched)), textsOf(loaders.filter(isSearched)));
  }
});

test("of a text that hundreds have, twenty are named", () => {
  const many = Array.from({ length: 300 }, (_, index) => ({ id: `${1_000 + index}`, texts: ["1"] }));
  const { copies, sameAs } = compare(...many);
  assert.equal(copies.length, 299);
  assert.equal(sameAs("1299")?.length, 20);
  assert.equal(sameAs("1000")?.[0], "1000/1 = 1001/1");
});
