import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";

type Loader = { id: string; loaderName: string; isCopy: boolean };

const handbook = "Refunds take five days.";
const prices = "A parcel costs four francs.";

describe("a document store with documents that it has twice", () => {
  let world: BuilderWorld;
  let id: string;

  const call = <T>(method: "GET" | "POST" | "DELETE", path: string, body?: object) =>
    world.platform.call<T>(method, path, body);
  const loaders = async () => {
    const store = await call<{ loaders: string }>("GET", `/document-store/store/${id}`);
    return JSON.parse(store.loaders) as Loader[];
  };

  before(async () => {
    world = await startBuilder();
    ({ id } = await call<{ id: string }>("POST", "/document-store/store", { name: "Shop" }));
    const upsert = (loaderName: string, loader: object) =>
      call<{ docId: string }>("POST", `/document-store/upsert/${id}`, { loaderName, loader });
    const upload = (loaderName: string, files: Record<string, string>) => {
      const urls = Object.entries(files).map(
        ([name, text]) => `data:text/plain;base64,${Buffer.from(text).toString("base64")},filename:${name}`,
      );
      return upsert(loaderName, { name: "file", config: { files: urls } });
    };
    await upload("handbook.txt", { "handbook.txt": handbook });
    await upload("handbook (1).txt", { "handbook (1).txt": `${handbook}\n` });
    await upsert("Typed in", { name: "plain-text", config: { text: handbook } });
    await upload("Two files", { "prices.txt": prices, "refunds.txt": handbook });
  });
  after(() => world?.close());

  it("says so at each copy, filters them, and removes them with their vectors", async () => {
    const page = await world.open(`/document-stores/${id}`);
    const table = page.getByRole("table", { name: "Loaders" });
    const rows = table.getByRole("row");
    const same = rows.filter({ hasText: "Typed in" }).getByRole("link", { name: "Same text as handbook.txt" });
    await same.waitFor();
    assert.equal(await table.getByText("Same text as", { exact: false }).count(), 3, "the first one says nothing");
    await table.getByRole("link", { name: "refunds.txt: same text as handbook.txt" }).waitFor();
    await assertAccessibleInBoth(page, "copies");
    await screenshot(page, "document-store-copies");

    await page.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "Copies: 2" }).click();
    await table.getByRole("link", { name: "Two files" }).waitFor({ state: "hidden" });
    assert.equal(await rows.count(), 3);

    await page.getByRole("button", { name: "Remove copies" }).click();
    const dialog = page.getByRole("dialog", { name: "Remove 2 copies?" });
    await dialog.getByText("This deletes 2 entries of the list", { exact: false }).waitFor();
    // A loader that changed since the list was read stays.
    const [, second] = await loaders();
    await call("POST", "/document-store/loader/save", {
      storeId: id,
      id: second?.id,
      splitterId: "recursive-character",
      splitterConfig: { chunkSize: 333 },
    });
    await dialog.getByRole("button", { name: "Remove copies" }).click();
    await page.getByText("1 copy was removed.").waitFor();
    assert.deepEqual(
      (await loaders()).map(({ loaderName }) => loaderName),
      ["handbook.txt", "handbook (1).txt", "Two files"],
    );
    const { docs } = await call<{ docs: { metadata: { docId: string } }[] }>(
      "POST",
      "/document-store/vectorstore/query",
      { storeId: id, query: "refunds", topK: 10, includeOrphans: true },
    );
    const left = new Set((await loaders()).map((loader) => loader.id));
    assert.ok(docs.length > 0 && docs.every(({ metadata }) => left.has(metadata.docId)), "no vector of a copy stays");
    await page.getByText("No documents match.").waitFor();
    await page.close();
  });

  it("leads from a copy to the document that it repeats", async () => {
    const page = await world.open(`/document-stores/${id}`);
    await page.getByRole("link", { name: "refunds.txt: same text as handbook.txt" }).click();
    const [first] = await loaders();
    await page.waitForURL(`**/document-stores/${id}/loaders/${first?.id}`);
    await page.close();
  });
});
