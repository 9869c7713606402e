import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Json } from "@weft/schema";
import { callTool, sendJson, toolNamed } from "./testing/bench.ts";
import { callEveryAction, startVendor } from "./testing/vendor.ts";

const paragraph = (content: string) => ({ paragraph: { elements: [{ textRun: { content } }] } });

describe("Google Docs", () => {
  it("reads the text of documents with tables and tabs", async (t) => {
    const cell = (content: string) => ({ content: [paragraph(`${content}\n`)] });
    const table = { table: { tableRows: [{ tableCells: [cell("Ana"), cell("3")] }] } };
    const body = { content: [{ sectionBreak: {} }, paragraph("Ages\n"), table] };
    const inner = { tabProperties: { title: "Notes" }, documentTab: { body: { content: [paragraph("Old\n")] } } };
    const tabs = [{ tabProperties: { title: "Main" }, documentTab: { body }, childTabs: [inner] }];
    const vendor = await startVendor(t, (request, response) => {
      const all = request.url.includes("includeTabsContent=true");
      sendJson(response, 200, { documentId: "d", title: "Plan", ...(all ? { tabs } : { body }) } as Json);
    });
    const [tool] = await vendor.build("google-docs", { actions: ["getTextContent"] });
    assert.ok(tool);
    const plain = await callTool(tool, { documentId: "d" }, vendor.context());
    assert.equal(plain.content, "Plan\n\nAges\nAna\n3");
    const whole = await callTool(tool, { documentId: "d", includeTabsContent: true }, vendor.context());
    assert.equal(whole.content, "Plan\n\n\n# Main\nAges\nAna\n3\n\n# Notes\nOld");
  });

  it("cuts long texts after they were read", async (t) => {
    const vendor = await startVendor(t, (_request, response) =>
      sendJson(response, 200, { documentId: "d", title: "", body: { content: [paragraph("x".repeat(60_000))] } }),
    );
    const [tool] = await vendor.build("google-docs", { actions: ["getTextContent"] });
    assert.ok(tool);
    const { content } = await callTool(tool, { documentId: "d" }, vendor.context());
    assert.match(content, /^x{40000}\n\[Cut here: the first 40000 characters of 60000/);
  });

  it("shows the answer as it is when it is no document", async (t) => {
    const vendor = await startVendor(t, (_request, response) => sendJson(response, 200, { odd: true }));
    const [tool] = await vendor.build("google-docs", { actions: ["getTextContent"] });
    assert.ok(tool);
    assert.equal((await callTool(tool, { documentId: "d" }, vendor.context())).content, '{"odd":true}');
  });

  it("creates documents with what is to be in them", async (t) => {
    const vendor = await startVendor(t, (_request, response) => sendJson(response, 200, { documentId: "d" }));
    const [tool] = await vendor.build("google-docs", { actions: ["createDocument"] });
    assert.ok(tool);
    const content = { text: "Hi", imageUrl: "https://a.example/a.png", rows: 2, columns: 3 };
    const created = await callTool(tool, { title: "Plan", ...content }, vendor.context());
    assert.equal(created.content, '{"documentId":"d"}');
    await callTool(tool, { title: "Empty" }, vendor.context());
    const location = { index: 1 };
    assert.deepEqual(
      vendor.calls().map(({ method, url, body }) => [`${method} ${url.replace(/\?.*/, "")}`, JSON.parse(body)]),
      [
        ["POST /v1/documents", { title: "Plan" }],
        [
          "POST /v1/documents/d:batchUpdate",
          {
            requests: [
              { insertTable: { rows: 2, columns: 3, location } },
              { insertInlineImage: { uri: "https://a.example/a.png", location } },
              { insertText: { text: "Hi", location } },
            ],
          },
        ],
        ["POST /v1/documents", { title: "Empty" }],
      ],
    );
  });

  it("says what was created when the rest fails", async (t) => {
    const vendor = await startVendor(t, (request, response) =>
      request.url.includes(":batchUpdate")
        ? sendJson(response, 400, { error: { message: "The image cannot be read." } })
        : sendJson(response, 200, { documentId: "d" }),
    );
    const [tool] = await vendor.build("google-docs", { actions: ["createDocument"] });
    assert.ok(tool);
    const args = { title: "Plan", imageUrl: "https://a.example/a.png" };
    const { content, isError } = await callTool(tool, args, vendor.context());
    assert.equal(isError, true);
    assert.match(content, /^\{"documentId":"d"\}\nThis was done, and then: .*400.*The image cannot be read/);
  });

  it("inserts, appends and replaces", async (t) => {
    const vendor = await startVendor(t);
    const tools = await vendor.build("google-docs", { actions: ["appendText", "replaceText", "updateDocument"] });
    const documentId = "d";
    await callTool(toolNamed(tools, "google_docs_append_text"), { documentId, text: "End" }, vendor.context());
    const replacement = { replaceText: "old", newText: "new", matchCase: true };
    await callTool(toolNamed(tools, "google_docs_replace_text"), { documentId, ...replacement }, vendor.context());
    const both = { documentId, replaceText: "old", text: "Start", index: 7 };
    await callTool(toolNamed(tools, "google_docs_update_document"), both, vendor.context());
    assert.deepEqual(
      vendor.calls().map(({ body }) => JSON.parse(body).requests),
      [
        [{ insertText: { text: "End", endOfSegmentLocation: {} } }],
        [{ replaceAllText: { containsText: { text: "old", matchCase: true }, replaceText: "new" } }],
        [
          { replaceAllText: { containsText: { text: "old", matchCase: false }, replaceText: "" } },
          { insertText: { text: "Start", location: { index: 7 } } },
        ],
      ],
    );
  });

  it("calls nothing for changes that say nothing, or half of a table", async (t) => {
    const vendor = await startVendor(t);
    const tools = await vendor.build("google-docs", { actions: ["updateDocument", "createDocument"] });
    const update = toolNamed(tools, "google_docs_update_document");
    assert.match((await callTool(update, { documentId: "d" }, vendor.context())).content, /nothing was to be changed/);
    const create = toolNamed(tools, "google_docs_create_document");
    const half = await callTool(create, { title: "Plan", rows: 2 }, vendor.context());
    assert.match(half.content, /a table needs rows and columns/);
    assert.deepEqual(vendor.calls(), []);
  });

  it("makes the request of every action", async (t) => {
    const vendor = await startVendor(t, (_request, response) => sendJson(response, 200, { documentId: "d" }));
    assert.deepEqual(await callEveryAction(vendor, "google-docs", { documentId: "d" }), [
      "POST /v1/documents",
      "POST /v1/documents/d:batchUpdate",
      "GET /v1/documents/d",
      "POST /v1/documents/d:batchUpdate",
      "POST /v1/documents/d:batchUpdate",
      "POST /v1/documents/d:batchUpdate",
      "POST /v1/documents/d:batchUpdate",
      "GET /v1/documents/d",
      "POST /v1/documents/d:batchUpdate",
      "POST /v1/documents/d:batchUpdate",
    ]);
  });
});
