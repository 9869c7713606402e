import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type TestContext, test } from "node:test";
import type { Database } from "@weft/database";
import { systemClock } from "@weft/run-host";
import { type NoticeChannel, type NoticePage, type NoticeTest, noticeKinds, toMoment } from "@weft/schema";
import { forEachDatabase, onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { agentWith, flowOf, openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";
import { rowsOf } from "./testing/notice-rows.ts";
import { startSmtpReceiver } from "./testing/smtp-receiver.ts";

const reply = flowOf("direct-reply", "Reply", { message: "Hi" });
const secret = "whsec_c2VjcmV0IGtleSBmb3IgdGVzdHM=";
const slack = { name: "Ops", kind: "slack", address: "https://hooks.slack.com/services/T0/B0/s3cret" };

/** A platform whose clock stands, so that it looks for notices once, and its database. */
async function openStill(t: TestContext, databases: TestDatabases, writeLog: (line: string) => void = () => undefined) {
  const now = Date.now();
  let opened: Database | undefined;
  const platform = await openTestPlatform(
    t,
    databases,
    {},
    {
      writeLog,
      clock: { ...systemClock, now: () => now },
      wrapDatabase(database) {
        opened = database;
        return database;
      },
    },
  );
  if (opened === undefined) throw new Error("The platform opened no database.");
  const database = opened;
  const hasLooked = () =>
    database.read.selectFrom("settings").where("name", "=", "notices-looked").selectAll().executeTakeFirst();
  await platform.until(hasLooked);
  return { platform, database };
}

async function keyOf(platform: TestPlatform, permissions: string[], agents?: string[]) {
  const body = { keyName: "k", permissions, ...(agents && { agents }) };
  const { apiKey } = await platform.json<{ apiKey: string }>("POST", "/apikey", body);
  return { authorization: `Bearer ${apiKey}` };
}

await onTestDatabase((databases) => {
  test("a caller sees the notices that it may, and marks its own as seen", async (t) => {
    const { platform, database } = await openStill(t, databases);
    const [own, other] = [await agentWith(platform, reply, { name: "Own" }), await agentWith(platform, reply)];
    const since = (at: number) => toMoment(Date.parse("2026-03-01T00:00:00Z") + at);
    const made = noticeKinds.map((kind, at) => ({
      ...{ id: `00000000-0000-4000-8000-00000000000${at}`, kind, thing: kind, period: "", name: "Own", count: 3 },
      ...{ subjectId: own, agentId: kind === "store-failing" || kind === "channel-failing" ? null : own },
      ...{
        total: 4,
        detail: "agent/tokens",
        since: since(at),
        updatedDate: since(at),
        resolvedDate: null as string | null,
      },
    }));
    Object.assign(made.at(-1) ?? {}, { resolvedDate: since(9), period: "over" });
    Object.assign(made[1] ?? {}, { agentId: other });
    await database.write((tx) => tx.insertInto("notices").values(made).execute());

    const list = async (headers = {}, query = "") =>
      (await (await platform.send("GET", `/notices${query}`, undefined, headers)).json()) as NoticePage;
    const all = await list();
    assert.deepEqual([all.total, all.unseen], [9, 8]);
    assert.deepEqual(
      all.data.map(({ kind }) => kind),
      [...noticeKinds.slice(0, -1).toReversed(), "channel-failing"],
      "open ones first, then the latest",
    );
    assert.equal(
      all.data.find(({ kind }) => kind === "budget-near")?.text,
      "“Own” has used 3 % of today's budget for tokens.",
    );
    assert.deepEqual((await list({}, "?page=2&limit=3")).data.length, 3);

    const limited = await keyOf(platform, ["executions:read"], [own]);
    const seen = await list(limited);
    assert.deepEqual(seen.data.map(({ kind }) => kind).toSorted(), [
      "failed-runs",
      "person-awaited",
      "schedule-failing",
    ]);
    const ids = all.data.map(({ id }) => id);
    const mark = async (headers = {}) =>
      (await (await platform.send("POST", "/notices/seen", { ids }, headers)).json()) as { unseen: number };
    assert.deepEqual(await mark(limited), { unseen: 0 });
    assert.equal(
      (await list(limited)).data.every(({ isSeen }) => isSeen),
      true,
    );
    assert.equal((await list()).unseen, 8, "the operator has not seen them");
    assert.deepEqual(await mark(), { unseen: 0 });
    assert.deepEqual(await mark(), { unseen: 0 });
    const reader = await keyOf(platform, ["agents:read"]);
    assert.equal((await platform.send("GET", "/notices", undefined, reader)).status, 403);
    for (const wrong of [[], Array.from({ length: 101 }, () => ids[0]), ["x"]])
      assert.equal((await platform.send("POST", "/notices/seen", { ids: wrong })).status, 400);

    await platform.json("DELETE", `/chatflows/${own}`);
    assert.deepEqual((await list()).data.map(({ kind }) => kind).toSorted(), [
      "budget-near",
      "channel-failing",
      "store-failing",
    ]);
  });

  test("no answer, log or column holds a channel's address or secret", async (t) => {
    const lines: string[] = [];
    const { platform, database } = await openStill(t, databases, (line) => lines.push(line));
    const answers: unknown[] = [];
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await platform.json<NoticeChannel>(method, path, body);
      answers.push(answer);
      return answer;
    };
    const made = await ask("POST", "/notice-channels", { ...slack, kind: "webhook", secret });
    assert.equal(made.address, "https://hooks.slack.com/…");
    assert.deepEqual(
      [made.agents, made.kinds.length, made.isEnabled, made.waiting],
      ["all", noticeKinds.length, true, 0],
    );
    const path = `/notice-channels/${made.id}`;
    await ask("GET", path);
    await ask("GET", "/notice-channels");
    const changed = await ask("PUT", path, {
      name: "Renamed",
      quietHours: { from: "22:00", to: "07:00", timeZone: "UTC" },
    });
    assert.deepEqual([changed.name, changed.address, changed.kind], ["Renamed", made.address, "webhook"]);
    await ask("PUT", path, { address: "https://127.0.0.1:9/other-s3cret" });
    const tested = (await ask("POST", `${path}/test`)) as unknown as NoticeTest;
    assert.deepEqual([tested.ok, tested.status], [false, null]);
    assert.match(tested.answer, /^https:\/\/127\.0\.0\.1:9 is not allowed/);
    const kept = await database.read.selectFrom("noticeChannels").selectAll().execute();
    assert.doesNotMatch(JSON.stringify([answers, kept]) + lines.join(""), /s3cret|c2VjcmV0/);
    await platform.json("DELETE", path);
    assert.equal((await platform.send("GET", path)).status, 404);
  });

  test("every field of a channel has a limit, and there are twenty at most", async (t) => {
    const platform = await openTestPlatform(t, databases, { EGRESS_ALLOW: "plain.example:80" });
    const status = async (body: object) =>
      (await platform.send("POST", "/notice-channels", { ...slack, ...body })).status;
    const uuid = "00000000-0000-4000-8000-000000000000";
    const wrong: object[] = [
      ...[{ name: "" }, { name: "n".repeat(101) }, { kind: "fax" }, { address: "" }],
      ...[
        { address: `https://a.example/${"a".repeat(2_000)}` },
        { address: "ftp://a.example" },
        { address: "http://a.example" },
      ],
      ...[{ address: "https://u:p@a.example" }, { address: "nonsense" }],
      ...[{ kinds: [] }, { kinds: ["other"] }, { kinds: [...noticeKinds, "failed-runs"] }],
      ...[{ agents: [] }, { agents: ["x"] }, { agents: Array.from({ length: 101 }, () => uuid) }, { agents: "some" }],
      ...[
        { secret },
        { kind: "webhook" },
        { kind: "webhook", secret: "short" },
        { kind: "webhook", secret: "whsec_c2hvcnQ=" },
      ],
      { kind: "webhook", secret: "s".repeat(201) },
      ...[
        "a@b.example\r\nBcc: c@d.example",
        "a@b.example, c@d.example",
        "<a@b.example>",
        `${"a".repeat(250)}@b.example`,
      ].map((address) => ({ kind: "mail", address })),
      ...[
        { from: "22:00", to: "22:00", timeZone: "UTC" },
        { from: "24:00", to: "07:00", timeZone: "UTC" },
        { from: "22:00", to: "7:00", timeZone: "UTC" },
        { from: "22:00", to: "07:00", timeZone: "Mars/Olympus" },
        { from: "22:00", to: "07:00", timeZone: "x".repeat(101) },
      ].map((quietHours) => ({ quietHours })),
    ];
    for (const body of wrong) assert.ok([400, 422].includes(await status(body)), JSON.stringify(body).slice(0, 200));
    assert.equal(await status({ kind: "mail", address: "ops@example.com" }), 409, "there is no mail server");
    assert.equal(await status({ address: "http://plain.example/hook" }), 200);
    for (let count = 1; count < 20; count += 1) assert.equal(await status({}), 200);
    assert.equal(await status({}), 409);
  });

  test("channels are for those who may change settings, in every agent", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const agent = await agentWith(platform, reply);
    const { id } = await platform.json<NoticeChannel>("POST", "/notice-channels", slack);
    const limited = await keyOf(platform, ["*", "settings:write"], [agent]);
    const reader = await keyOf(platform, ["*"]);
    const doors: [string, string, object?][] = [
      ["POST", "/notice-channels", slack],
      ["PUT", `/notice-channels/${id}`, { isEnabled: false }],
      ["POST", `/notice-channels/${id}/test`],
      ["DELETE", `/notice-channels/${id}`],
    ];
    for (const [method, path, body] of doors) {
      for (const headers of [limited, reader])
        assert.equal((await platform.send(method, path, body, headers)).status, 403, `${method} ${path}`);
    }
    assert.equal((await platform.send("GET", "/notice-channels", undefined, reader)).status, 200);
  });

  test("a test says exactly what the other end said, ten times a minute", async (t) => {
    const hook = await startHook(t, 404, "no_service");
    const smtp = await startSmtpReceiver(t, "refuses");
    const platform = await openTestPlatform(t, databases, {
      EGRESS_ALLOW: hook.host,
      SMTP_URL: `smtp://weft:p%40ss@127.0.0.1:${smtp.port}`,
      MAIL_FROM: "weft@example.com",
      PUBLIC_URL: "https://weft.example.com",
    });
    const make = async (body: object) => (await platform.json<NoticeChannel>("POST", "/notice-channels", body)).id;
    const tested = (id: string) => platform.json<NoticeTest>("POST", `/notice-channels/${id}/test`);
    const id = await make({ ...slack, address: hook.url });
    assert.deepEqual(await tested(id), { ok: false, status: 404, answer: "no_service" });
    assert.deepEqual(JSON.parse(hook.bodies[0] ?? ""), {
      text: "This is a test. Notices will arrive here.\nhttps://weft.example.com/settings/notices",
    });
    const mail = await make({ name: "Mail", kind: "mail", address: "ops@example.com" });
    assert.deepEqual(await tested(mail), { ok: false, status: 550, answer: "550 5.1.1 No such mailbox here" });
    assert.deepEqual(smtp.logins, ["\0weft\0p@ss"]);
    for (let count = 1; count < 10; count += 1) await tested(id);
    assert.equal((await platform.send("POST", `/notice-channels/${id}/test`)).status, 429);
  });
});

