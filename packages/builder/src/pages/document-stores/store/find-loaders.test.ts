import assert from "node:assert/strict";
import { test } from "node:test";
import type { LoaderView } from "../../../api/document-stores.ts";
import { earlierTexts, findLoaders, type LoaderFilter } from "./find-loaders.ts";

const loader = (name: string, more: Partial<LoaderView> = {}): LoaderView => ({
  id: name,
  type: "file",
  name,
  source: name,
  status: "UPSERTED",
  error: "",
  totalChunks: 1,
  config: {},
  splitter: { name: "recursive-character", config: {} },
  metadata: {},
  files: [],
  sameAs: [],
  isCopy: false,
  updatedDate: "2026-01-01T00:00:00.000Z",
  ...more,
});

const file = (name: string) => ({ id: name, name, size: 1 });

const loaders = [
  loader("Price list", { source: "https://shop.example/prices" }),
  loader("Handbook", { files: ["refunds 2025.md", "Refunds 2026.md", "parcels.md"].map(file), status: "STALE" }),
  loader("scan.pdf", { files: [file("scan.pdf")], error: "contains no text" }),
];

const namesOf = (words: string, status: LoaderFilter["status"] = null) =>
  findLoaders(loaders, { words, status }).map(({ loader: { name } }) => name);

test("loaders are found by name, source, file and error, each word of the search anywhere", () => {
  assert.deepEqual(namesOf(" "), ["Price list", "Handbook", "scan.pdf"]);
  assert.deepEqual(namesOf("SHOP.example"), ["Price list"]);
  assert.deepEqual(namesOf("2026 refunds"), ["Handbook"]);
  assert.deepEqual(namesOf("no text"), ["scan.pdf"]);
  assert.deepEqual(namesOf("refunds scan"), []);
});

test("a loader of several files names those that were searched for", () => {
  const [found] = findLoaders(loaders, { words: "refunds", status: null });
  assert.deepEqual(found?.fileNames, ["refunds 2025.md", "Refunds 2026.md"]);
  assert.deepEqual(findLoaders(loaders, { words: "handbook", status: null })[0]?.fileNames, []);
  assert.deepEqual(findLoaders(loaders, { words: "", status: null })[1]?.fileNames, []);
});

test("loaders are filtered by status, too", () => {
  assert.deepEqual(namesOf("", "STALE"), ["Handbook"]);
  assert.deepEqual(namesOf("scan", "STALE"), []);
});

test("copies are filtered, whatever their status", () => {
  const some = [
    ...loaders,
    loader("Handbook, again", { isCopy: true }),
    loader("Prices", { isCopy: true, status: "SYNC" }),
  ];
  const found = findLoaders(some, { words: "", status: "copies" });
  assert.deepEqual(
    found.map(({ loader: { name } }) => name),
    ["Handbook, again", "Prices"],
  );
});

test("a loader names the earlier loaders that have its texts, once a document", () => {
  const same = (document: string, loaderId: string) => ({ document, loaderId, loaderName: loaderId, source: "text" });
  const typed = loader("typed", { type: "plain-text", sameAs: [same("typed", "b"), same("typed", "last")] });
  const several = loader("b", {
    sameAs: [
      same("two.md", "a"),
      same("two.md", "typed"),
      { ...same("three.md", "a"), source: "3.md" },
      same("typed.md", "typed"),
    ],
  });
  const all = [loader("a", { type: "file", sameAs: [same("a", "b")] }), typed, several, loader("last")];
  const find = earlierTexts(all);
  assert.deepEqual(find(typed), [], "the loader that it is the same as came later");
  assert.deepEqual(find(several), [
    { document: "two.md", loaderId: "a", name: "text" },
    { document: "three.md", loaderId: "a", name: "3.md" },
    { document: "typed.md", loaderId: "typed", name: "typed" },
  ]);
});
