import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it, type TestContext } from "node:test";
import type { Database } from "@weft/database";
import type { ApiKey, Execution, NewApiKey, RunEventOf } from "@weft/schema";
import { sql } from "kysely";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { say, toFlowData } from "../testing/flow-table/flow-case.ts";
import { agentWith, flowOf, openTestPlatform } from "../testing/test-platform.ts";

/** Says how often its session was asked before, in strokes. */
const counter = toFlowData({
  start: { state: { n: "" }, persistState: true },
  nodes: { end: say("{{ $flow.state.n }}", { n: "{{ $flow.state.n }}|" }) },
  edges: "start>end",
});

/** Which message of its session was answered. */
const turnOf = ({ text }: { text: string }) => text.length + 1;

/** For thousands of runs on a busy machine. */
const patient = { timeout: 240_000 };

/** Asks a person before it answers. */
const asking = flowOf("human-input", "Pay", { question: "Pay now?" });

type Answer = { text: string; chatId: string; executionId: string; chatMessageId: string };

/** Hooks run in the order of their registration: platforms close before their database is removed. */
async function storageOf(t: TestContext, databases: TestDatabases) {
  const opened: { close(): Promise<void> }[] = [];
  t.after(async () => {
    for (const one of opened) await one.close();
  });
  return { ...(await databases.createTestStorage(t)), opened };
}

type Storage = Awaited<ReturnType<typeof storageOf>>;

const open = async (t: TestContext, databases: TestDatabases, settings = {}) =>
  start(t, await storageOf(t, databases), settings);