await forEachDatabase((databases) => {
  test("the server finds what failed and mails it once, however many processes look", async (t) => {
    const smtp = await startSmtpReceiver(t);
    const storage = await databases.createTestStorage(t as never);
    const here = { createTestStorage: async () => storage };
    const env = { SMTP_URL: smtp.url, MAIL_FROM: "weft@example.com" };
    const first = await openTestPlatform(t, here, env);
    const agentId = await agentWith(first, reply, { name: "Support" });
    await first.json("POST", "/notice-channels", { name: "Mail", kind: "mail", address: "ops@example.com" });
    await first.close();
    const database = await storage.open();
    await rowsOf(database).runs(5, { agentId, at: Date.now(), status: "failed" });
    await database.write((tx) => tx.deleteFrom("settings").where("name", "=", "notices-looked").execute());
    await database.close();
    // SQLite takes one process at a time.
    const processes = databases.name === "postgres" ? 2 : 1;
    const opened = await Promise.all(Array.from({ length: processes }, () => openTestPlatform(t, here, env)));
    const [platform] = opened;
    await platform?.until(async () => (smtp.mails.length > 0 ? true : undefined));
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    assert.equal(smtp.mails.length, 1);
    const { data, unseen } = (await platform?.json<NoticePage>("GET", "/notices")) ?? { data: [], unseen: 0 };
    assert.deepEqual([data.map(({ text }) => text), unseen], [["“Support”: 5 of 5 runs failed in the last hour."], 1]);
    const [channel] = (await platform?.json<NoticeChannel[]>("GET", "/notice-channels")) ?? [];
    assert.deepEqual([channel?.waiting, channel?.error, typeof channel?.sentDate], [0, null, "string"]);
  });
});

async function startHook(t: TestContext, status: number, text: string) {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    bodies.push(Buffer.concat(chunks).toString());
    response.writeHead(status).end(text);
  });
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return { bodies, host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}/hook` };
}
