import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it } from "node:test";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, flowOf, openTestPlatform } from "../testing/test-platform.ts";

const reply = flowOf("direct-reply", "Reply", { message: "Hello" });

await onTestDatabase((databases) => {
  describe("what a visitor leaves", () => {
    it("gets its id from the server; callers with credentials may bring one", async (t) => {
      const platform = await openTestPlatform(t, databases, { ALLOW_PUBLIC_FLOWS: "true" });
      const chatflowid = await agentWith(platform, reply, { isPublic: true });
      const chatId = randomUUID();
      const visit = async (method: string, path: string, body?: unknown) => {
        const init = { method, headers: { "content-type": "application/json" } };
        const url = `http://platform/api/v1${path}`;
        const response = await platform.fetch(
          new Request(url, { ...init, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
        );
        assert.equal(response.status, 200, path);
        return (await response.json()) as Record<string, string>;
      };
      const mine = randomUUID();
      const lead = { chatflowid, chatId, name: "Ada", id: mine, createdDate: "2001-01-01T00:00:00Z" };
      const left = await visit("POST", "/leads", lead);
      assert.notEqual(left.id, mine);
      assert.notEqual(left.createdDate, lead.createdDate);
      assert.equal((await platform.json<{ id: string }>("POST", "/leads", lead)).id, mine);
      for (const [method, path, inBody] of [
        ["POST", "/feedback", true],
        ["POST", `/feedback/${mine}`, false],
        ["GET", `/feedback/${mine}?`, false],
      ] as const) {
        const { chatMessageId: messageId = "" } = await visit("POST", `/prediction/${chatflowid}`, {
          question: "Hi",
          chatId,
        });
        const fields = { chatflowid, chatId, messageId, rating: "THUMBS_UP" };
        const feedback =
          method === "GET"
            ? await visit(method, `${path}${new URLSearchParams(fields)}`)
            : await visit(method, path, { ...fields, ...(inBody && { id: mine }) });
        assert.equal(feedback.messageId, messageId);
        assert.notEqual(feedback.id, mine, `${method} ${path}`);
      }
    });

    it("names chats and sessions by ids that no path, log or header can be made of", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const id = await agentWith(platform, reply);
      for (const chatId of ["../x", "..", "a\\b", "a\u0000b", "a\nb", "x%2F..%2Fy", "%00", "c".repeat(201)]) {
        const asked = await platform.send("POST", `/prediction/${id}`, { question: "Hi", chatId });
        const { code, message } = (await asked.json()) as { code: string; message: string };
        assert.deepEqual([asked.status, code], [400, "parameters-invalid"], JSON.stringify(chatId));
        assert.match(message, /chatId must/);
        const aborted = await platform.send("PUT", `/chatmessage/abort/${id}/${encodeURIComponent(chatId)}`);
        assert.ok(aborted.status >= 400 && aborted.status < 500, chatId);
      }
      for (const chatId of ["customer 7", "a..b", "Größe/7", "100%"]) {
        assert.equal(
          (await platform.send("POST", `/prediction/${id}`, { question: "Hi", chatId })).status,
          200,
          chatId,
        );
      }
    });
  });
});
