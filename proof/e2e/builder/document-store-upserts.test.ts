import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { type HeldEmbeddings, startHeldEmbeddings } from "../testing/held-embeddings.ts";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";

type Store = { id: string; status: string; embeddingConfig: string };

const embedding = { name: "openai", config: { model: "held" } };
/** More than an upsert embeds at once: the first 256 are written, the last 44 are held. */
const passages = 300;
const heldPassage = "Passage 290 of a book.";
const text = Array.from({ length: passages }, (_, no) => `Passage ${no} of a book. ${"It goes on. ".repeat(70)}`);
const book = { name: "book.txt", mimeType: "text/plain", buffer: Buffer.from(text.join("\n\n")) };

describe("an upsert in the document store pages", () => {
  let model: HeldEmbeddings;
  let world: BuilderWorld;

  before(async () => {
    model = await startHeldEmbeddings();
    world = await startBuilder({ env: { OPENAI_API_KEY: "key", OPENAI_BASE_URL: model.url } });
  });
  after(async () => {
    await world?.close();
    model?.close();
  });
  beforeEach(() => model.release());

  const storeOf = (id: string) => world.platform.call<Store>("GET", `/document-store/store/${id}`);
  const createStore = (name: string) =>
    world.platform.call<Store>("POST", "/document-store/store", { name, embeddingConfig: JSON.stringify(embedding) });
  const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
  const upload = (page: Page) => page.locator("input[type=file]:not([webkitdirectory])").setInputFiles(book);

  it("shows how far it is, also after a reload and in another window, and what came of it", async () => {
    const { id } = await createStore("Progress");
    model.hold(heldPassage);
    const page = await world.open(`/document-stores/${id}`);
    await upload(page);
    await card(page, "Indexing").getByText(`256 of ${passages} chunks embedded and written`).waitFor();
    await page.reload();
    await card(page, "Indexing").getByText(`256 of ${passages} chunks embedded and written`).waitFor();
    const bar = page.getByRole("progressbar", { name: "Indexing progress" });
    assert.equal(Math.round(Number(await bar.getAttribute("aria-valuenow"))), 85);
    await assertAccessibleInBoth(page, "upsert under way");
    const other = await world.open(`/document-stores/${id}`, { width: 768 });
    await card(other, "Indexing").waitFor();
    await page.goto(`${world.platform.url}/document-stores`);
    await page.getByRole("cell", { name: "Indexing" }).waitFor();
    await page.getByRole("link", { name: "Progress" }).click();
    await card(page, "Indexing").waitFor();

    model.release();
    for (const one of [page, other]) {
      await one.getByText(`${passages} added, 0 updated, 0 unchanged, 0 removed.`).waitFor();
      await one.getByText("Ready").first().waitFor();
    }
    await assertAccessibleInBoth(page, "upsert finished");
    await page.getByRole("button", { name: "Index all" }).click();
    await page.getByText(`0 added, 0 updated, ${passages} unchanged, 0 removed.`).waitFor();
  });

  it("can be cancelled, and done again for the rest", async () => {
    const { id } = await createStore("Cancelled");
    model.hold(heldPassage);
    const page = await world.open(`/document-stores/${id}`);
    await upload(page);
    await card(page, "Indexing").getByText("256 of").waitFor();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await card(page, "Cancelled").getByText("256 chunks were written and can be searched.").waitFor();
    await page.getByText("Not processed").first().waitFor();
    await assertAccessibleInBoth(page, "upsert cancelled");
    assert.notEqual((await storeOf(id)).status, "UPSERTED");
    model.release();
    await page.getByRole("button", { name: "Index all" }).click();
    await card(page, "Indexed").waitFor();
    assert.equal((await storeOf(id)).status, "UPSERTED");
  });

  it("says what a vendor that refuses said, and goes on when it is mended", async () => {
    const { id } = await createStore("Refused");
    model.refuse(401, "Incorrect API key provided.");
    const page = await world.open(`/document-stores/${id}`);
    await upload(page);
    const failure = card(page, "Indexing failed").getByRole("alert");
    await failure.getByText(/API key/).waitFor();
    await assertAccessibleInBoth(page, "upsert failed");
    await page.getByRole("link", { name: "book.txt" }).waitFor();
    model.release();
    await page.getByRole("button", { name: "Index all" }).click();
    await card(page, "Indexed").waitFor();

    model.refuse(400, "This model is gone.");
    await page.getByRole("tab", { name: "Query" }).click();
    await page.getByRole("textbox", { name: "Question" }).fill("Passage 3 of a book");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page
      .getByRole("alert")
      .getByText(/This model is gone/)
      .waitFor();
    model.release();
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByText(/^4 passages in /).waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
  });

  it("shows what was saved, and takes more, before the store is read again", async () => {
    const { id } = await createStore("Typed on");
    const page = await world.open(`/document-stores/${id}?tab=settings`);
    const chosenModel = page.getByRole("textbox", { name: "Model" });
    await chosenModel.fill("first");
    const reading = Promise.withResolvers<void>();
    let isSaved = false;
    await page.route(`**/document-store/store/${id}`, async (route) => {
      if (isSaved) await reading.promise;
      isSaved ||= route.request().method() === "PUT";
      await route.continue();
    });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Saved", exact: true }).waitFor();
    assert.equal(await chosenModel.inputValue(), "first");
    await chosenModel.fill("second");
    reading.resolve();
    await page.getByText("The settings were saved.").waitFor();
    assert.equal(await chosenModel.inputValue(), "second");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Saved", exact: true }).waitFor();
    assert.deepEqual(JSON.parse((await storeOf(id)).embeddingConfig).config, { model: "second" });
  });

  it("keeps nobody from seeing that somebody else changed the same settings", async () => {
    const { id } = await createStore("Shared");
    const page = await world.open(`/document-stores/${id}?tab=settings`);
    const path = `/document-store/store/${id}`;
    const theirs = JSON.stringify({ name: "openai", config: { model: "theirs" } });
    const chosenModel = page.getByRole("textbox", { name: "Model" });
    const save = page.getByRole("button", { name: "Save", exact: true });
    await chosenModel.fill("mine");
    await world.platform.call("PUT", path, { description: "Something else than what is changed here" });
    await save.click();
    await page.getByText("The settings were saved.").waitFor();

    await chosenModel.fill("mine again");
    await world.platform.call("PUT", path, { embeddingConfig: theirs });
    await save.click();
    await page.getByRole("alert").getByText("Someone else changed this").waitFor();
    assert.equal((await storeOf(id)).embeddingConfig, theirs);
    await assertAccessibleInBoth(page, "settings conflict");
    await page.getByRole("button", { name: "Load current version" }).click();
    await page.waitForFunction(() => [...document.querySelectorAll("input")].some(({ value }) => value === "theirs"));
    await page.getByRole("alert").waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Actions of Shared" }).click();
    await page.getByRole("menuitem", { name: "Name and description" }).click();
    const dialog = page.getByRole("dialog", { name: "Name and description" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Mine");
    await world.platform.call("PUT", path, { name: "Theirs" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").getByText("Someone else changed this").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("heading", { level: 1, name: "Theirs" }).waitFor();
  });
});
