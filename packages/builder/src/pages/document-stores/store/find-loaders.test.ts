import assert from "node:assert/strict";
import { test } from "node:test";
import type { LoaderView } from "../../../api/document-stores.ts";
import { findLoaders } from "./find-loaders.ts";

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
  updatedDate: "2026-01-01T00:00:00.000Z",
  ...more,
});

const file = (name: string) => ({ id: name, name, size: 1 });

const loaders = [
  loader("Price list", { source: "https://shop.example/prices" }),
  loader("Handbook", { files: ["refunds 2025.md", "Refunds 2026.md", "parcels.md"].map(file), status: "STALE" }),
  loader("scan.pdf", { files: [file("scan.pdf")], error: "contains no text" }),
];

const namesOf = (words: string, status: LoaderView["status"] | null = null) =>
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
