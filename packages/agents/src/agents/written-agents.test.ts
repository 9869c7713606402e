import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "@weft/database";
import type { Agent } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { createAgents, createResourceApi } from "../testing/bench.ts";
import { createWrittenAgents } from "./written-agents.ts";

const flowData = '{"weft":1}';
const all = { reach: { agents: "all" } } as const;

await forEachDatabase(({ name, createTestStorage, openTestDatabase }) => {
  /** The API twice, each with answers of its own to keep: two processes where the database takes two. */
  async function createTwoApis(t: Parameters<typeof createTestStorage>[0]) {
    const storage = await createTestStorage(t);
    const here = await storage.open();
    const elsewhere = name === "postgres" ? await storage.open() : here;
    return { here: createResourceApi(here), elsewhere: createResourceApi(elsewhere), database: elsewhere };
  }

  test("what is read is what was written last, here or by another process, and has another tag", async (t) => {
    const { here, elsewhere, database } = await createTwoApis(t);
    const { body: key } = await here.call("POST", "/chatflows", { name: "other", flowData });
    const { body: agent } = await here.call("POST", "/chatflows", { name: "first", flowData, apikeyid: key.id });
    const path = `/chatflows/${agent.id}`;
    const paths = [path, "/chatflows", "/chatflows?page=1&limit=5", "/chatflows?type=AGENTFLOW"];
    const changes: [string, () => Promise<{ status: number }>][] = [
      ["settings", () => elsewhere.call("PUT", path, { name: "second", isPublic: true })],
      ["the moment alone", () => elsewhere.call("PUT", path, {})],
      ["the flow", () => elsewhere.call("PUT", path, { flowData: '{"weft":1,"nodes":[]}' })],
      ["a flow by its text", () => elsewhere.call("PUT", path, { flowData: '{"weft":1, "nodes":[]}' })],
      ["an earlier version", () => elsewhere.call("POST", `${path}/versions/1/restore`)],
      ["its own write", () => here.call("PUT", path, { category: "ü\u2028🧶" })],
      ["deleted, and made again under its id", () => remake(elsewhere, agent.id)],
    ];
    for (const [what, change] of changes) {
      const before = await Promise.all(paths.map((one) => here.call("GET", one)));
      assert.equal((await change()).status, 200, what);
      for (const [index, one] of paths.entries()) {
        const old = before[index]?.headers.get("etag") ?? "";
        const now = await here.call("GET", one, undefined, { "If-None-Match": old });
        assert.equal(now.status, 200, `${what}: ${one}`);
        const fresh = await createResourceApi(database).call("GET", one);
        assert.equal(now.text, fresh.text, `${what}: ${one}`);
        const etag = now.headers.get("etag") ?? "";
        assert.equal(etag, fresh.headers.get("etag"), "every process has the same tag for the same answer");
        const unchanged = await here.call("GET", one, undefined, { "If-None-Match": `"x", W/${etag}` });
        assert.deepEqual([unchanged.status, unchanged.text, unchanged.headers.get("etag")], [304, "", etag]);
      }
    }
    await elsewhere.call("DELETE", path);
    assert.equal((await here.call("GET", path, undefined, { "If-None-Match": "*" })).status, 404);
    assert.deepEqual(
      (await here.call("GET", "/chatflows")).body.map(({ id }: Agent) => id),
      [key.id],
    );
  });

  test("the tag of a read lets an update pass, and that of the update is the next read's", async (t) => {
    const { here, elsewhere } = await createTwoApis(t);
    const { body: agent } = await here.call("POST", "/chatflows", { name: "a", flowData });
    const path = `/chatflows/${agent.id}`;
    await here.call("GET", path);
    const etag = (await here.call("GET", path)).headers.get("etag") ?? "";
    const updated = await elsewhere.call("PUT", path, { name: "b" }, { "If-Match": etag });
    assert.equal(updated.status, 200);
    assert.equal((await here.call("GET", path)).headers.get("etag"), updated.headers.get("etag"));
    assert.equal((await here.call("PUT", path, { name: "c" }, { "If-Match": etag })).status, 412);
  });

  test("what is kept is shown to nobody who may not read it", async (t) => {
    const { app, call, authorizationOf } = createResourceApi(await openTestDatabase(t));
    const { body: mine } = await call("POST", "/chatflows", { name: "mine", flowData });
    const { body: foreign } = await call("POST", "/chatflows", { name: "foreign", flowData });
    const whole = await call("GET", "/chatflows");
    const tag = { "If-None-Match": (await call("GET", `/chatflows/${foreign.id}`)).headers.get("etag") ?? "" };
    const limited = await authorizationOf(["agents:read"], [mine.id]);
    const others = await authorizationOf(["messages:read"]);
    const get = (path: string, headers: Record<string, string>) =>
      app.fetch(new Request(`http://127.0.0.1/api/v1${path}`, { headers }));
    for (const again of [{}, tag, { "If-None-Match": "*" }]) {
      assert.equal((await get(`/chatflows/${foreign.id}`, { ...limited, ...again })).status, 404);
      assert.equal((await get(`/chatflows/${foreign.id}`, { ...others, ...again })).status, 403);
      assert.equal((await get(`/chatflows/${foreign.id}`, again)).status, 401);
    }
    const wholeTag = { "If-None-Match": whole.headers.get("etag") ?? "" };
    const own = await get("/chatflows", { ...limited, ...wholeTag });
    assert.equal(own.status, 200);
    assert.deepEqual(
      ((await own.json()) as Agent[]).map(({ id }) => id),
      [mine.id],
    );
    const page = await get("/chatflows?page=1&limit=10", limited);
    assert.deepEqual(await page.json(), { data: [mine], total: 1 });
    assert.equal((await get("/chatflows", { ...others, ...wholeTag })).status, 403);
    assert.equal((await get("/chatflows", wholeTag)).status, 401);
  });

  test("a list is one state of the database, also where agents change while it is read", async (t) => {
    const database = await openTestDatabase(t);
    const { service } = createAgents(database);
    const [a, b, c] = [await create("a"), await create("b"), await create("c")];
    function create(named: string) {
      return service.create({ name: named, flowData });
    }
    const names = async (change: () => Promise<unknown>) => {
      const list = await createWrittenAgents(readAnd(database, change)).list(all, { offset: 0, limit: 9 });
      assert.ok(!Array.isArray(list));
      return JSON.parse(list.bytes.toString()).data.map((agent: Agent) => agent.name);
    };
    for (const { id } of [c, b, b]) await service.update(id, {});
    assert.equal((await names(() => service.update(a.id, { name: "A" }))).join(), await orderOf(database));
    assert.equal((await names(() => service.remove(c.id))).join(), await orderOf(database));
  });

  test("an agent that changes while it is read is answered as it became; one that goes is unknown", async (t) => {
    const database = await openTestDatabase(t);
    const { service } = createAgents(database);
    const { id } = await service.create({ name: "a", flowData });
    const changing = createWrittenAgents(readAnd(database, () => service.update(id, { name: "b" })));
    assert.equal(JSON.parse((await changing.get(id)).bytes.toString()).name, "b");
    assert.equal(JSON.parse((await changing.get(id)).bytes.toString()).name, "b");
    const going = createWrittenAgents(readAnd(database, () => service.remove(id)));
    await assert.rejects(going.get(id), { code: "not-found" });
  });

  test("a list of very many is not kept, and complete", async (t) => {
    const database = await openTestDatabase(t);
    const { service } = createAgents(database);
    const { id: _, ...row } = await database.read
      .selectFrom("agents")
      .selectAll()
      .where("id", "=", (await service.create({ name: "a", flowData })).id)
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: 1_000 }, (_, index) => ({ ...row, id: `0000${index}`, versionId: `v${index}` }));
    await database.write(async (tx) => {
      for (const one of rows) await tx.insertInto("agents").values(one).execute();
    });
    const list = await createWrittenAgents(database).list(all);
    assert.ok(Array.isArray(list));
    assert.equal(new Set(list.map(({ id }) => id)).size, 1_001);
  });
});

async function orderOf({ read }: Database): Promise<string> {
  const rows = await read.selectFrom("agents").select("name").orderBy("updatedDate", "desc").orderBy("id").execute();
  return rows.map(({ name }) => name).join();
}

async function remake(api: ReturnType<typeof createResourceApi>, id: string): Promise<{ status: number }> {
  await api.call("DELETE", `/chatflows/${id}`);
  return api.call("POST", "/chatflows", { id, name: "made again", flowData });
}

/** A reader after whose first query something changes. */
function readAnd(
  { dialect, read, changes }: Database,
  change: () => Promise<unknown>,
): Parameters<typeof createWrittenAgents>[0] {
  let isDone = false;
  const reader = read.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!isDone) {
        isDone = true;
        await change();
      }
      return result;
    },
  });
  return { dialect, read: reader, changes };
}
