import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { AttachmentResult } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { type FormPart, sendForm } from "../testing/send-form.ts";
import { agentWith, llmFlow, openTestPlatform } from "../testing/test-platform.ts";

const unknownId = "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f";
const note = { name: "note.md", type: "text/markdown", bytes: "# Grüße" };

async function open(t: TestContext, databases: TestDatabases, settings: object = {}, env: Record<string, string> = {}) {
  const platform = await openTestPlatform(t, databases, env);
  const id = await agentWith(platform, llmFlow(), settings);
  const attach = async (...parts: (readonly [string, FormPart])[]) => {
    const response = await sendForm(platform, `/attachments/${id}/chat-1`, parts);
    // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what came over the wire, which has no type
    return { status: response.status, body: (await response.json()) as any };
  };
  return { platform, id, attach };
}

const withUpload = (fullFileUpload: object) => ({ chatbotConfig: JSON.stringify({ fullFileUpload }) });

await onTestDatabase((databases) => {
  describe("attachments", () => {
    it("answer with the texts of files, in their order", async (t) => {
      const { attach, platform, id } = await open(t, databases);
      const page = { name: "dir/page.html", type: "text/html; charset=utf-8", bytes: "<p>Hello <b>there</b></p>" };
      const { status, body } = await attach(["files", note], ["files", page], ["other", "ignored"]);
      assert.equal(status, 200);
      assert.deepEqual(body as AttachmentResult[], [
        { name: "note.md", mimeType: "text/markdown", size: "9", content: "# Grüße" },
        { name: "page.html", mimeType: "text/html", size: "25", content: "Hello **there**" },
      ]);
      const stored = await platform.send("GET", `/get-upload-file?chatflowId=${id}&chatId=chat-1&fileName=note.md`);
      assert.equal(await stored.text(), "# Grüße");
    });

    it("answer with base64 where that is asked for, in any spelling", async (t) => {
      const { attach } = await open(t, databases);
      for (const [value, content] of [
        ["TRUE", "IyBHcsO8w59l"],
        ["1", "IyBHcsO8w59l"],
        ["False", "# Grüße"],
        ["0", "# Grüße"],
      ] as const) {
        assert.equal((await attach(["files", note], ["base64", value])).body[0].content, content);
      }
      const odd = await attach(["files", note], ["base64", "maybe"]);
      assert.deepEqual([odd.status, odd.body.errors[0].path], [422, "base64"]);
    });

    it("answer with base64 of any file, which need not be a document", async (t) => {
      const { attach, platform, id } = await open(t, databases, withUpload({ status: true }));
      const picture = { name: "a.png", type: "image/png", bytes: "\x89PNG" };
      const { status, body } = await attach(["files", picture], ["files", note], ["base64", "true"]);
      assert.equal(status, 200);
      const contents = (body as AttachmentResult[]).map(({ content }) => Buffer.from(content, "base64").toString());
      assert.deepEqual(contents, ["\x89PNG", "# Grüße"]);
      const stored = await platform.send("GET", `/get-upload-file?chatflowId=${id}&chatId=chat-1&fileName=a.png`);
      assert.equal(stored.status, 200);
      const listed = await open(t, databases, withUpload({ status: true, allowedUploadFileTypes: "text/markdown" }));
      const refused = await listed.attach(["files", picture], ["base64", "true"]);
      assert.deepEqual([refused.status, refused.body.code], [400, "parameters-invalid"]);
      const off = await open(t, databases, withUpload({ status: false }));
      assert.equal((await off.attach(["files", picture], ["base64", "true"])).status, 400);
    });

    it("refuse what is missing, too much or no document", async (t) => {
      const { attach, platform, id } = await open(t, databases);
      const none = await attach(["file", note]);
      assert.deepEqual([none.status, none.body.errors[0].path], [422, "files"]);
      const many = await attach(...Array.from({ length: 21 }, () => ["files", note] as const));
      assert.deepEqual([many.status, many.body.code], [400, "form-unparsable"]);
      const image = await attach(["files", { name: "a.png", type: "image/png", bytes: "\x89PNG" }]);
      assert.deepEqual([image.status, image.body.code], [422, "document-unsupported"]);
      assert.match(image.body.message, /a\.png has an unsupported format.*docx/);
      const broken = await attach(["files", note], ["files", { name: "a.docx", bytes: "no zip" }]);
      assert.deepEqual([broken.status, broken.body.code], [422, "document-unreadable"]);
      const json = await platform.send("POST", `/attachments/${id}/chat-1`, { files: [] });
      assert.equal(json.status, 415);
      const stored = await platform.send("GET", `/get-upload-file?chatflowId=${id}&chatId=chat-1&fileName=note.md`);
      assert.equal(stored.status, 404, "nothing is stored when one file is refused");
    });

    it("need an agent and a chat", async (t) => {
      const { platform, id } = await open(t, databases);
      const statusOf = async (path: string) => (await sendForm(platform, path, [["files", note]])).status;
      assert.equal(await statusOf(`/attachments/${unknownId}/chat-1`), 404);
      assert.equal(await statusOf("/attachments/no-uuid/chat-1"), 400);
      assert.equal(await statusOf(`/attachments/${id}/${"c".repeat(201)}`), 400);
      assert.equal(await statusOf(`/attachments/${id}/a%0Ab`), 400);
      for (const chat of ["..%2F..%2Fetc", "%2e%2e%2fa", "a%00b", "a%5Cb", "..%252Fa", "a%2F..%2Fb"]) {
        assert.equal(await statusOf(`/attachments/${id}/${chat}`), 400, chat);
      }
      assert.equal(await statusOf(`/attachments/${id}/${encodeURIComponent("Üb er/…")}`), 200);
    });

    it("follow the agent's settings where it has some", async (t) => {
      const off = await open(t, databases, withUpload({ status: false }));
      const refused = await off.attach(["files", note]);
      assert.deepEqual([refused.status, refused.body.message.slice(0, 26)], [400, "This agent takes no files."]);
      const listed = await open(
        t,
        databases,
        withUpload({ status: true, allowedUploadFileTypes: "text/csv, text/markdown" }),
      );
      const other = await listed.attach(["files", { name: "a.txt", type: "text/plain", bytes: "x" }]);
      assert.deepEqual([other.status, other.body.code], [400, "parameters-invalid"]);
      assert.match(other.body.message, /no files of the type text\/plain. It takes text\/csv, text\/markdown/);
      assert.equal((await listed.attach(["files", { ...note, type: "application/octet-stream" }])).status, 200);
      const strange = await open(t, databases, { chatbotConfig: '{"fullFileUpload":"on"}' });
      assert.equal((await strange.attach(["files", note])).status, 200);
    });

    it("need the permission, and none for a public agent", async (t) => {
      const { platform, id } = await open(t, databases, { isPublic: true }, { ALLOW_PUBLIC_FLOWS: "true" });
      const closed = await agentWith(platform, llmFlow());
      const statusOf = async (agent: string, headers: Record<string, string>) => {
        const path = `/attachments/${agent}/0b7f4c1e-6d2a-4f3b-9c8d-1e2f3a4b5c6d`;
        return (await sendForm(platform, path, [["files", note]], headers)).status;
      };
      assert.equal(await statusOf(id, {}), 200);
      assert.equal(await statusOf(closed, {}), 401);
      const key = (permissions: string[]) =>
        platform.json<{ apiKey: string }>("POST", "/apikey", { keyName: permissions.join(), permissions });
      const { apiKey: reader } = await key(["agents:read"]);
      const { apiKey: writer } = await key(["attachments:write"]);
      assert.equal(await statusOf(closed, { authorization: `Bearer ${reader}` }), 403);
      assert.equal(await statusOf(closed, { authorization: `Bearer ${writer}` }), 200);
    });
  });
});
