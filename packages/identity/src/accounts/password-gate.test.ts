import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryLimits } from "@weft/http";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { admin, createIdentityApi, createWithAdmin, type IdentityApiOptions } from "../testing/bench.ts";
import { usualCost } from "./password.ts";

const office = "203.0.113.7";
const home = "203.0.113.8";
const elsewhere = (time: number) => `198.51.100.${time}`;

await forEachDatabase(({ openTestDatabase }) => {
  async function start(t: Parameters<typeof openTestDatabase>[0], options: IdentityApiOptions = {}) {
    const database = await openTestDatabase(t);
    const api = await createWithAdmin(database, options);
    const { logIn } = api;
    /** From one network, unless another is named for each time. */
    const fail = async (times: number, more: { email?: string } = {}, from = (_time: number) => office) => {
      for (let time = 0; time < times; time += 1) {
        assert.equal((await logIn({ ...more, password: "wrong" }, from(time))).status, 401);
      }
    };
    return { ...api, database, fail };
  }

  test("five failures in one network lock nobody out elsewhere", async (t) => {
    const { logIn, fail } = await start(t);
    await fail(5);
    assert.equal((await logIn({}, office)).status, 429);
    assert.equal((await logIn({}, home)).status, 200);
  });

  test("guesses from everywhere make strangers wait, and nobody where the account has logged in before", async (t) => {
    const { logIn, fail, time } = await start(t);
    assert.equal((await logIn({}, home)).status, 200);
    await fail(20, {}, elsewhere);
    const stranger = await logIn({}, "192.0.2.1");
    assert.deepEqual([stranger.status, stranger.headers.get("retry-after")], [429, "30"]);
    assert.equal((await logIn({}, home)).status, 200);
    await fail(1, {}, () => home);
    assert.equal((await logIn({}, home)).status, 200);
    time.nowMs += 30_000;
    await fail(1, {}, () => "192.0.2.2");
    assert.equal((await logIn({}, "192.0.2.3")).headers.get("retry-after"), "60");
  });

  test("where an account has logged in before, its own failures count, and those of others there do not", async (t) => {
    const { logIn, fail } = await start(t);
    assert.equal((await logIn({}, office)).status, 200);
    for (let index = 0; index < 20; index += 1) await fail(1, { email: `user${index}@example.org` });
    assert.equal((await logIn({ email: "user99@example.org" }, office)).status, 429);
    assert.equal((await logIn({}, office)).status, 200);
    await fail(5);
    assert.equal((await logIn({}, office)).status, 429);
  });

  test("known networks outlive the process, are the newest twenty, and go with the password", async (t) => {
    const { logIn, fail, call, database, time } = await start(t);
    for (let index = 0; index <= 20; index += 1) {
      time.nowMs += 1;
      assert.equal((await logIn({}, `192.0.2.${index}`)).status, 200);
    }
    assert.equal((await database.read.selectFrom("accountNetworks").selectAll().execute()).length, 20);
    await fail(20, {}, elsewhere);
    assert.equal((await logIn({}, "192.0.2.0")).status, 429, "the oldest is forgotten");
    const restarted = await createIdentityApi(database);
    for (let index = 0; index < 20; index += 1) {
      await restarted.call("POST", "/auth/login", {
        bearer: "",
        body: { ...admin, password: "no" },
        from: elsewhere(index),
      });
    }
    const again = await restarted.call("POST", "/auth/login", { bearer: "", body: admin, from: "192.0.2.1" });
    assert.equal(again.status, 200);
    const change = { currentPassword: admin.password, newPassword: "battery staple" };
    const bearer = (await logIn({}, "192.0.2.2")).body.token;
    assert.equal((await call("PUT", "/auth/password", { bearer, body: change, from: "192.0.2.2" })).status, 200);
    assert.equal((await logIn({ password: change.newPassword }, "192.0.2.1")).status, 429);
    assert.equal((await logIn({ password: change.newPassword }, "192.0.2.2")).status, 200);
  });

  test("no address is kept", async (t) => {
    const { logIn, database } = await start(t);
    await logIn({}, home);
    const rows = await database.read.selectFrom("accountNetworks").selectAll().execute();
    assert.equal(rows.length, 1);
    assert.doesNotMatch(JSON.stringify(rows), /203\.0/);
  });

  test("those who flood the log-in keep no known network out", async (t) => {
    const { logIn } = await start(t, { hashCost: usualCost });
    assert.equal((await logIn({}, home)).status, 200);
    const flood = Array.from({ length: 80 }, (_, index) => logIn({ email: `user${index}@example.org` }));
    assert.equal((await logIn({}, home)).status, 200);
    assert.ok((await Promise.all(flood)).some(({ status }) => status === 429));
  });

  test("after five failures not even the right password is taken, for a time that doubles", async (t) => {
    const { logIn, fail, time } = await start(t);
    await fail(5);
    for (const waitSeconds of [30, 60, 120, 240, 480, 900, 900]) {
      const refused = await logIn({}, office);
      assert.deepEqual([refused.status, refused.body.code], [429, "rate-limited"]);
      assert.equal(refused.headers.get("retry-after"), String(waitSeconds));
      time.nowMs += waitSeconds * 1_000 - 1;
      const early = await logIn({}, office);
      assert.deepEqual([early.status, early.headers.get("retry-after")], [429, "1"]);
      time.nowMs += 1;
      await fail(1);
    }
    time.nowMs += 900_000;
    assert.equal((await logIn({}, office)).status, 200);
  });

  test("whether an account exists makes no difference", async (t) => {
    const { logIn, fail } = await start(t);
    const answers = [];
    for (const email of [admin.email, "nobody@example.org"]) {
      await fail(5, { email });
      const { status, body, headers } = await logIn({ email }, office);
      answers.push({ status, message: body.message, retryAfter: headers.get("retry-after") });
    }
    assert.equal(answers[0]?.status, 429);
    assert.deepEqual(answers[0], answers[1]);
  });

  test("the right password makes four failures forgotten, and so do fifteen quiet minutes", async (t) => {
    const { logIn, fail, time } = await start(t);
    await fail(4);
    assert.equal((await logIn({}, office)).status, 200);
    await fail(4);
    time.nowMs += 15 * 60_000;
    await fail(4);
    assert.equal((await logIn({}, office)).status, 200);
  });

  test("one client that tries many accounts waits, too; its /64 of IPv6 counts as one", async (t) => {
    const { logIn } = await start(t);
    for (let index = 0; index < 20; index += 1) {
      const refused = await logIn({ email: `user${index}@example.org` }, `2001:db8:1:2::${index}`);
      assert.equal(refused.status, 401);
    }
    assert.equal((await logIn({}, "2001:db8:1:2:ffff::1")).status, 429);
    assert.equal((await logIn({}, "2001:db8:1:3::1")).status, 200);
  });

  test("what is asked at once is no way around the limit", async (t) => {
    const { logIn } = await start(t);
    const guesses = Array.from({ length: 40 }, (_, index) => logIn({ password: `guess ${index}` }, office));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 401).length, 5, statuses.join());
    assert.ok(statuses.every((status) => status === 401 || status === 429));
  });

  test("guesses at several processes that count together have the limit of one, in turns and at once", async (t) => {
    const limits = createMemoryLimits({ now: Date.now });
    const database = await openTestDatabase(t);
    const first = await createWithAdmin(database, { limits });
    const second = await createIdentityApi(database, { limits });
    const guess = async ({ call }: Pick<typeof second, "call">, from: string, password = "wrong") =>
      (await call("POST", "/auth/login", { bearer: "", body: { ...admin, password }, from })).status;
    const inTurns = [];
    for (const api of [first, second, first, second, first, second]) inTurns.push(await guess(api, office));
    assert.deepEqual(inTurns, [401, 401, 401, 401, 401, 429]);
    assert.equal(await guess(first, office, admin.password), 429);
    const atOnce = Array.from({ length: 20 }, (_, index) => guess(index % 2 === 0 ? first : second, home));
    assert.equal((await Promise.all(atOnce)).filter((status) => status === 401).length, 5);
    assert.equal(await guess(second, elsewhere(1), admin.password), 200);
  });

  test("unknown addresses wait for a hash like known ones: too many at once are refused", async (t) => {
    const { logIn } = await start(t, { hashCost: usualCost });
    const many = Array.from({ length: 120 }, (_, index) => logIn({ email: `user${index}@example.org` }));
    const statuses = (await Promise.all(many)).map(({ status }) => status);
    assert.ok(statuses.includes(429) && statuses.includes(401), statuses.join());
  });

  test("the current password is guarded in a change, as at the log-in", async (t) => {
    const { call, logIn } = await start(t);
    const { token: bearer } = (await logIn({}, home)).body;
    const change = async (currentPassword: string) => {
      const body = { currentPassword, newPassword: "battery staple" };
      return (await call("PUT", "/auth/password", { bearer, body, from: office })).status;
    };
    for (let time = 0; time < 5; time += 1) assert.equal(await change("wrong"), 401);
    assert.equal(await change(admin.password), 429);
    assert.equal((await logIn({}, office)).status, 429);
    assert.equal((await logIn({}, home)).status, 200);
  });
});
