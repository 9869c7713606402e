import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./testing/assert-accessible.ts";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { assertFitsPhone } from "./testing/look-at.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";

const texts = [
  ["refunds.md", 2024, "Refunds take five days, counted from when the parcel is back with us."],
  ["money.md", 2023, "You get your money back within a week after we have received what you return."],
  ["shipping.md", 2024, "A parcel leaves on Mondays and travels by train. The refund desk is closed then."],
  ["warranty.md", 2022, "The warranty covers repairs for two years when you keep the receipt."],
] as const;

describe("the query page of a document store", () => {
  let world: BuilderWorld;
  let storeId: string;
  let reranker: Awaited<ReturnType<typeof startReranker>>;

  before(async () => {
    reranker = await startReranker();
    world = await startBuilder({ env: { EGRESS_ALLOW: new URL(reranker.url).host } });
    storeId = (await world.platform.call<{ id: string }>("POST", "/document-store/store", { name: "Help" })).id;
    for (const [source, year, content] of texts) {
      const loader = { name: "plain-text", config: { text: content } };
      await world.platform.call("POST", `/document-store/upsert/${storeId}`, { loader, metadata: { source, year } });
    }
  });
  after(async () => {
    await world?.close();
    await reranker?.close();
  });

  const open = (look?: Parameters<BuilderWorld["open"]>[1]) =>
    world.open(`/document-stores/${storeId}?tab=query`, look);
  const ask = async (page: Page, question: string) => {
    await page.getByRole("textbox", { name: "Question" }).fill(question);
    await page.keyboard.press("Enter");
  };
  const column = (page: Page, mode: string) => page.getByRole("region", { name: `Passages by ${mode}`, exact: true });
  const sourcesIn = async (page: Page, mode: string) =>
    (await column(page, mode).getByRole("link").allTextContents()).map((name) => name.replace(/ #\d+$/, ""));

  it("shows every mode side by side, and why a passage ranks where it does", async () => {
    const page = await open();
    await page.getByText("Compare", { exact: true }).click();
    await ask(page, "When are refunds paid for a parcel?");
    const hybrid = column(page, "Hybrid");
    await hybrid.getByText(/^\d passages in [\d,]+ ms$/).waitFor();
    await column(page, "Semantic")
      .getByText(/^4 passages in [\d,]+ ms$/)
      .waitFor();
    const words = await sourcesIn(page, "Keyword");
    assert.ok(words.includes("refunds.md") && !words.includes("warranty.md"), words.join());
    assert.equal((await sourcesIn(page, "Semantic")).length, 4);
    const first = hybrid.getByRole("listitem").first();
    const name = (await first.getByRole("link").textContent())?.replace(/ #\d+$/, "") ?? "";
    await first.getByText(`#${words.indexOf(name) + 1} by words`).waitFor();
    assert.ok((await first.locator("mark").count()) > 0);
    const warranty = column(page, "Semantic").getByRole("listitem").filter({ hasText: "warranty.md" });
    await warranty.getByText("not in the first 60 by words").waitFor();
    await assertAccessibleInBoth(page, "store compare");

    // A place leads to the passage in that column, by keyboard too, and all its appearances are marked.
    await first.getByRole("button", { name: /by meaning$/ }).focus();
    await page.keyboard.press("Enter");
    const focused = column(page, "Semantic").locator("li:focus");
    await focused.waitFor();
    assert.match((await focused.textContent()) ?? "", new RegExp(name.replace(".", "\\.")));
    assert.ok((await page.locator("li[data-active]").count()) >= 2);
    await assertFitsPhone(page);
    await assertAccessible(page, "store compare on a phone");
    await screenshot(page, "store-compare-390");
  });

  it("finds only what a filter leaves, from fields or JSON", async () => {
    const page = await open({ colours: "dark" });
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("button", { name: "Add a condition" }).click();
    const condition = page.getByRole("group", { name: "Condition 1" });
    await condition.getByRole("combobox", { name: "Metadata" }).fill("year");
    await condition.getByRole("combobox", { name: "Operator" }).click();
    await page.getByRole("option", { name: "at least" }).click();
    await condition.getByRole("textbox", { name: "Value" }).fill("2024");
    await ask(page, "refund parcel");
    const found = page.getByRole("list", { name: "Passages found" });
    await found.getByText("refunds.md").waitFor();
    await page.getByText(/^2 passages in /).waitFor();
    await page.getByRole("button", { name: "Filter (1)" }).waitFor();
    await assertAccessibleInBoth(page, "store filter");

    await page.getByText("JSON", { exact: true }).click();
    const json = page.getByRole("textbox", { name: "Filter (JSON)" });
    assert.deepEqual(JSON.parse(await json.inputValue()), { year: { $gte: 2024 } });
    await json.fill('{"source": ');
    await page.getByText("The filter must be a JSON object.").waitFor();
    assert.ok(await page.getByRole("button", { name: "Search", exact: true }).isDisabled());
    await json.fill('{"source": {"$in": ["money.md"]}}');
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await found.getByText("money.md").waitFor();
    await page.getByText(/^1 passage in /).waitFor();
    await json.fill('{"source": {"$like": "x"}}');
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page
      .getByRole("alert")
      .getByText(/\$like/)
      .waitFor();
    await assertFitsPhone(page);
    await screenshot(page, "store-filter-390");
  });

  it("shows what the store's own settings make of it beside them", async () => {
    const setUp = (retrieval: object) =>
      world.platform.call("PUT", `/document-store/store/${storeId}`, { retrievalConfig: JSON.stringify(retrieval) });
    const credential = await world.platform.call<{ id: string }>("POST", "/credentials", {
      name: "Reranker",
      credentialName: "jina",
      plainDataObj: { apiKey: "key" },
      hosts: [new URL(reranker.url).host],
    });
    await setUp({ rerank: { provider: "jina", model: "m", credential: credential.id, baseUrl: reranker.url } });
    const page = await open();
    await page.getByText("Compare", { exact: true }).click();
    await page.getByText(/“As set up” adds the store’s own search settings/).waitFor();
    await ask(page, "refunds parcel");
    const first = column(page, "As set up").getByRole("listitem").first();
    await first.getByRole("link", { name: /^warranty\.md/ }).waitFor();
    await first.getByRole("button", { name: "#4 in hybrid" }).waitFor();
    const hybrid = column(page, "Hybrid").getByRole("listitem").nth(3);
    await hybrid.getByRole("button", { name: "#1 as set up" }).waitFor();
    await assertAccessibleInBoth(page, "store compare reranked");
    await setUp({});
  });

  it("says of each mode why it failed", async () => {
    const page = await open();
    await page.route("**/vectorstore/query", (route) =>
      route.request().postDataJSON().mode === "vector"
        ? route.fulfill({ status: 500, json: { error: { code: "internal", message: "No model." } } })
        : route.continue(),
    );
    await page.getByText("Compare", { exact: true }).click();
    await ask(page, "refunds");
    await column(page, "Semantic").getByRole("alert").waitFor();
    await column(page, "Keyword").getByText("refunds.md").waitFor();
    assert.equal(await column(page, "Hybrid").getByText("by meaning").count(), 0);
  });
});

/** A reranker that likes warranties. */
async function startReranker() {
  const server = createServer(async (request, response) => {
    const { documents } = JSON.parse(await text(request)) as { documents: string[] };
    const results = documents.map((document, index) => ({
      index,
      relevance_score: document.includes("warranty") ? 0.9 : 0.2,
    }));
    response.setHeader("content-type", "application/json").end(JSON.stringify({ results }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
