import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Database } from "@weft/database";
import { sql } from "kysely";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, openRestartable, type TestPlatform } from "../testing/test-platform.ts";

const dayMs = 86_400_000;
/** Visitors name chats and sessions by what cannot be guessed. */
const secret = `_${randomUUID()}`;
const flow = (asks: boolean) =>
  JSON.stringify({
    weft: 1,
    nodes: [
      { id: "start_0", type: "start", label: "Start" },
      asks
        ? { id: "next", type: "human-input", label: "Ask", config: { question: "May I?" } }
        : { id: "next", type: "direct-reply", label: "Reply", config: { message: "Hello" } },
    ],
    edges: [{ id: "e", source: "start_0", target: "next" }],
  });

type Asked = { chatId: string; sessionId?: string; isVisitor?: boolean };

async function ask(platform: TestPlatform, agentId: string, { chatId, sessionId, isVisitor = true }: Asked) {
  const body = JSON.stringify({
    question: "Hello?",
    chatId: chatId + secret,
    ...(sessionId && { overrideConfig: { sessionId: sessionId + secret } }),
  });
  const own = isVisitor ? {} : { authorization: `Bearer ${platform.token}` };
  const headers = { "content-type": "application/json", ...own };
  const url = `http://platform/api/v1/prediction/${agentId}`;
  const response = await platform.fetch(new Request(url, { method: "POST", headers, body }));
  assert.equal(response.status, 200, await response.text());
}

/** Everything is as if it had been said so many days earlier. */
async function age({ write }: Pick<Database, "write">, days: number, chatIds: readonly string[]) {
  const earlier = new Date(Date.now() - days * dayMs).toISOString();
  await write(async (tx) => {
    for (const table of ["chatMessages", "leads"] as const) {
      const rows = tx.updateTable(table).set({ createdDate: earlier });
      await rows
        .where(
          sql.ref<string>("chatId"),
          "in",
          chatIds.map((id) => id + secret),
        )
        .execute();
    }
  });
}

type Row = { chatId: string; sessionId: string };

async function rowsOf(platform: TestPlatform, path: string): Promise<Row[]> {
  const response = await platform.send("GET", path);
  const text = await response.text();
  // An agent without leads answers 404.
  const answer: Row[] | { data: Row[] } = response.ok ? JSON.parse(text) : [];
  return Array.isArray(answer) ? answer : answer.data;
}

/** The chats that messages and leads name, and the sessions of runs, as the API lists them. */
async function chatsOf(platform: TestPlatform, agentIds: readonly string[]) {
  const namesOf = async (path: string, key: keyof Row) => {
    const rows = await Promise.all(agentIds.map((id) => rowsOf(platform, path + id)));
    return [...new Set(rows.flat().map((row) => row[key].replace(secret, "")))].toSorted().join(" ");
  };
  return {
    messages: await namesOf("/chatmessage/", "chatId"),
    runs: await namesOf("/executions?page=1&limit=50&agentflowId=", "sessionId"),
    leads: await namesOf("/leads/", "chatId"),
  };
}

await forEachDatabase((databases) => {
  test("chats of visitors go with their runs when their time is over, leads when theirs is, and nothing else", async (t) => {
    const place = await openRestartable(t, databases, { ALLOW_PUBLIC_FLOWS: "true" });
    const platform = await place.open();
    const override = { overrideConfig: { status: true, sessionId: true } };
    const agentId = await agentWith(platform, flow(false), { isPublic: true, apiConfig: JSON.stringify(override) });
    const asking = await agentWith(platform, flow(true), { isPublic: true });
    const brief = { retention: { visitorDays: 2 } };
    const briefly = await agentWith(platform, flow(false), { isPublic: true, apiConfig: JSON.stringify(brief) });
    for (const chatId of ["new", "old"]) await ask(platform, agentId, { chatId });
    await ask(platform, agentId, { chatId: "own", isVisitor: false });
    await ask(platform, agentId, { chatId: "shared", sessionId: "session" });
    await ask(platform, agentId, { chatId: "shared-new", sessionId: "session" });
    await ask(platform, asking, { chatId: "waits" });
    for (const chatId of ["brief", "brief-new"]) await ask(platform, briefly, { chatId });
    for (const chatId of ["old", "new"])
      await platform.send("POST", "/leads", {
        chatflowid: agentId,
        chatId: chatId + secret,
        email: `${chatId}@x.example`,
      });
    await place.close();

    const database = await place.storage.open();
    await age(database, 11, ["old", "own", "shared", "waits"]);
    await age(database, 3, ["brief", "new"]);
    await database.close();
    const left = async (
      env: Record<string, string>,
      isDone: (chats: { messages: string; leads: string }) => boolean,
    ) => {
      const reopened = await place.open(env);
      const chats = await reopened.until(async () => {
        const now = await chatsOf(reopened, [agentId, asking, briefly]);
        return isDone(now) ? now : undefined;
      });
      await place.close();
      return chats;
    };

    assert.deepEqual(await left({}, ({ messages }) => !messages.startsWith("brief ")), {
      messages: "brief-new new old own shared shared-new waits",
      runs: "brief-new new old own session waits",
      leads: "new old",
    });
    assert.deepEqual(await left({ VISITOR_RETENTION: "10d" }, ({ messages }) => !messages.includes("old")), {
      messages: "brief-new new own shared shared-new waits",
      runs: "brief-new new own session waits",
      leads: "new old",
    });
    assert.deepEqual(await left({ LEAD_RETENTION: "10d" }, ({ leads }) => !leads.includes("old")), {
      messages: "brief-new new own shared shared-new waits",
      runs: "brief-new new own session waits",
      leads: "new",
    });
  });
});
