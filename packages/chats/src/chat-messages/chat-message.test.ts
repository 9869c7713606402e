import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatMessage } from "@weft/schema";
import { createResourceApi } from "../../../agents/src/testing/bench.ts";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";

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
      "feedbackType=THUMBS_UP&feedback=0&chatId=c1": "a",
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

  test("with feedback only rated messages are listed, of the rating that is asked for, and carry it", async (t) => {
    const { call, recordTurn } = createResourceApi(await openTestDatabase(t));
    const rated = [];
    for (const [question, rating] of Object.entries({ up: "THUMBS_UP", down: "THUMBS_DOWN" })) {
      const messageId = await recordTurn({ agentId, question });
      rated.push((await call("POST", "/feedback", { messageId, rating, content: question })).body);
    }
    await recordTurn({ agentId, question: "unrated" });
    const ask = async (query: string) => (await call("GET", `/chatmessage/${agentId}?${query}`)).body;
    const all = await ask("feedback=true");
    assert.deepEqual(texts(all), ["up!", "down!"]);
    assert.deepEqual([all[0].feedback, all[1].feedback], rated);
    const expected: Record<string, string[]> = {
      "feedback=true&order=DESC": ["down!", "up!"],
      "feedback=true&feedbackType=THUMBS_UP": ["up!"],
      "feedback=TRUE&feedbackType=THUMBS_UP&feedbackType=THUMBS_DOWN": ["up!", "down!"],
      "feedback=1&feedbackType=%5B%22THUMBS_DOWN%22%5D": ["down!"],
      "feedback=true&chatId=elsewhere": [],
      "feedback=false&feedbackType=THUMBS_UP&order=DESC": ["unrated!", "unrated", "down!", "down", "up!", "up"],
    };
    for (const [query, found] of Object.entries(expected)) assert.deepEqual(texts(await ask(query)), found, query);
    const page = await ask("feedback=true&page=2&limit=1");
    assert.deepEqual([page.data[0].feedback, page.total], [rated[1], 2]);
    assert.equal("feedback" in (await ask("chatId=chat"))[1], false);
  });

  test("deleting by the rating removes those messages and their feedback, no other", async (t) => {
    const { call, recordTurn } = createResourceApi(await openTestDatabase(t));
    for (const [question, rating] of Object.entries({ up: "THUMBS_UP", down: "THUMBS_DOWN" })) {
      const messageId = await recordTurn({ agentId, question, chatId: question });
      await call("POST", "/feedback", { messageId, rating, content: question });
    }
    const left = async () =>
      (await call("GET", `/feedback/${agentId}`)).body.map(({ content }: { content: string }) => content);
    assert.equal((await call("DELETE", `/chatmessage/${agentId}?chatId=down&feedbackType=THUMBS_UP`)).status, 404);
    assert.deepEqual(await left(), ["up", "down"]);
    assert.equal((await call("DELETE", `/chatmessage/${agentId}?feedbackType=THUMBS_UP`)).status, 200);
    assert.deepEqual(await left(), ["down"]);
    assert.deepEqual(texts((await call("GET", `/chatmessage/${agentId}`)).body), ["up", "down", "down!"]);
    assert.equal((await call("DELETE", `/chatmessage/${agentId}?chatId=down`)).status, 200);
    assert.deepEqual(await left(), []);
  });

  test("the builder's own chats are listed apart, with the same filters", async (t) => {
    const { call, recordTurn } = createResourceApi(await openTestDatabase(t));
    await recordTurn({ agentId, question: "in", chatType: "INTERNAL" });
    await recordTurn({ agentId, question: "out", chatType: "EXTERNAL" });
    const path = `/internal-chatmessage/${agentId}`;
    for (const query of ["", "?chatType=EXTERNAL"]) {
      assert.deepEqual(texts((await call("GET", `${path}${query}`)).body), ["in", "in!"], query);
    }
    assert.deepEqual(texts((await call("GET", `${path}?order=DESC&chatId=chat`)).body), ["in!", "in"]);
    assert.deepEqual((await call("GET", `${path}?feedback=true`)).body, []);
    assert.deepEqual((await call("GET", `/internal-chatmessage/${unknownId}`)).body, []);
    assert.equal((await call("GET", `${path}?order=UP`)).status, 400);
  });

  test("statistics count what matches", async (t) => {
    const clock = { nowMs: Date.parse("2026-01-01T00:00:00Z"), now: () => clock.nowMs };
    const { call, recordTurn } = createResourceApi(await openTestDatabase(t), clock);
    const rate = async (rating: string, facts: object) =>
      call("POST", "/feedback", { messageId: await recordTurn({ agentId, ...facts }), rating });
    await rate("THUMBS_UP", { agentId: unknownId });
    await rate("THUMBS_UP", { sessionId: "s1" });
    clock.nowMs = Date.parse("2026-01-02T00:00:00Z");
    await rate("THUMBS_DOWN", { sessionId: "s1" });
    await recordTurn({ agentId, sessionId: "s2", chatType: "INTERNAL" });
    const expected: Record<string, number[]> = {
      "": [6, 2, 2, 1],
      "?chatType=INTERNAL": [2, 1, 0, 0],
      "?startDate=2026-01-02": [4, 2, 1, 0],
      "?endDate=2026-01-01": [2, 1, 1, 1],
      "?endDate=2026-01-02": [6, 2, 2, 1],
      "?feedbackType=THUMBS_DOWN": [1, 1, 1, 0],
      "?feedbackType=THUMBS_DOWN&feedbackType=THUMBS_UP": [2, 1, 2, 1],
    };
    for (const [query, counts] of Object.entries(expected)) {
      const { status, body } = await call("GET", `/stats/${agentId}${query}`);
      const [totalMessages, totalSessions, totalFeedback, positiveFeedback] = counts;
      assert.deepEqual([status, body], [200, { totalMessages, totalSessions, totalFeedback, positiveFeedback }], query);
    }
    for (const id of ["no-uuid", "44444444-4444-4444-8444-444444444444"]) {
      const { body } = await call("GET", `/stats/${id}`);
      assert.deepEqual(Object.values(body), [0, 0, 0, 0]);
    }
    assert.equal((await call("GET", `/stats/${agentId}?chatType=OTHER`)).status, 400);
  });

  test("without credentials messages are neither read nor deleted", async (t) => {
    const { callAs } = createResourceApi(await openTestDatabase(t));
    for (const method of ["GET", "DELETE"] as const) {
      assert.equal((await callAs(undefined, method, `/chatmessage/${agentId}`)).status, 401);
    }
    for (const path of ["internal-chatmessage", "stats"]) {
      assert.equal((await callAs(undefined, "GET", `/${path}/${agentId}`)).status, 401);
      assert.equal((await callAs(["messages:write"], "GET", `/${path}/${agentId}`)).status, 403);
    }
  });
});
