import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatMessage } from "@weft/schema";
import { createResourceApi } from "../agents/testing/resource-api.ts";
import { forEachDatabase } from "../storage/testing/test-databases.ts";

const unknownId = "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f";
const agentId = "11111111-1111-1111-1111-111111111111";

const texts = (messages: ChatMessage[]) => messages.map((message) => message.content);

await forEachDatabase(({ openTestDatabase }) => {
  test("messages of an agent are listed in order, with lists as arrays", async (t) => {
    const { call, recordTurn } = createResourceApi(await openTestDatabase(t));
    const usedTools = [{ tool: "t", toolInput: { a: [1, null] }, toolOutput: "o" }];
    await recordTurn({ agentId, question: "one", usedTools });
    await recordTurn({ agentId, question: "two" });
    const { status, body } = await call("GET", `/chatmessage/${agentId}`);
    assert.equal(status, 200);
    assert.deepEqual(texts(body), ["one", "one!", "two", "two!"]);
    assert.deepEqual(body[1].usedTools, usedTools);
    assert.deepEqual([body[0].action, body[0].fileUploads, body[0].leadEmail], [[], [], ""]);
    const reversed = await call("GET", `/chatmessage/${agentId}?order=DESC`);
    assert.deepEqual(texts(reversed.body), ["two!", "two", "one!", "one"]);
    const page = await call("GET", `/chatmessage/${agentId}?page=2&limit=3`);
    assert.deepEqual([texts(page.body.data), page.body.total], [["two!"], 4]);
  });

  test("filters restrict, alone and together; dates are inclusive", async (t) => {
    const { call, recordTurn } = createResourceApi(await openTestDatabase(t));
    const day = (date: string) => Date.parse(`${date}T00:00:00Z`);
    await recordTurn({ agentId, question: "a", chatId: "c1", sessionId: "s1", askedAt: day("2026-01-01") });
    await recordTurn({ agentId, question: "b", chatId: "c2", sessionId: "s2", askedAt: day("2026-01-02") });
    await recordTurn({ agentId, question: "c", chatId: "c3", sessionId: "s3", askedAt: day("2026-01-03") });
    await recordTurn({ agentId, question: "i", chatType: "INTERNAL", memoryType: "Buffer Memory", chatId: "c4" });
    const ask = async (query: string) => {
      const { status, body } = await call("GET", `/chatmessage/${agentId}?${query}`);
      assert.equal(status, 200, query);
      return texts(body.filter((message: ChatMessage) => message.role === "userMessage")).join("");
    };
    const { body } = await call("GET", `/chatmessage/${agentId}?chatId=c1`);
    assert.equal(body.length, 2);
    const expected: Record<string, string> = {
      "chatId=c1": "a",
      "sessionId=s2": "b",
      "sessionId=s3&chatId=c3": "c",
      "sessionId=s1&chatId=c3": "",
      "memoryType=Buffer%20Memory": "i",
      "chatType=INTERNAL": "i",
      "chatType=INTERNAL&chatType=EXTERNAL": "abci",
      "chatType=%5B%22EXTERNAL%22%5D": "abc",
      [`messageId=${body[0].id}`]: "a",
      "startDate=2026-01-02T00:00:00.000Z&chatType=EXTERNAL": "bc",
      "endDate=2026-01-02T00:00:00.000Z": "ab",
      "endDate=2026-01-02T01:00:00%2B01:00": "ab",
      "endDate=2026-01-02T01:00:00+01:00": "ab",
      "startDate=2026-01-02&endDate=2026-01-02": "b",
      "feedback=false&chatId=c1": "a",
      "feedback=true": "",
      "feedbackType=THUMBS_UP&chatId=c1": "a",
    };
    for (const [query, found] of Object.entries(expected)) assert.equal(await ask(query), found, query);
  });

  test("an unknown agent and a malformed id have no messages", async (t) => {
    const { call } = createResourceApi(await openTestDatabase(t));
    for (const id of [unknownId, "no-uuid"]) {
      const { status, body } = await call("GET", `/chatmessage/${id}`);
      assert.deepEqual([status, body], [200, []]);
    }
  });

  test("a query that cannot be read is 400, for reading and deleting, and deletes nothing", async (t) => {
    const { call, recordTurn } = createResourceApi(await openTestDatabase(t));
    await recordTurn({ agentId });
    for (const query of [
      "chatType=OTHER",
      "startDate=yesterday",
      "endDate=2026-13-01",
      "feedbackType=MEH",
      "chatType=%5B",
      "chatType=%5B%5D",
    ]) {
      for (const method of ["GET", "DELETE"] as const) {
        const { status, body } = await call(method, `/chatmessage/${agentId}?${query}`);
        assert.deepEqual([status, body.code], [400, "query-invalid"], `${method} ${query}`);
      }
    }
    assert.equal((await call("GET", `/chatmessage/${agentId}?order=UP`)).status, 400);
    assert.equal((await call("DELETE", `/chatmessage/${agentId}?hardDelete=perhaps`)).status, 400);
    assert.equal((await call("GET", `/chatmessage/${agentId}`)).body.length, 2);
  });

  test("deleting removes what matches, of this agent alone, and is 404 when nothing does", async (t) => {
    const { call, recordTurn } = createResourceApi(await openTestDatabase(t));
    await recordTurn({ agentId, question: "a", chatId: "c1" });
    await recordTurn({ agentId, question: "b", chatId: "c2" });
    await recordTurn({ agentId: unknownId, question: "other", chatId: "c1" });
    const deleted = await call("DELETE", `/chatmessage/${agentId}?chatId=c1`);
    assert.deepEqual([deleted.status, deleted.text], [200, ""]);
    assert.deepEqual(texts((await call("GET", `/chatmessage/${agentId}`)).body), ["b", "b!"]);
    assert.equal((await call("GET", `/chatmessage/${unknownId}`)).body.length, 2);
    for (const query of ["?chatId=c1", "?chatId=c2&feedbackType=THUMBS_UP", "?endDate=2001-01-01"]) {
      const nothing = await call("DELETE", `/chatmessage/${agentId}${query}`);
      assert.deepEqual([nothing.status, nothing.body.code], [404, "messages-not-found"], query);
    }
    const hard = await call("DELETE", `/chatmessage/${agentId}?hardDelete=true`);
    assert.deepEqual([hard.status, hard.text, hard.headers.get("x-hard-delete")], [200, "", "unsupported"]);
    assert.deepEqual((await call("GET", `/chatmessage/${agentId}`)).body, []);
    assert.equal((await call("DELETE", `/chatmessage/${agentId}`)).status, 404);
    assert.equal((await call("DELETE", "/chatmessage/no-uuid")).status, 400);
  });

  test("without credentials messages are neither read nor deleted", async (t) => {
    const { callAs } = createResourceApi(await openTestDatabase(t));
    for (const method of ["GET", "DELETE"] as const) {
      assert.equal((await callAs(undefined, method, `/chatmessage/${agentId}`)).status, 401);
    }
  });
});