async function start(t: TestContext, storage: Storage, settings: Record<string, string> = {}) {
  let database: Database | undefined;
  const wrapDatabase = (opened: Database) => {
    database = opened;
    return opened;
  };
  const lines: string[] = [];
  const env = { ALLOW_PUBLIC_FLOWS: "true", ...settings };
  const same = { createTestStorage: async () => storage };
  const more = { wrapDatabase, writeLog: (line: string) => lines.push(line) };
  const platform = await openTestPlatform(t, same, env, more);
  storage.opened.push(platform);

  /** A request with a bearer, or with none where that is empty. */
  async function send<T = unknown>(bearer: string, method: string, path: string, body?: object) {
    const isForm = body instanceof FormData;
    const request = new Request(`http://platform/api/v1${path}`, {
      method,
      headers: {
        ...(bearer !== "" && { authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && !isForm && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const response = await platform.fetch(request);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    return { status: response.status, body: (isJson ? JSON.parse(text) : text) as T };
  }

  return {
    platform,
    send,
    key: (body: object) => platform.json<NewApiKey>("POST", "/apikey", { keyName: "Key", ...body }),
    log: () => lines.map((line) => JSON.parse(line) as Record<string, string>),
    read: () => database?.read ?? assert.fail("The database is not open."),
  };
}

await onTestDatabase((databases) => {
  describe("owners of chats", () => {
    it("writes into a run's journal who asked for it", async (t) => {
      const { platform, send, key, read } = await open(t, databases);
      const agentId = await agentWith(platform, counter, { isPublic: true });
      const ask = async (bearer: string) => {
        const { executionId } = (await send<Answer>(bearer, "POST", `/prediction/${agentId}`, { question: "Hi" })).body;
        const row = await read()
          .selectFrom("runEvents")
          .select("event")
          .where("runId", "=", executionId)
          .where("seq", "=", 1)
          .executeTakeFirstOrThrow();
        return (JSON.parse(row.event) as RunEventOf<"run-started">).owner;
      };
      const made = await key({});
      assert.equal(await ask(platform.token), "account:operator");
      assert.equal(await ask(made.apiKey), `client:${made.id}`);
      assert.equal(await ask((await key({ clientId: "website" })).apiKey), "client:website");
      assert.equal(await ask(""), "anonymous");
    });

    it(
      "keeps 1,000 chats with telephone numbers as ids over a rotation, and shows none to another key",
      patient,
      async (t) => {
        const { platform, send, key } = await open(t, databases);
        const agentId = await agentWith(platform, counter);
        const permissions = ["predictions:run", "messages:read", "executions:read"];
        const first = await key({ permissions });
        const chats = Array.from({ length: 1_000 }, (_, index) => `+49170${String(1_000_000 + index)}`);
        const say = async (bearer: string, chatId: string) =>
          turnOf((await send<Answer>(bearer, "POST", `/prediction/${agentId}`, { question: "Hi", chatId })).body);
        const sayAll = async (bearer: string, chatIds: readonly string[]) =>
          Promise.all(chatIds.map((chatId) => say(bearer, chatId)));
        const count = async (bearer: string) =>
          (await send<{ total: number }>(bearer, "GET", `/chatmessage/${agentId}?page=1&limit=1`)).body.total;
        const [early, late] = [chats.slice(0, 500), chats.slice(500)];

        assert.deepEqual(new Set(await sayAll(first.apiKey, early)), new Set([1]));
        const second = await platform.json<NewApiKey>("POST", `/apikey/${first.id}/rotate`);
        assert.equal((await send(first.apiKey, "GET", `/chatmessage/${agentId}`)).status, 401);
        assert.deepEqual(new Set(await sayAll(second.apiKey, early)), new Set([2]));
        assert.deepEqual(new Set(await sayAll(second.apiKey, late)), new Set([1]));
        const third = await key({ permissions, clientId: first.clientId });
        assert.deepEqual(new Set(await sayAll(third.apiKey, late.slice(0, 20))), new Set([2]));
        assert.deepEqual([await count(second.apiKey), await count(third.apiKey)], [3_040, 3_040]);

        const strangers = [await key({ permissions }), await key({ permissions: ["*"] })];
        for (const { apiKey } of strangers) {
          assert.equal(await count(apiKey), 0);
          assert.deepEqual((await send(apiKey, "GET", "/executions")).body, { data: [], total: 0 });
          assert.equal(await say(apiKey, chats[0] ?? ""), 1);
          assert.equal(await count(apiKey), 2);
        }
        assert.equal(await say(second.apiKey, chats[0] ?? ""), 3);
      },
    );

    it("answers for what is of another owner exactly as for what does not exist", async (t) => {
      const { platform, send, key } = await open(t, databases);
      const agentId = await agentWith(platform, asking);
      const all = { permissions: ["*"] };
      const [own, other] = [await key(all), await key(all)];
      const chatId = "4917012345";
      const asked = await send<Answer & { action: { id: string } }>(own.apiKey, "POST", `/prediction/${agentId}`, {
        question: "Pay?",
        chatId,
      });
      const { executionId, chatMessageId } = asked.body;
      const waitId = asked.body.action.id;
      const form = new FormData();
      form.append("files", new Blob(["secret plan"], { type: "text/plain" }), "plan.txt");
      assert.equal((await send(own.apiKey, "POST", `/attachments/${agentId}/${chatId}`, form)).status, 200);
      const file = `chatflowId=${agentId}&chatId=${chatId}&fileName=plan.txt`;
      assert.equal((await send(own.apiKey, "GET", `/get-upload-file?${file}`)).status, 200);
      await send(own.apiKey, "POST", "/leads", { chatflowid: agentId, chatId, email: "a@example.org" });

      const none = "01890000-0000-7000-8000-000000000000";
      const answer = { type: "proceed" };
      const rating = { chatflowid: agentId, rating: "THUMBS_UP" };
      const requests: [string, string, object?][] = [
        ["GET", `/executions/${executionId}`],
        ["GET", `/executions/${executionId}/events`],
        ["POST", `/executions/${executionId}/cancel`],
        ["POST", `/executions/${executionId}/retry`],
        ["POST", `/executions/${executionId}/answer`, { waitId, ...answer }],
        ["DELETE", `/executions/${executionId}`],
        ["DELETE", "/executions", { executionIds: [executionId] }],
        ["GET", `/executions?chatId=${chatId}`],
        ["GET", `/executions?id=${executionId}`],
        ["PUT", `/chatmessage/abort/${agentId}/${chatId}`],
        ["POST", `/prediction/${agentId}`, { chatId, humanInput: answer }],
        ["POST", `/prediction/${agentId}`, { executionId, humanInput: answer }],
        ["POST", `/prediction/${agentId}`, { chatId, action: { id: waitId }, humanInput: answer }],
        ["GET", `/chatmessage/${agentId}?chatId=${chatId}`],
        ["GET", `/chatmessage/${agentId}?messageId=${chatMessageId}`],
        ["GET", `/stats/${agentId}`],
        ["DELETE", `/chatmessage/${agentId}?chatId=${chatId}`],
        ["POST", "/feedback", { ...rating, chatId, messageId: chatMessageId }],
        ["GET", `/feedback?chatflowid=${agentId}&chatId=${chatId}&messageId=${chatMessageId}&rating=THUMBS_UP`],
        ["GET", `/feedback/${agentId}`],
        ["GET", `/leads/${agentId}`],
        ["GET", `/get-upload-file?${file}`],
      ];
      const shape = (value: unknown) =>
        JSON.stringify(value)
          .replaceAll(executionId, none)
          .replaceAll(chatMessageId, none)
          .replaceAll(waitId, none)
          .replaceAll(/"requestId":"[^"]+"/g, "");
      for (const [method, path, body] of requests) {
        const unknown = (text: string) =>
          text.replace(executionId, none).replace(chatMessageId, none).replace(chatId, "490000").replace(waitId, none);
        const foreign = await send(other.apiKey, method, path, body);
        const absent = await send(
          other.apiKey,
          method,
          unknown(path),
          body && (JSON.parse(unknown(JSON.stringify(body))) as object),
        );
        const said = [absent.status, shape(absent.body).replaceAll("490000", chatId)];
        assert.deepEqual([foreign.status, shape(foreign.body)], said, `${method} ${path}`);
      }
      assert.equal(
        (await send<{ state: string }>(own.apiKey, "GET", `/executions/${executionId}`)).body.state,
        "STOPPED",
      );
      assert.equal((await send<unknown[]>(own.apiKey, "GET", `/chatmessage/${agentId}`)).body.length, 2);
      assert.equal((await send<unknown[]>(own.apiKey, "GET", `/leads/${agentId}`)).body.length, 1);
      assert.equal(
        (await send(own.apiKey, "POST", `/prediction/${agentId}`, { chatId, humanInput: answer })).status,
        200,
      );
    });

    it("lets holders of chats:write read and answer, writes down who did, and no key gets it by *", async (t) => {
      const account = { email: "anna@example.org", password: "a long enough password" };
      const admin = { ADMIN_EMAIL: account.email, ADMIN_PASSWORD: account.password };
      const { platform, send, key, log } = await open(t, databases, admin);
      const agentId = await agentWith(platform, asking);
      const owner = await key({ permissions: ["predictions:run"] });
      const ask = async () =>
        (await send<Answer>(owner.apiKey, "POST", `/prediction/${agentId}`, { question: "Pay?", chatId: "0170" })).body;
      const first = await ask();
      const approver = await key({
        keyName: "Approver",
        permissions: ["executions:read", "executions:write", "chats:write"],
      });
      const path = `/executions/${first.executionId}/answer`;
      const answer = { type: "proceed" };
      const all = await key({ permissions: ["*"] });
      assert.equal((await send(all.apiKey, "POST", path, answer)).status, 404);
      assert.equal((await send(approver.apiKey, "POST", path, answer)).status, 200);
      const by = { owner: `client:${owner.clientId}`, answeredBy: `client:${approver.clientId}` };
      const line = log().find(({ event }) => event === "chat-answered-by-another");
      assert.deepEqual(
        { owner: line?.owner, answeredBy: line?.answeredBy, runId: line?.runId },
        {
          ...by,
          runId: first.executionId,
        },
      );
      const second = await ask();
      const builder = await platform.send("POST", `/executions/${second.executionId}/answer`, answer);
      assert.equal(builder.status, 200);
      assert.equal(log().findLast(({ event }) => event === "chat-answered-by-another")?.answeredBy, "account:operator");

      const { token } = await platform.json<{ token: string }>("POST", "/auth/login", account);
      const third = await ask();
      const chat = { chatId: "0170", executionId: third.executionId, humanInput: answer };
      assert.equal((await send(token, "POST", `/prediction/${agentId}`, chat)).status, 200);
      const answererOf = async ({ executionId }: Answer) => {
        const { steps } = await platform.json<Execution>("GET", `/executions/${executionId}`);
        return steps.flatMap(({ waits }) => waits.map(({ answeredBy }) => answeredBy));
      };
      assert.deepEqual(await answererOf(first), ["Approver"]);
      assert.deepEqual(await answererOf(second), ["operator"]);
      assert.deepEqual(await answererOf(third), ["anna@example.org"]);

      const maker = await key({ permissions: ["*"] });
      const raise = async (body: object) =>
        (await send(maker.apiKey, "POST", "/apikey", { keyName: "k", ...body })).status;
      assert.equal(await raise({ permissions: ["chats:write"] }), 403);
      assert.equal(await raise({ permissions: ["chats:all"] }), 403);
      assert.equal(await raise({ clientId: owner.clientId }), 403);
      assert.equal(await raise({ clientId: maker.clientId }), 200);
      assert.equal((await send(maker.apiKey, "PUT", `/apikey/${maker.id}`, { clientId: owner.clientId })).status, 403);
      assert.equal((await send(maker.apiKey, "POST", `/apikey/${owner.id}/rotate`)).status, 403);
    });

    it("separates visitors, accounts and clients, and lets one Idempotency-Key be used by each", async (t) => {
      const { platform, key } = await open(t, databases);
      const agentId = await agentWith(platform, counter, { isPublic: true });
      const [one, two] = [await key({}), await key({})];
      const body = JSON.stringify({ question: "Hi", chatId: randomUUID() });
      const say = async (bearer: string) => {
        const credentials = bearer === "" ? {} : { authorization: `Bearer ${bearer}` };
        const headers = { "content-type": "application/json", "idempotency-key": "same", ...credentials };
        const url = `http://platform/api/v1/prediction/${agentId}`;
        const response = await platform.fetch(new Request(url, { method: "POST", headers, body }));
        const { text, executionId } = (await response.json()) as Answer;
        return [turnOf({ text }), executionId] as const;
      };
      const said = [await say(one.apiKey), await say(two.apiKey), await say(platform.token), await say("")];
      assert.deepEqual(
        said.map(([text]) => text),
        [1, 1, 1, 1],
      );
      assert.equal(new Set(said.map(([, id]) => id)).size, 4);
      assert.deepEqual(await say(one.apiKey), said[0]);
      const rotated = await platform.json<NewApiKey>("POST", `/apikey/${one.id}/rotate`);
      assert.deepEqual(await say(rotated.apiKey), said[0]);
    });
  });

  it("keeps chats from before owners: open to the keys of that time, and to visitors by ids nobody guesses", async (t) => {
    const storage = await storageOf(t, databases);
    const before = await start(t, storage);
    const agentId = await agentWith(before.platform, counter, { isPublic: true });
    const [one, two] = [await before.key({}), await before.key({ permissions: ["predictions:run", "messages:read"] })];
    const uuid = randomUUID();
    const say = async ({ send }: Started, bearer: string, chatId: string) =>
      turnOf((await send<Answer>(bearer, "POST", `/prediction/${agentId}`, { question: "Hi", chatId })).body);
    assert.equal(await say(before, one.apiKey, "0170"), 1);
    assert.equal(await say(before, one.apiKey, uuid), 1);
    await before.platform.close();
    await downgrade(await storage.open());

    const after = await start(t, storage);
    const keys = await after.platform.json<ApiKey[]>("GET", "/apikey");
    assert.deepEqual(new Set(keys.map(({ clientId }) => clientId)), new Set([one.id, two.id]));
    assert.ok(keys.every(({ permissions }) => permissions.includes("chats:all")));
    assert.equal((await after.send<unknown[]>(two.apiKey, "GET", `/chatmessage/${agentId}`)).body.length, 4);
    const fresh = await after.key({ permissions: ["*"] });
    assert.deepEqual((await after.send(fresh.apiKey, "GET", `/chatmessage/${agentId}`)).body, []);
    assert.equal(await say(after, fresh.apiKey, "0170"), 1);
    assert.equal(await say(after, two.apiKey, "0170"), 2);
    assert.equal(await say(after, one.apiKey, "0170"), 3);
    assert.equal(await say(after, "", uuid), 2);
    // What keys of that time begin now is theirs together, as it was; no other caller joins it.
    assert.equal(await say(after, one.apiKey, "0171"), 1);
    assert.equal(await say(after, two.apiKey, "0171"), 2);
    const planted = randomUUID();
    assert.equal(await say(after, fresh.apiKey, planted), 1);
    assert.equal(await say(after, two.apiKey, planted), 1);
    assert.equal(await say(after, "", planted), 1);
  });
});

type Started = Awaited<ReturnType<typeof start>>;

/** Brings a database back to what it was before chats had owners. */
async function downgrade(database: Database): Promise<void> {
  await database.write(async (tx) => {
    for (const name of [
      "chatMessagesBySession",
      "chatMessagesByOwner",
      "runsByOwner",
      "runsInSession",
      "runsTakenOver",
    ]) {
      await tx.schema.dropIndex(name).execute();
    }
    for (const table of ["chatMessages", "runs", "leads"]) {
      await tx.schema.alterTable(table).dropColumn("owner").execute();
    }
    for (const column of ["turnOrder", "takeOvers", "takeOverSeq"]) {
      await tx.schema.alterTable("runs").dropColumn(column).execute();
    }
    await tx.updateTable("apiKeys").set({ permissions: '["predictions:run","messages:read"]' }).execute();
    for (const column of ["clientId", "agents"]) await tx.schema.alterTable("apiKeys").dropColumn(column).execute();
    const session = ["chatflowid", "sessionId", "createdDate", "id"];
    await tx.schema.createIndex("chatMessagesBySession").on("chatMessages").columns(session).execute();
    await sql`delete from kysely_migration where name in ('0012-chat-owners', '0017-run-turns', '0022-message-indexes')`.execute(
      tx,
    );
  });
  await database.close();
}
