import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Database } from "@weft/database";
import { systemClock } from "@weft/run-host";
import type { AuditEntry, AuditPage } from "@weft/schema";
import { sql } from "kysely";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { openRestartable, openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";
import { findBrokenAudit } from "./index.ts";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const password = "correct horse battery staple";

async function entriesOf(platform: TestPlatform, query = ""): Promise<AuditEntry[]> {
  return (await platform.json<AuditPage>("GET", `/audit?limit=200${query}`)).data;
}

/** `action thing`, the oldest first. */
async function actionsOf(platform: TestPlatform, query = ""): Promise<string[]> {
  return (await entriesOf(platform, query)).map(({ action }) => action).toReversed();
}

async function tokenOf(platform: TestPlatform, role: string): Promise<string> {
  const email = `${role}@example.com`;
  const { token } = await platform.json<{ token: string }>("POST", "/invitations", { email, role });
  const accepted = await platform.send("POST", "/invitations/accept", { token, name: "", password });
  assert.equal(accepted.status, 200, await accepted.clone().text());
  return ((await accepted.json()) as { token: string }).token;
}

await forEachDatabase((databases) => {
  /** The database of the platform, whose write fails when it is told to, after everything that `fn` and the audit wrote. */
  function failing() {
    let fails = false;
    const wrapDatabase = (database: Database): Database => ({
      ...database,
      write: (fn, options) =>
        database.write(async (tx) => {
          const value = await fn(tx);
          if (fails) throw new Error("The disk is on fire.");
          return value;
        }, options),
    });
    return {
      wrapDatabase,
      fail: (now: boolean) => {
        fails = now;
      },
    };
  }

  test("a change has one entry: who, what, which thing, and the names of the fields", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const body = { name: "city", value: "Berlin", type: "string" };
    const { id } = await platform.json<{ id: string }>("POST", "/variables", body);
    await platform.json("PUT", `/variables/${id}`, { value: "Rome" });
    await platform.json("DELETE", `/variables/${id}`);
    await platform.json("GET", "/variables");
    const entries = await entriesOf(platform);
    assert.deepEqual(
      entries.map(({ seq, actor, action, outcome, thing, fields }) => [
        seq,
        actor.kind,
        action,
        outcome,
        thing,
        fields,
      ]),
      [
        [3, "operator", "deleteVariable", "done", { kind: "variables", id }, []],
        [2, "operator", "updateVariable", "done", { kind: "variables", id }, ["value"]],
        [1, "operator", "createVariable", "done", { kind: "variables", id }, ["name", "value", "type"]],
      ],
    );
    assert.ok(entries.every(({ requestId, date, omitted }) => requestId !== "" && date !== "" && omitted === 0));
  });

  test("of a change that fails neither the change nor its entry stays, and the next one continues the chain", async (t) => {
    const { wrapDatabase, fail } = failing();
    const storage = await databases.createTestStorage(t);
    const platform = await openTestPlatform(t, { createTestStorage: async () => storage }, {}, { wrapDatabase });
    const create = (name: string) => platform.send("POST", "/variables", { name, value: "1", type: "string" });
    assert.equal((await create("before")).status, 200);
    fail(true);
    assert.equal((await create("lost")).status, 500);
    fail(false);
    assert.equal((await platform.send("PUT", `/variables/${randomUUID()}`, { value: "2" })).status, 404);
    assert.equal((await create("after")).status, 200);
    const names = (await platform.json<{ name: string }[]>("GET", "/variables")).map(({ name }) => name);
    assert.deepEqual(names.toSorted(), ["after", "before"]);
    assert.deepEqual(
      (await entriesOf(platform)).map(({ seq, action }) => `${seq} ${action}`),
      ["2 createVariable", "1 createVariable"],
    );
  });

  test("no value of a secret is in the log", async (t) => {
    const place = await openRestartable(t, databases);
    const platform = await place.open();
    const secret = `hush-${randomUUID()}`;
    const credential = { name: "Key", credentialName: "bearerToken", plainDataObj: { token: secret } };
    const made = await platform.send("POST", "/credentials", credential);
    assert.equal(made.status, 200, await made.clone().text());
    await platform.json("POST", "/variables", { name: "v", value: secret, type: "string" });
    const key = await platform.json<{ apiKey: string }>("POST", "/apikey", { keyName: "k", permissions: ["*"] });
    const token = await tokenOf(platform, "viewer");
    const change = { currentPassword: password, newPassword: secret };
    assert.equal((await platform.send("PUT", "/auth/password", change, bearer(token))).status, 200);
    assert.equal(
      (await platform.send("POST", "/auth/login", { email: "viewer@example.com", password: secret })).status,
      200,
    );
    await place.close();
    const database = await place.storage.open();
    const rows = JSON.stringify(await database.read.selectFrom("auditEntries").selectAll().execute());
    await database.close();
    for (const value of [secret, key.apiKey, password, token]) assert.ok(value.length > 8 && !rows.includes(value));
    for (const action of [
      "createCredential",
      "createVariable",
      "createApiKey",
      "acceptInvitation",
      "changePassword",
      "logIn",
    ])
      assert.ok(rows.includes(`"${action}"`), action);
  });

  test("sign-ins, sign-outs and refusals are written, with the account that was tried", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const token = await tokenOf(platform, "viewer");
    const email = "viewer@example.com";
    assert.equal((await platform.send("POST", "/auth/login", { email, password: "wrong password" })).status, 401);
    assert.equal((await platform.send("POST", "/auth/login", { email, password })).status, 200);
    assert.equal((await platform.send("GET", "/audit", undefined, bearer(token))).status, 403);
    assert.equal((await platform.send("DELETE", `/variables/${randomUUID()}`, undefined, bearer(token))).status, 403);
    const known = await platform.until(async () => {
      const entries = await entriesOf(platform);
      return entries.filter(({ outcome }) => outcome !== "done").length === 3 ? entries : undefined;
    });
    assert.equal((await platform.send("POST", "/auth/logout", undefined, bearer(token))).status, 200);
    const of = (action: string) =>
      known
        .filter((entry) => entry.action === action)
        .map(({ actor, outcome, thing }) => `${actor.name} ${outcome} ${thing.kind}`);
    assert.deepEqual(of("logIn").toSorted(), [" failed accounts", `${email} done accounts`]);
    assert.equal(known.find(({ outcome }) => outcome === "failed")?.thing.id, email);
    assert.deepEqual(of("getAuditLog"), [`${email} refused audit`]);
    assert.deepEqual(of("deleteVariable"), [`${email} refused variables`]);
    assert.ok((await actionsOf(platform, `&actor=${email}`)).includes("logOut"));
  });

  test("an account that opens someone's chat leaves one entry, however often the page asks", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const [editor, viewer] = [await tokenOf(platform, "editor"), await tokenOf(platform, "viewer")];
    const read = (token: string, chatId: string) =>
      platform.send("GET", `/chatmessage/${randomUUID()}?chatId=${chatId}`, undefined, bearer(token));
    for (const chatId of ["one", "one", "two"]) assert.equal((await read(editor, chatId)).status, 200);
    // Reads nobody else's.
    assert.equal((await read(viewer, "one")).status, 200);
    const entries = await entriesOf(platform, "&action=listChatMessages");
    assert.deepEqual(
      entries.map(({ actor, thing }) => `${actor.name} ${thing.id}`),
      ["editor@example.com two", "editor@example.com one"],
    );
  });

  test("failed sign-ins fill no disk: 60 a minute are written, and one entry counts the rest", async (t) => {
    const place = await openRestartable(t, databases);
    const platform = await place.open();
    const attempts = Array.from({ length: 150 }, (_, n) =>
      platform.send("POST", "/auth/login", { email: `nobody${n}@example.com`, password: "wrong password" }),
    );
    for (const { status } of await Promise.all(attempts)) assert.ok(status === 401 || status === 429);
    await place.close();
    const after = await place.open();
    const failed = (await entriesOf(after)).filter(({ outcome }) => outcome === "failed");
    assert.equal(failed.length, 61);
    assert.equal(failed.reduce((sum, { omitted }) => sum + omitted, 0) + failed.length, 150);
  });

  test("what somebody changes in the table is found, at the first number that is wrong", async (t) => {
    const place = await openRestartable(t, databases);
    const platform = await place.open();
    for (let n = 0; n < 6; n += 1)
      await platform.json("POST", "/variables", { name: `v${n}`, value: "1", type: "string" });
    await place.close();
    const database = await place.storage.open();
    t.after(() => database.close());
    const broken = () => findBrokenAudit(database.read);
    assert.equal(await broken(), undefined);
    const tamper = (change: (tx: Parameters<Parameters<Database["write"]>[0]>[0]) => Promise<unknown>) =>
      database.write(async (tx) => void (await change(tx)));
    const rows = await database.read.selectFrom("auditEntries").selectAll().orderBy("seq").execute();
    const restore = () =>
      tamper(async (tx) => {
        await tx.deleteFrom("auditEntries").execute();
        await tx.insertInto("auditEntries").values(rows).execute();
      });
    const edits: [number, string][] = [
      [3, `update "auditEntries" set "actorName" = 'someone else' where "seq" = 3`],
      [2, `update "auditEntries" set "fields" = 'no list' where "seq" = 2`],
      [4, `delete from "auditEntries" where "seq" = 4`],
      [1, `delete from "auditEntries" where "seq" = 1`],
      [6, `delete from "auditEntries" where "seq" = 6`],
      [2, `update "auditEntries" set "hash" = (select "hash" from "auditEntries" where "seq" = 1) where "seq" = 2`],
    ];
    for (const [seq, statement] of edits) {
      await tamper((tx) => sql.raw(statement).execute(tx));
      assert.equal(await broken(), seq, statement);
      await restore();
      assert.equal(await broken(), undefined);
    }
  });

  test("old entries are deleted when their time is over, and the rest still verifies", async (t) => {
    const place = await openRestartable(t, databases);
    const long = 86_400_000 * 400;
    let ahead = 0;
    const platform = await place.open();
    for (const name of ["a", "b", "c"]) await platform.json("POST", "/variables", { name, value: "1", type: "string" });
    await place.close();
    const storage = { createTestStorage: async () => place.storage };
    const clock = { ...systemClock, now: () => Date.now() + ahead };
    const reopen = (env: Record<string, string>) => {
      const closers: (() => Promise<void>)[] = [];
      const after = (closer: unknown) => void closers.push(closer as () => Promise<void>);
      return openTestPlatform({ after }, storage, env, { clock }).then((opened) => ({
        opened,
        closers,
      }));
    };
    ahead = long - 60_000;
    const kept = await reopen({});
    await kept.opened.json("POST", "/variables", { name: "d", value: "1", type: "string" });
    assert.equal((await entriesOf(kept.opened)).length, 4);
    for (const close of kept.closers) await close();
    ahead = long + 60_000;
    const later = await reopen({});
    const left = await later.opened.until(async () => {
      const entries = await entriesOf(later.opened);
      return entries.length < 4 ? entries : undefined;
    });
    assert.deepEqual(
      left.map(({ seq }) => seq),
      [4],
    );
    await later.opened.json("POST", "/variables", { name: "e", value: "1", type: "string" });
    for (const close of later.closers) await close();
    ahead = 10 * long;
    const forever = await reopen({ AUDIT_RETENTION_DAYS: "0" });
    assert.deepEqual(
      (await entriesOf(forever.opened)).map(({ seq }) => seq),
      [5, 4],
    );
    for (const close of forever.closers) await close();
    const database = await place.storage.open();
    assert.equal(await findBrokenAudit(database.read), undefined);
    await database.close();
  });

  test("the log is read in pages, by actor, action, thing and time, and exported oldest first", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const ids: string[] = [];
    for (const name of ["=cmd()", "b", "c"])
      ids.push((await platform.json<{ id: string }>("POST", "/variables", { name, value: "1", type: "string" })).id);
    await platform
      .json("POST", "/apikey", { keyName: "=HYPERLINK(1)", permissions: ["variables:write"] })
      .then(async (key) => {
        const made = await platform.send(
          "DELETE",
          `/variables/${ids[2]}`,
          undefined,
          bearer((key as { apiKey: string }).apiKey),
        );
        assert.equal(made.status, 200);
      });
    const first = await platform.json<AuditPage>("GET", "/audit?limit=2");
    const second = await platform.json<AuditPage>("GET", `/audit?limit=2&before=${first.next}`);
    assert.deepEqual(
      [...first.data, ...second.data].map(({ seq }) => seq),
      [5, 4, 3, 2],
    );
    const count = async (query: string) => (await entriesOf(platform, query)).length;
    assert.equal(await count("&action=createVariable"), 3);
    assert.equal(await count(`&thing=${ids[2]}`), 2);
    assert.equal(await count("&actor=operator"), 4);
    assert.equal(await count(`&actor=${encodeURIComponent("=HYPERLINK(1)")}`), 1);
    const middle = first.data.at(-1)?.date ?? "";
    assert.ok((await count(`&from=${middle}`)) >= 2 && (await count(`&to=${middle}`)) >= 1);
    assert.deepEqual([await count("&from=2999-01-01"), await count("&to=1999-01-01")], [0, 0]);
    assert.equal((await platform.send("GET", "/audit?limit=201")).status, 400);
    assert.equal((await platform.send("GET", "/audit?actor=")).status, 400);

    const ndjson = await (await platform.send("GET", "/audit/export?action=createVariable")).text();
    const lines = ndjson
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as AuditEntry);
    assert.deepEqual(
      lines.map(({ seq, thing }) => [seq, thing.id]),
      ids.map((id, n) => [n + 1, id]),
    );
    const csv = await platform.send("GET", "/audit/export", undefined, { accept: "text/csv" });
    assert.match(csv.headers.get("content-type") ?? "", /^text\/csv/);
    const table = await csv.text();
    assert.ok(table.includes(",'=HYPERLINK(1),") && !table.includes(",=HYPERLINK"));
    assert.ok((await actionsOf(platform)).includes("exportAudit"), "who exports it is written, too");
  });
});
