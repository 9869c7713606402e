import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { buildPdf } from "../../../packages/documents/src/testing/pdf-files.ts";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { dropFiles } from "./testing/drop-files.ts";
import { menuWithFocus } from "./testing/menu-with-focus.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";

type Store = { id: string; status: string; totalChunks: number; loaders: string; embeddingConfig: string };
type Loader = { id: string; loaderName: string; totalChunks: number; status: string; files: { name: string }[] };

const refunds = "Refunds take five days, counted from when the parcel is back with us.";

describe("the document store pages", () => {
  let world: BuilderWorld;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "weft-documents-"));
    world = await startBuilder();
  });
  after(async () => {
    await world?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const createStore = (name: string) => world.platform.call<Store>("POST", "/document-store/store", { name });
  const storeOf = (id: string) => world.platform.call<Store>("GET", `/document-store/store/${id}`);
  const loadersOf = async (id: string) => JSON.parse((await storeOf(id)).loaders) as Loader[];
  const upsertText = (id: string, text: string) =>
    world.platform.call<{ docId: string }>("POST", `/document-store/upsert/${id}`, {
      loader: { name: "plain-text", config: { text } },
      splitter: { name: "recursive-character", config: { chunkSize: 150, chunkOverlap: 0 } },
    });
  const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
  const files = (page: Page) => page.locator("input[type=file]:not([webkitdirectory])");
  const folders = (page: Page) => page.locator("input[type=file][webkitdirectory]");

  /** A folder of Markdown with another one in it: there are two files of the same name. */
  async function writeGuides(name: string, sections: number): Promise<string> {
    const path = join(folder, name);
    await mkdir(join(path, "shipping"), { recursive: true });
    const body = (topic: string) =>
      Array.from(
        { length: sections },
        (_, index) => `## ${topic} ${index}\n\n${`${topic} of kind ${index}. `.repeat(30)}`,
      );
    await writeFile(join(path, "guide.md"), `# Returns\n\n${refunds}\n\n${body("Returns").join("\n\n")}`);
    await writeFile(join(path, "shipping", "guide.md"), `# Shipping\n\n${body("Shipping").join("\n\n")}`);
    await writeFile(join(path, ".DS_Store"), "nothing to read");
    return path;
  }

  it("say what a store is while there is none", async () => {
    const page = await world.open("/document-stores");
    await page.getByText("No document stores yet").waitFor();
    await assertAccessibleInBoth(page, "stores empty");
  });

  it("take a newcomer without a key from dropped files to an agent that names its sources", async () => {
    const page = await world.open("/document-stores");
    await page.getByRole("button", { name: "New store" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New document store" });
    await dialog.getByText("no key or network needed").waitFor();
    await dialog.getByRole("textbox", { name: "Name" }).fill("Handbook");
    await dialog.getByRole("textbox", { name: "Description" }).fill("refunds, shipping and warranty");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "Handbook" }).waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";

    const warranty = join(folder, "warranty.pdf");
    const broken = join(folder, "broken.pdf");
    await writeFile(warranty, buildPdf([["Warranty: two years, with the receipt."], ["Spare parts for ten years."]]));
    await writeFile(broken, "no pdf");
    const guides = await writeGuides("handbook", 2);
    await dropFiles(page, page.getByText("Drop files or folders here"), [warranty, broken, guides]);
    const done = card(page, "Indexed");
    await done.getByText(/^\d+ added, 0 updated, 0 unchanged, 0 removed\.$/).waitFor();
    await done.getByText("1 source could not be loaded. All others were loaded.").waitFor();
    await done.getByText("broken.pdf cannot be read").waitFor();
    await done.getByText("Re-save it, or run OCR first").waitFor();
    assert.equal((await storeOf(id)).status, "UPSERTED");
    const [loader] = await loadersOf(id);
    assert.equal(loader?.loaderName, "warranty.pdf and 3 more");
    assert.deepEqual(loader?.files.map(({ name }) => name).sort(), [
      "broken.pdf",
      "handbook – guide.md",
      "handbook – shipping – guide.md",
      "warranty.pdf",
    ]);

    await done.getByRole("button", { name: "Try a query" }).click();
    await page.getByRole("textbox", { name: "Question" }).fill("How many days does a refund take?");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    const first = page.getByRole("list", { name: "Passages found" }).getByRole("listitem").first();
    await first.getByText("handbook – guide.md #").waitFor();
    await first.getByText(/^(Strong|Fair|Weak) · [01]\.\d\d$/).waitFor();
    assert.deepEqual(await first.locator("mark").allTextContents(), ["Refunds", "days"]);
    await assertAccessibleInBoth(page, "store query");
    await page.getByRole("tab", { name: "Documents" }).click();
    await page.getByRole("button", { name: "Use in an agent" }).click();
    const use = page.getByRole("dialog", { name: "Use in an agent" });
    await use.getByRole("button", { name: "Create agent" }).click();
    await page.waitForURL(/\/agents\/[0-9a-f-]{36}\?chat=true$/);
    await page.getByRole("textbox", { name: "Message" }).fill("Search the handbook about refunds");
    await page.keyboard.press("Enter");
    const sources = page.getByRole("button", { name: /^\d+ sources? .*handbook – guide\.md/ });
    await sources.click();
    await page.getByRole("listitem").filter({ hasText: refunds }).first().waitFor();
    await screenshot(page, "store-chat");

    await page.goto(`${world.platform.url}/document-stores/${id}`);
    await page.getByRole("link", { name: "Handbook agent" }).waitFor();
  });

  it("show what a loader makes of its source before it is stored, and keep it without loading it", async () => {
    const { id } = await createStore("Preview");
    const page = await world.open(`/document-stores/${id}`, { colours: "dark" });
    await page.getByRole("button", { name: "Add documents" }).click();
    await page.getByRole("menuitem", { name: /^Plain text/ }).waitFor();
    await screenshot(page, "store-add-menu");
    await page.getByRole("menuitem", { name: /^Plain text/ }).click();
    await page.getByRole("heading", { level: 1, name: "Add documents" }).waitFor();
    assert.ok(await page.getByRole("button", { name: "Show chunks" }).isDisabled());
    await page.getByText(/^Chunks appear here/).waitFor();
    await page.getByRole("textbox", { name: "Text" }).fill(`${refunds}\n\nShipping takes a week.`);
    await page.getByRole("textbox", { name: "Chunk size (characters)" }).fill("80");
    await page.getByRole("button", { name: "Show chunks" }).click();
    await page.getByText("2 chunks", { exact: true }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "Shipping takes a week." }).waitFor();
    await assertAccessibleInBoth(page, "loader");
    assert.deepEqual(await loadersOf(id), []);

    await page.getByRole("textbox", { name: "Name" }).fill("Terms");
    await page.getByText("The form has changed since this preview.").waitFor();
    await page.getByRole("button", { name: "Save only" }).click();
    await page.getByRole("link", { name: "Terms" }).waitFor();
    assert.deepEqual(
      (await loadersOf(id)).map(({ status, totalChunks }) => [status, totalChunks]),
      [["NEW", 0]],
    );
    await page.getByRole("button", { name: "Actions of Terms" }).click();
    await page.getByRole("menuitem", { name: "Load and split only" }).click();
    await card(page, "Loaded and split").getByText("2 chunks ready to index.").waitFor();
    await page.getByText("Not indexed").first().waitFor();
    await page.getByRole("button", { name: "Index all" }).click();
    await card(page, "Indexed").waitFor();
    assert.equal((await storeOf(id)).status, "UPSERTED");
    await page.getByRole("link", { name: "Terms" }).click();
    await page.getByText("2 chunks in the store now", { exact: true }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "Shipping takes a week." }).waitFor();
    await assertAccessibleInBoth(page, "loader with chunks");
  });

  it("name the files of a preview that cannot be read, and upsert the others", async () => {
    const { id } = await createStore("Files");
    const page = await world.open(`/document-stores/${id}/loaders/new?type=file`, { width: 768 });
    await folders(page).setInputFiles(await writeGuides("files", 1));
    await files(page).setInputFiles({ name: "broken.pdf", mimeType: "application/pdf", buffer: Buffer.from("no") });
    await page.getByText(/^3 files,/).waitFor();
    await page.getByRole("button", { name: "Show chunks" }).click();
    await page.getByText("1 source could not be loaded. All others were loaded.").waitFor();
    await assertAccessibleInBoth(page, "loader of files narrow");
    await page.getByRole("button", { name: "Remove broken.pdf" }).click();
    await page.getByRole("button", { name: "Save and index" }).click();
    await card(page, "Indexed").waitFor();
    const [loader] = await loadersOf(id);
    await page.getByRole("link", { name: loader?.loaderName ?? "" }).click();
    await page.getByRole("button", { name: "Remove files – guide.md" }).click();
    await page.getByRole("button", { name: "Save and index" }).click();
    await card(page, "Indexed")
      .getByText(/0 added, 0 updated, \d+ unchanged, [1-9]\d* removed\./)
      .waitFor();
    assert.deepEqual(
      (await loadersOf(id)).map((one) => one.files.map(({ name }) => name)),
      [["files – shipping – guide.md"]],
    );
  });

  it("take files that are added while a dropped folder is still being read", async () => {
    const { id } = await createStore("Slow folder");
    const page = await world.open(`/document-stores/${id}/loaders/new?type=file`);
    const letRead = await page.evaluateHandle(() => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const { webkitGetAsEntry } = DataTransferItem.prototype;
      DataTransferItem.prototype.webkitGetAsEntry = function get() {
        const folder = webkitGetAsEntry.call(this) as FileSystemDirectoryEntry;
        const reader = folder.createReader();
        const { readEntries } = reader;
        reader.readEntries = (...given) => void promise.then(() => readEntries.apply(reader, given));
        folder.createReader = () => reader;
        return folder;
      };
      return resolve;
    });
    await dropFiles(page, page.getByText("Drop files or folders here"), [await writeGuides("slow", 1)]);
    await files(page).setInputFiles({ name: "quick.md", mimeType: "text/markdown", buffer: Buffer.from("Quick.") });
    await page.getByText(/^1 file,/).waitFor();
    await letRead.evaluate((read) => read());
    await page.getByText(/^3 files,/).waitFor();
    await page.close();
  });

  it("change, find and delete chunks, and upsert them as they are", async () => {
    const { id } = await createStore("Chunks");
    const { docId } = await upsertText(
      id,
      Array.from({ length: 60 }, (_, no) => `Article ${no}. ${"It says so. ".repeat(8)}`).join("\n\n"),
    );
    const page = await world.open(`/document-stores/${id}/loaders/${docId}/chunks`);
    await page.getByText(/^1–50 of \d+$/).waitFor();
    await assertAccessibleInBoth(page, "chunks");
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByText(/^51–\d+ of \d+$/).waitFor();
    await page.getByRole("searchbox", { name: "Search chunks" }).fill("article 52.");
    await page.getByRole("button", { name: "Actions of #53" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog", { name: "Chunk #53" });
    // It takes the focus a moment after it is seen, from a field that is being filled.
    await dialog.locator(":focus").waitFor();
    await dialog.getByRole("textbox", { name: "Metadata" }).fill("[]");
    await dialog.getByText("The metadata must be a JSON object.").waitFor();
    assert.ok(await dialog.getByRole("button", { name: "Save" }).isDisabled());
    await dialog.getByRole("textbox", { name: "Metadata" }).fill('{"source":"mine"}');
    await dialog.getByRole("textbox", { name: "Text" }).fill("Article 52. Nobody pays for parking on Sundays.");
    await assertAccessibleInBoth(page, "chunk");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Some changes are not indexed yet, so searches do not find them.").waitFor();
    await assertAccessibleInBoth(page, "chunks outdated");
    await page.getByRole("button", { name: "Index current chunks" }).click();
    await card(page, "Indexed")
      .getByText(/^1 added, 0 updated, \d+ unchanged, 0 removed\.$/)
      .waitFor();
    const found = await world.platform.call<{ docs: { pageContent: string }[] }>(
      "POST",
      "/document-store/vectorstore/query",
      { storeId: id, query: "Is parking free on Sundays?", topK: 1 },
    );
    assert.match(found.docs[0]?.pageContent ?? "", /Nobody pays for parking/);
  });

  it("set up another embedding model, and say what is missing when it does not answer", async () => {
    const { id } = await createStore("Settings");
    await upsertText(id, refunds);
    const page = await world.open(`/document-stores/${id}?tab=settings`);
    await page.getByText("No key or network needed").first().waitFor();
    await assertAccessibleInBoth(page, "store settings");
    await page.getByRole("combobox", { name: "Kind" }).first().click();
    await page.getByRole("option", { name: "OpenAI", exact: true }).click();
    await page.getByRole("textbox", { name: "Model" }).fill("text-embedding-3-small");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The settings were saved. Index all").waitFor();
    const { status, embeddingConfig } = await storeOf(id);
    assert.equal(status, "STALE");
    assert.deepEqual(JSON.parse(embeddingConfig), { name: "openai", config: { model: "text-embedding-3-small" } });
    await page.getByRole("tab", { name: "Query" }).click();
    await page.getByRole("textbox", { name: "Question" }).fill("refund");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    const refusal = page.getByRole("alert", { name: "Something went wrong" });
    await refusal.waitFor();
    assert.match((await refusal.textContent()) ?? "", /credential|OPENAI_API_KEY/);
    await screenshot(page, "store-query-error");
    await page.getByRole("tab", { name: "History" }).click();
    await page.getByRole("cell", { name: "embedded" }).waitFor();
    await assertAccessibleInBoth(page, "store history");
  });

  it("delete documents with what is found of them", async () => {
    const { id } = await createStore("Emptied");
    await upsertText(id, refunds);
    const page = await world.open(`/document-stores/${id}`);
    await page.getByRole("button", { name: "Actions of Plain text" }).click();
    await page.getByRole("menuitem", { name: "Delete vectors" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Not indexed").first().waitFor();
    await page.getByRole("button", { name: "Actions of Plain text" }).click();
    await page.getByRole("menuitem", { name: "Delete", exact: true }).click();
    await page.getByRole("dialog", { name: "Delete these documents?" }).waitFor();
    await assertAccessibleInBoth(page, "delete documents");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("link", { name: "Plain text" }).waitFor({ state: "detached" });
    const query = { storeId: id, query: "refund" };
    const { docs } = await world.platform.call<{ docs: object[] }>("POST", "/document-store/vectorstore/query", query);
    assert.deepEqual(docs, []);
  });

  it("say who uses a store before it is deleted with everything", async () => {
    const { id } = await createStore("Doomed");
    await upsertText(id, refunds);
    const page = await world.open(`/document-stores/${id}`);
    await page.getByRole("button", { name: "Use in an agent" }).click();
    const use = page.getByRole("dialog", { name: "Use in an agent" });
    await use.getByRole("textbox", { name: "Agent name" }).fill("Reader");
    await assertAccessibleInBoth(page, "use in an agent");
    await use.getByRole("button", { name: "Create agent" }).click();
    await page.waitForURL(/\/agents\//);
    await world.platform.call("POST", "/assistants", {
      details: { name: "Helper", tools: ["file_search"], tool_resources: { file_search: { vector_store_ids: [id] } } },
    });
    await page.goto(`${world.platform.url}/document-stores`);
    const row = page.getByRole("row").filter({ hasText: "Doomed" });
    await row.getByRole("link", { name: "Reader" }).waitFor();
    await row.getByRole("link", { name: "Helper" }).waitFor();
    await assertAccessibleInBoth(page, "stores");
    await row.getByRole("button", { name: "Actions of Doomed" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete this store?" });
    await dialog.getByText("2 agents and assistants will fail to search it.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await row.getByRole("link", { name: "Doomed" }).click();
    // Until the store is there its row is, whose menu has a button of the same name.
    await page.getByRole("heading", { level: 1, name: "Doomed" }).waitFor();
    await page.getByRole("button", { name: "Actions of Doomed" }).click();
    await page.getByRole("menuitem", { name: "Delete store" }).click();
    await dialog.waitFor();
    await assertAccessibleInBoth(page, "delete store");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { level: 1, name: "Document stores" }).waitFor();
    await page.getByRole("link", { name: "Doomed" }).waitFor({ state: "detached" });
    const response = await world.platform.send("GET", `/document-store/store/${id}`);
    assert.equal(response.status, 404);
    await page.goto(`${world.platform.url}/document-stores/${id}`);
    await page
      .getByRole("alert")
      .getByText(/document store/)
      .waitFor();
  });

  it("are used by the keyboard alone", async () => {
    const page = await world.open("/document-stores");
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.getByRole("button", { name: "New store" }).first().focus();
    await press("Enter");
    await page.waitForFunction(() => document.activeElement instanceof HTMLInputElement);
    await page.keyboard.type("Keys");
    await assertAccessibleInBoth(page, "new store");
    await press("Enter");
    await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
    await assertAccessibleInBoth(page, "store empty");
    await page.getByRole("button", { name: "Add documents" }).focus();
    await press("Enter");
    await menuWithFocus(page);
    await press("ArrowDown");
    await page.waitForFunction(() => document.activeElement?.textContent.startsWith("Plain text"));
    await press("Enter");
    await page.getByRole("textbox", { name: "Text" }).focus();
    await page.keyboard.type(refunds);
    await page.getByRole("button", { name: "Save and index" }).focus();
    await press("Enter");
    await card(page, "Indexed").waitFor();
    await page.getByRole("tab", { name: "Documents" }).focus();
    await press("ArrowRight", "Tab");
    await page.waitForFunction(() => document.activeElement instanceof HTMLInputElement);
    await page.keyboard.type("refund");
    await press("Enter");
    await page.getByText(/^1 passage in /).waitFor();
    await page.getByRole("button", { name: "Actions of Keys" }).focus();
    await press("Enter");
    const menu = await menuWithFocus(page);
    await menu.getByRole("menuitem", { name: "Name and description" }).waitFor();
    await press("Escape");
    await menu.waitFor({ state: "detached" });
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Actions of Keys");
  });
});
