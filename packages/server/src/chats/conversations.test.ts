import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it, type TestContext } from "node:test";
import type { ChatMessage, ChatReplies, Conversation, ConversationList, PredictionResult } from "@weft/schema";
import { forEachDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { agentWith, openTestPlatform } from "../testing/test-platform.ts";

const echo = JSON.stringify({
  weft: 1,
  nodes: [
    { id: "start", type: "start" },
    { id: "end", type: "direct-reply", config: { message: "Agent: {{ question }}" } },
  ],
  edges: [{ id: "a", source: "start", target: "end" }],
});

type List = ConversationList;

async function open(t: TestContext, databases: TestDatabases) {
  const platform = await openTestPlatform(t, databases);
  const agentId = await agentWith(platform, echo);
  const chatId = randomUUID();
  const ask = (question: string, more: object = {}) =>
    platform.json<PredictionResult>("POST", `/prediction/${agentId}`, { question, chatId, ...more });
  const list = async (query = "") => platform.json<List>("GET", `/conversations${query}`);
  const only = async () => {
    const { data } = await list();
    assert.equal(data.length, 1);
    return data[0] as Conversation;
  };
  const replies = (after = "") =>
    platform.json<ChatReplies>("GET", `/chatmessage/replies/${agentId}/${chatId}${after && `?after=${after}`}`);
  const said = async () => {
    const messages = await platform.json<ChatMessage[]>("GET", `/chatmessage/${agentId}?chatId=${chatId}`);
    return messages.map(({ role, content, author }) => [role, content, ...(author === undefined ? [] : [author])]);
  };
  const post = (id: string, text: string) => platform.send("POST", `/conversations/${id}/replies`, { text });
  return { platform, agentId, chatId, ask, list, only, replies, said, post };
}

await forEachDatabase((databases) => {
  describe("people who answer in place of an agent", () => {
    it("answer what is sent to the chat, until they hand it back", async (t) => {
      const { platform, ask, only, replies, said, post } = await open(t, databases);
      await ask("One");
      const { id, takenOver } = await only();
      assert.equal(takenOver, null);
      const taken = await platform.json<Conversation>("PUT", `/conversations/${id}/take-over`, { name: "Ada" });
      assert.equal(taken.takenOver?.name, "Ada");
      const answer = await ask("Two");
      assert.deepEqual([answer.takenOver?.name, answer.executionId, answer.question], ["Ada", "", "Two"]);
      assert.match(answer.text, /person answers/);
      assert.equal((await post(id, "Here I am.")).status, 200);
      assert.deepEqual(
        (await replies()).replies.map(({ author, text }) => [author, text]),
        [["Ada", "Here I am."]],
      );
      assert.equal((await replies()).takenOver?.name, "Ada");
      const back = await platform.json<Conversation>("DELETE", `/conversations/${id}/take-over`);
      assert.equal(back.takenOver, null);
      assert.deepEqual(
        back.events.map(({ type }) => type),
        ["taken-over", "handed-back"],
      );
      assert.equal((await ask("Three")).text, "Agent: Three");
      assert.deepEqual(await said(), [
        ["userMessage", "One"],
        ["apiMessage", "Agent: One"],
        ["userMessage", "Two"],
        ["apiMessage", "Here I am.", "Ada"],
        ["userMessage", "Three"],
        ["apiMessage", "Agent: Three"],
      ]);
      assert.equal((await replies()).takenOver, null);
    });

    it("are told of by a stream, too", async (t) => {
      const { platform, agentId, chatId, ask, only } = await open(t, databases);
      await ask("One");
      await platform.json("PUT", `/conversations/${(await only()).id}/take-over`, {});
      const response = await platform.send("POST", `/prediction/${agentId}`, {
        question: "Two",
        chatId,
        streaming: true,
      });
      const text = await response.text();
      assert.match(text, /"takenOver":\{"name":""/);
      assert.match(text, /\[DONE\]/);
    });

    it("get a message once, however often it is sent", async (t) => {
      const { platform, agentId, chatId, ask, only, said } = await open(t, databases);
      await ask("One");
      await platform.json("PUT", `/conversations/${(await only()).id}/take-over`, {});
      const send = () =>
        platform.send("POST", `/prediction/${agentId}`, { question: "Two", chatId }, { "Idempotency-Key": "again" });
      const first = (await (await send()).json()) as PredictionResult;
      const second = (await (await send()).json()) as PredictionResult;
      assert.equal(second.chatMessageId, first.chatMessageId);
      assert.deepEqual(await said(), [
        ["userMessage", "One"],
        ["apiMessage", "Agent: One"],
        ["userMessage", "Two"],
      ]);
    });

    it("write only to conversations that they took over, and no empty or endless text", async (t) => {
      const { platform, ask, only, post } = await open(t, databases);
      await ask("One");
      const { id } = await only();
      assert.equal((await post(id, "Too early")).status, 409);
      await platform.json("PUT", `/conversations/${id}/take-over`, {});
      assert.equal((await post(id, " \n")).status, 400);
      assert.equal((await post(id, "a".repeat(20_001))).status, 400);
      assert.equal((await post(id, "a".repeat(20_000))).status, 200);
      const tooLong = await platform.send("PUT", `/conversations/${id}/take-over`, { name: "n".repeat(81) });
      assert.equal(tooLong.status, 400);
    });

    it("do not interfere with each other", async (t) => {
      const { platform, ask, only } = await open(t, databases);
      await ask("One");
      const { id } = await only();
      await platform.json("PUT", `/conversations/${id}/take-over`, { name: "Ada" });
      const permissions = ["messages:read", "chats:write"];
      const key = await platform.json<{ apiKey: string }>("POST", "/apikey", { keyName: "Bob", permissions });
      const asBob = { authorization: `Bearer ${key.apiKey}` };
      const second = await platform.send("PUT", `/conversations/${id}/take-over`, { name: "Bob" }, asBob);
      assert.equal(second.status, 409);
      assert.equal((await platform.send("POST", `/conversations/${id}/replies`, { text: "Hi" }, asBob)).status, 409);
      assert.equal((await platform.send("DELETE", `/conversations/${id}/take-over`, undefined, asBob)).status, 200);
      assert.equal((await platform.send("PUT", `/conversations/${id}/take-over`, {}, asBob)).status, 200);
    });

    it("are told apart by who they are, and not by their names", async (t) => {
      const { platform, ask, only } = await open(t, databases);
      await ask("One");
      const { id } = await only();
      const permissions = ["messages:read", "chats:write"];
      const [first, second] = await Promise.all(
        ["a", "b"].map((clientId) =>
          platform.json<{ apiKey: string }>("POST", "/apikey", { keyName: "Support", permissions, clientId }),
        ),
      );
      const as = (key: { apiKey: string } | undefined) => ({ authorization: `Bearer ${key?.apiKey}` });
      const take = (key: typeof first) => platform.send("PUT", `/conversations/${id}/take-over`, {}, as(key));
      assert.deepEqual(
        [(await take(first)).status, (await take(second)).status, (await take(first)).status],
        [200, 409, 200],
      );
    });

    it("answer at most 1,000 conversations of an agent", async (t) => {
      const storage = await databases.createTestStorage(t);
      const here = { createTestStorage: async () => storage };
      const before = await openTestPlatform(t, here);
      const agentId = await agentWith(before, echo);
      await before.json("POST", `/prediction/${agentId}`, { question: "Hi" });
      const { id } = (await before.json<List>("GET", "/conversations")).data[0] as Conversation;
      await before.json("PUT", `/conversations/${id}/take-over`, {});
      await before.json("POST", `/prediction/${agentId}`, { question: "Hello" });
      await before.close();
      const database = await storage.open();
      const [row] = await database.read.selectFrom("conversations").selectAll().execute();
      assert.ok(row);
      const rows = Array.from({ length: 999 }, (_, index) => ({ ...row, chatId: `chat ${index}` }));
      for (const some of [rows.slice(0, 500), rows.slice(500)]) {
        await database.write((tx) => tx.insertInto("conversations").values(some).execute());
      }
      await database.close();
      const platform = await openTestPlatform(t, here);
      const other = (await platform.json<List>("GET", "/conversations?search=hello")).data[0] as Conversation;
      const path = `/conversations/${other.id}/take-over`;
      assert.equal((await platform.send("PUT", path, {})).status, 409);
      await platform.json("DELETE", `/conversations/${id}/take-over`);
      assert.equal((await platform.send("PUT", path, {})).status, 200);
    });

    it("get what comes after a message", async (t) => {
      const { platform, ask, only, replies, post } = await open(t, databases);
      await ask("One");
      const { id } = await only();
      await platform.json("PUT", `/conversations/${id}/take-over`, {});
      for (const text of ["a", "b", "c"]) assert.equal((await post(id, text)).status, 200);
      const all = (await replies()).replies;
      assert.deepEqual(
        all.map(({ text }) => text),
        ["a", "b", "c"],
      );
      const later = (await replies(all[0]?.id)).replies.map(({ text }) => text);
      assert.deepEqual(later, ["b", "c"]);
      assert.deepEqual((await replies(randomUUID())).replies, []);
    });

    it("are one, however many take a conversation over at the same moment", async (t) => {
      const { platform, ask, only } = await open(t, databases);
      await ask("One");
      const { id } = await only();
      const permissions = ["messages:read", "chats:write"];
      const keys = await Promise.all(
        ["a", "b", "c", "d"].map((keyName) =>
          platform.json<{ apiKey: string }>("POST", "/apikey", { keyName, permissions }),
        ),
      );
      const statuses = await Promise.all(
        keys.map(async ({ apiKey }) => {
          const authorization = `Bearer ${apiKey}`;
          return (await platform.send("PUT", `/conversations/${id}/take-over`, {}, { authorization })).status;
        }),
      );
      assert.deepEqual(statuses.toSorted(), [200, 409, 409, 409]);
      assert.equal((await only()).events.length, 1);
    });

    it("cost a visitor's budget what an answer of the agent does, and reply to nobody else", async (t) => {
      const platform = await openTestPlatform(t, databases, { ALLOW_PUBLIC_FLOWS: "true", PUBLIC_RATE_LIMIT: "0" });
      const budget = { visitors: { chat: { runs: 2 }, questionCharacters: 100 } };
      const agentId = await agentWith(platform, echo, { isPublic: true, apiConfig: JSON.stringify({ budget }) });
      const chatId = randomUUID();
      const visit = (method: string, path: string, body?: object) =>
        platform.fetch(
          new Request(`http://platform/api/v1${path}`, {
            method,
            headers: { "content-type": "application/json" },
            ...(body && { body: JSON.stringify(body) }),
          }),
        );
      const ask = (question: string) => visit("POST", `/prediction/${agentId}`, { question, chatId });
      assert.equal((await ask("One")).status, 200);
      const { data } = await platform.json<List>("GET", "/conversations");
      const path = `/conversations/${data[0]?.id}`;
      await platform.json("PUT", `${path}/take-over`, { name: "Ada" });
      assert.equal((await ask("a".repeat(101))).status, 422);
      assert.equal((await ask("Two")).status, 200);
      assert.equal((await ask("Three")).status, 429);
      await platform.json("POST", `${path}/replies`, { text: "Here I am." });
      const read = async (chat: string) =>
        (await (await visit("GET", `/chatmessage/replies/${agentId}/${chat}`)).json()) as ChatReplies;
      assert.equal((await read(chatId)).replies.length, 1);
      assert.deepEqual(await read(randomUUID()), { takenOver: null, replies: [] });
      assert.equal((await visit("GET", path)).status, 401);
      await platform.json("PUT", `/chatflows/${agentId}`, { isPublic: false });
      assert.equal((await visit("GET", `/chatmessage/replies/${agentId}/${chatId}`)).status, 401);
    });

    it("are unknown to conversations that do not exist", async (t) => {
      const { platform, agentId } = await open(t, databases);
      const unknown = Buffer.from(JSON.stringify([agentId, "chat", "anonymous"])).toString("base64url");
      for (const id of [unknown, "x", "%00", "e30", Buffer.from("[1,2,3]").toString("base64url")]) {
        assert.equal((await platform.send("GET", `/conversations/${id}`)).status, 404, id);
        assert.equal((await platform.send("PUT", `/conversations/${id}/take-over`, {})).status, 404, id);
        assert.equal((await platform.send("PATCH", `/conversations/${id}`, { note: "x" })).status, 404, id);
      }
    });
  });

  describe("the list of conversations", () => {
    it("finds them by words, rating, label and state", async (t) => {
      const { platform, agentId, ask, list } = await open(t, databases);
      const { chatMessageId } = await ask("Where is my refund?");
      const other = randomUUID();
      await ask("Hello 100%", { chatId: other });
      const { chatId } = (await list("?search=REFUND")).data[0] as Conversation;
      const rating = { chatflowid: agentId, chatId, messageId: chatMessageId, rating: "THUMBS_DOWN", content: "Bad" };
      await platform.json("POST", "/feedback", rating);
      const found = async (query: string) => (await list(query)).data.map((one) => one.chatId);
      assert.deepEqual(await found(""), [other, chatId]);
      assert.deepEqual(await found("?search=refund"), [chatId]);
      assert.deepEqual(await found("?search=100%25"), [other]);
      assert.deepEqual(await found("?search=%25"), [other]);
      assert.deepEqual(await found("?rating=THUMBS_DOWN"), [chatId]);
      assert.deepEqual(await found("?rating=THUMBS_UP"), []);
      assert.deepEqual(await found("?rating=THUMBS_DOWN&search=hello"), []);
      assert.deepEqual(await found("?state=waiting"), []);
      assert.deepEqual(await found(`?agentId=${randomUUID()}`), []);
      assert.deepEqual(await found(`?agentId=${agentId}&limit=1`), [other]);
      assert.deepEqual(await found("?limit=1&page=2"), [chatId]);
      assert.equal((await list("?limit=1")).total, 2);
      const { id, thumbsDown, messageCount, first, last } = (await list("?search=refund")).data[0] as Conversation;
      assert.deepEqual(
        [thumbsDown, messageCount, first.content, last.content],
        [1, 2, "Where is my refund?", "Agent: Where is my refund?"],
      );
      const labelled = await platform.json<Conversation>("PATCH", `/conversations/${id}`, {
        labels: [" refund ", "refund", "angry"],
        note: "Call back",
      });
      assert.deepEqual([labelled.labels, labelled.note], [["refund", "angry"], "Call back"]);
      assert.deepEqual(await found("?label=refund"), [chatId]);
      assert.deepEqual(await found("?label=ref"), []);
      assert.deepEqual(await found("?state=taken-over"), []);
      await platform.json("PUT", `/conversations/${id}/take-over`, {});
      assert.deepEqual(await found("?state=taken-over"), [chatId]);
    });

    it("looks at 5,000 messages at a time, and says where older ones begin", async (t) => {
      const storage = await databases.createTestStorage(t);
      const here = { createTestStorage: async () => storage };
      const before = await openTestPlatform(t, here);
      const agentId = await agentWith(before, echo);
      await before.json("POST", `/prediction/${agentId}`, { question: "Hi" });
      await before.close();
      const database = await storage.open();
      const [model] = await database.read.selectFrom("chatMessages").selectAll().execute();
      assert.ok(model);
      const rows = Array.from({ length: 5_010 }, (_, index) => ({
        ...model,
        id: randomUUID(),
        chatId: `chat ${Math.floor(index / 10)}`,
        createdDate: new Date(Date.parse("2026-01-01T00:00:00Z") + index).toISOString(),
      }));
      while (rows.length > 0) {
        const some = rows.splice(0, 500);
        await database.write((tx) => tx.insertInto("chatMessages").values(some).execute());
      }
      await database.close();
      const platform = await openTestPlatform(t, here);
      const list = (query: string) => platform.json<List>("GET", `/conversations?limit=1${query}`);
      const newest = await list("");
      assert.deepEqual([newest.total, newest.olderThan], [501, "2026-01-01T00:00:00.012Z"]);
      const older = await list(`&endDate=${newest.olderThan}`);
      assert.deepEqual([older.total, older.olderThan, older.data[0]?.chatId], [2, null, "chat 1"]);
      assert.equal((await list(`&agentId=${agentId}`)).olderThan, newest.olderThan);
    });

    it("refuses words, labels and ids that are too long", async (t) => {
      const { platform } = await open(t, databases);
      const status = async (path: string) => (await platform.send("GET", path)).status;
      assert.equal(await status(`/conversations?search=${"x".repeat(200)}`), 200);
      assert.equal(await status(`/conversations?search=${"x".repeat(201)}`), 400);
      assert.equal(await status(`/conversations?label=${"x".repeat(41)}`), 400);
      assert.equal(await status(`/conversations/${"x".repeat(2_000)}`), 404);
      assert.equal(await status(`/conversations/${"x".repeat(2_001)}`), 400);
    });

    it("refuses labels and notes beyond their limits", async (t) => {
      const { platform, ask, only } = await open(t, databases);
      await ask("Hi");
      const { id } = await only();
      const refused = [
        { labels: Array.from({ length: 21 }, (_, index) => `l${index}`) },
        { labels: ["x".repeat(41)] },
        { labels: [" "] },
        { note: "n".repeat(5_001) },
      ];
      for (const body of refused)
        assert.equal((await platform.send("PATCH", `/conversations/${id}`, body)).status, 400);
      assert.equal((await platform.send("PATCH", `/conversations/${id}`, { note: "n".repeat(5_000) })).status, 200);
    });

    it("has no conversation whose messages were deleted, and keeps no note of it", async (t) => {
      const { platform, agentId, chatId, ask, only, list } = await open(t, databases);
      await ask("Hi");
      await platform.json("PATCH", `/conversations/${(await only()).id}`, { note: "Secret" });
      await platform.send("DELETE", `/chatmessage/${agentId}?chatId=${chatId}`);
      assert.deepEqual(await list(), { data: [], total: 0, olderThan: null });
      await ask("Again");
      assert.equal((await only()).note, "");
    });
  });

  describe("several processes", { skip: databases.name === "sqlite" && "SQLite has one process" }, () => {
    it("know at once of a conversation that one of them takes over", async (t) => {
      const storage = await databases.createTestStorage(t);
      const here = { createTestStorage: async () => storage };
      const [first, second] = [await openTestPlatform(t, here), await openTestPlatform(t, here)];
      const agentId = await agentWith(first, echo);
      const body = { question: "Hi", chatId: randomUUID() };
      const ask = () => second.json<PredictionResult>("POST", `/prediction/${agentId}`, body);
      assert.equal((await ask()).takenOver, undefined);
      const { data } = await first.json<List>("GET", "/conversations");
      const path = `/conversations/${data[0]?.id}/take-over`;
      await first.json("PUT", path, { name: "Ada" });
      const taken = await second.until(async () => (await ask()).takenOver);
      assert.equal(taken.name, "Ada");
      await first.json("DELETE", path);
      await second.until(async () => ((await ask()).takenOver === undefined ? true : undefined));
    });
  });

  describe("who may see and answer conversations", () => {
    it("is limited to their agents, and to their own chats without the right to others", async (t) => {
      const { platform, agentId, ask, only } = await open(t, databases);
      await ask("Hi");
      const { id } = await only();
      const keyOf = async (body: object) => {
        const { apiKey } = await platform.json<{ apiKey: string }>("POST", "/apikey", { keyName: "k", ...body });
        return { authorization: `Bearer ${apiKey}` };
      };
      const permissions = ["messages:read", "chats:write"];
      const here = await keyOf({ permissions, agents: [agentId] });
      const elsewhere = await keyOf({ permissions, agents: [await agentWith(platform, echo)] });
      const ownOnly = await keyOf({ permissions: ["messages:read"] });
      const listed = async (headers: Record<string, string>) =>
        ((await (await platform.send("GET", "/conversations", undefined, headers)).json()) as List).total;
      assert.deepEqual([await listed(here), await listed(elsewhere), await listed(ownOnly)], [1, 0, 0]);
      const statuses = async (headers: Record<string, string>) => [
        (await platform.send("GET", `/conversations/${id}`, undefined, headers)).status,
        (await platform.send("PUT", `/conversations/${id}/take-over`, {}, headers)).status,
      ];
      assert.deepEqual(await statuses(here), [200, 200]);
      assert.deepEqual(await statuses(elsewhere), [404, 404]);
      assert.deepEqual(await statuses(ownOnly), [404, 403]);
    });
  });
});
