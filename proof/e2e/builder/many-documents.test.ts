import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";

describe("a document store with many documents", () => {
  let world: BuilderWorld;
  let id: string;

  before(async () => {
    world = await startBuilder();
    const call = <T>(path: string, body: object) => world.platform.call<T>("POST", path, body);
    ({ id } = await call<{ id: string }>("/document-store/store", { name: "Archive" }));
    const saves = Array.from({ length: 120 }, (_, number) => ({
      storeId: id,
      loaderId: "plain-text",
      loaderName: `Report ${number}`,
      loaderConfig: { text: `Report number ${number}.` },
    }));
    await Promise.all(saves.map((body) => call("/document-store/loader/save", body)));
    const files = ["minutes of May.md", "minutes of June.md", "budget.md"].map(
      (name) => `data:text/markdown;base64,${Buffer.from(`This is ${name}.`).toString("base64")},filename:${name}`,
    );
    const loader = { name: "file", config: { files } };
    await call(`/document-store/upsert/${id}`, { loader });
  });
  after(() => world?.close());

  it("is searched by the names of documents and their files, filtered by status, and turned page by page", async () => {
    const page = await world.open(`/document-stores/${id}`);
    const table = page.getByRole("table", { name: "Loaders" });
    const rows = table.getByRole("row");
    const search = page.getByLabel("Search documents and files");
    await page.getByText("1–100 of 121").waitFor();
    assert.equal(await rows.count(), 101);
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByText("101–121 of 121").waitFor();
    await search.fill("report 77");
    await table.getByRole("link", { name: "Report 77" }).waitFor();
    assert.equal(await rows.count(), 2);
    await search.fill("minutes");
    await table.getByText(/2 files match: minutes of (May|June).md, minutes of (May|June).md/).waitFor();
    await assertAccessibleInBoth(page, "many documents");
    await screenshot(page, "document-store-many");
    await search.fill("");
    await page.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "Ready: 1" }).click();
    await page.getByText("1–100").waitFor({ state: "hidden" });
    assert.equal(await rows.count(), 2);
    await search.fill("report");
    await page.getByText("No documents match.").waitFor();
    await page.close();
  });
});
