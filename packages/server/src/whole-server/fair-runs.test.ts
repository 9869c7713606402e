import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { forEachDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { openScriptedPlatform } from "../testing/scripted-model.ts";
import { agentWith, flowOf, llmFlow, type TestPlatform } from "../testing/test-platform.ts";

type Problem = { code: string; message: string };
type Execution = { id: string; agentflowId?: string; state: string };

/** Runs without a listener are looked for whenever leases are renewed. */
const oftenLooking = { RUN_LEASE_MS: "400" };

/** A model that never answers, an agent that asks it and one that answers by itself; both are public. */
async function open(t: TestContext, databases: TestDatabases, env: Record<string, string> = {}) {
  const platform = await openScriptedPlatform(t, databases, () => ({ hang: true, afterText: "…" }), {
    env: { ALLOW_PUBLIC_FLOWS: "true", PUBLIC_RATE_LIMIT: "0", TRUST_PROXY: "1", ...oftenLooking, ...env },
  });
  const slow = await agentWith(platform, llmFlow(), { isPublic: true });
  const quick = await agentWith(platform, flowOf("direct-reply", "Reply", { message: "Here" }), { isPublic: true });
  return { platform, model: platform.model, slow, quick };
}

/** A visitor at an address, who leaves with the returned function. */
function visit(platform: TestPlatform, id: string, address: string, body: object = {}) {
  const controller = new AbortController();
  const answer = platform.fetch(
    new Request(`http://platform/api/v1/prediction/${id}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": address },
      body: JSON.stringify({ question: "Hi", ...body }),
      signal: controller.signal,
    }),
  );
  answer.catch(() => undefined);
  return { answer, leave: () => controller.abort() };
}

const stateOf = async (platform: TestPlatform, id: string) =>
  (await platform.json<Execution>("GET", `/executions/${id}`)).state;

const executionOf = async (response: Response) => {
  const reader = response.body?.getReader();
  const first = await reader?.read();
  const id = /id:([0-9a-f-]{36}):/.exec(new TextDecoder().decode(first?.value))?.[1] ?? "";
  return { id, leave: () => reader?.cancel() };
};

await forEachDatabase((databases) => {
  describe("fair shares of runs", () => {
    it("let another agent answer while one has more slow runs than the server has slots", async (t) => {
      const { platform, model, slow, quick } = await open(t, databases, { MAX_CONCURRENT_RUNS: "4" });
      const asked = Array.from({ length: 20 }, () => platform.send("POST", `/prediction/${slow}`, { question: "Hi" }));
      for (const each of asked) each.catch(() => undefined);
      await platform.until(async () => model.requests[1]);
      const { text } = await platform.json<{ text: string }>("POST", `/prediction/${quick}`, { question: "Hi" });
      assert.equal(text, "Here");
      assert.equal(model.requests.length, 2, "one agent and owner has half of the slots");
    });

    it("keep visitors' runs to their part, and tell one who has too many in a sentence", async (t) => {
      const limits = { MAX_CONCURRENT_RUNS: "16", MAX_ANONYMOUS_RUNS: "2", MAX_QUEUED_RUNS: "8" };
      const { platform, model, slow, quick } = await open(t, databases, limits);
      const visits = Array.from({ length: 8 }, () => visit(platform, slow, "192.0.2.1").answer);
      const refused = await Promise.race(visits);
      assert.equal(refused.status, 503);
      assert.match(((await refused.json()) as Problem).message, /from this client are waiting.*again in 1 second/);
      assert.ok(Number(refused.headers.get("retry-after")) > 0);
      await platform.until(async () => model.requests[0]);
      assert.equal((await visit(platform, quick, "192.0.2.2").answer).status, 200);
      assert.equal((await platform.send("POST", `/prediction/${quick}`, { question: "Hi" })).status, 200);
    });
  });

  describe("runs of one session", () => {
    it("wait up to a hundred; the next is refused, and those of other sessions are not", async (t) => {
      const { platform, slow } = await open(t, databases, { MAX_CONCURRENT_RUNS: "8", MAX_QUEUED_RUNS: "1000" });
      const ask = (chatId: string, signal?: AbortSignal) =>
        platform.fetch(
          new Request(`http://platform/api/v1/prediction/${slow}`, {
            method: "POST",
            headers: { authorization: `Bearer ${platform.token}`, "content-type": "application/json" },
            body: JSON.stringify({ question: "Hi", chatId, streaming: true }),
            ...(signal && { signal }),
          }),
        );
      const answers = await Promise.all(Array.from({ length: 101 }, () => ask("long")));
      assert.ok(answers.every(({ status }) => status === 200));
      const refused = await ask("long");
      assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "1"]);
      const { code, message } = (await refused.json()) as Problem;
      assert.equal(code, "at-capacity");
      assert.match(message, /^100 messages of this session are waiting for an answer\. .* try again in 1 second\.$/);
      const other = await ask("other");
      assert.equal(other.status, 200);
      await platform.json("PUT", `/chatmessage/abort/${slow}/long`);
      await Promise.all(answers.map(({ body }) => body?.cancel()));
      const again = await ask("long");
      assert.equal(again.status, 200);
      await Promise.all([again, other].map(({ body }) => body?.cancel()));
    });
  });

  describe("open streams", () => {
    it("are shared: one address has a part of them, and others are served", async (t) => {
      const { platform, slow, quick } = await open(t, databases, { MAX_STREAMS: "8" });
      const stream = { streaming: true };
      const first = await Promise.all([1, 2].map(() => visit(platform, slow, "192.0.2.1", stream).answer));
      assert.deepEqual(
        first.map(({ status }) => status),
        [200, 200],
      );
      const refused = await visit(platform, slow, "192.0.2.1", stream).answer;
      const { code, message } = (await refused.json()) as Problem;
      assert.deepEqual([refused.status, code], [503, "streams-at-capacity"]);
      assert.match(message, /You have 2 streams open/);
      const other = await visit(platform, quick, "192.0.2.2", stream).answer;
      assert.equal(other.status, 200);
      await other.text();
      await first[0]?.body?.cancel();
      assert.equal((await visit(platform, quick, "192.0.2.1", stream).answer).status, 200);
    });
  });

  describe("runs that nobody listens to", () => {
    it("end when a visitor began them, and go on for callers with credentials", async (t) => {
      const { platform, slow } = await open(t, databases);
      await platform.json("PUT", `/chatflows/${slow}`, {
        apiConfig: JSON.stringify({ abandonedRuns: { endAfterSeconds: 0.01 } }),
      });
      const body = { question: "Hi", streaming: true };
      const visited = await executionOf(await visit(platform, slow, "192.0.2.1", body).answer);
      const stayed = await executionOf(await visit(platform, slow, "192.0.2.2", body).answer);
      const known = await executionOf(await platform.send("POST", `/prediction/${slow}`, body));
      await known.leave();
      await visited.leave();
      await platform.until(async () => ((await stateOf(platform, visited.id)) === "TERMINATED" ? true : undefined));
      assert.equal(await stateOf(platform, known.id), "INPROGRESS");
      assert.equal(await stateOf(platform, stayed.id), "INPROGRESS");
    });

    it("go on where the agent's settings say so", async (t) => {
      const { platform, slow } = await open(t, databases);
      const keep = { apiConfig: JSON.stringify({ abandonedRuns: { endAfterSeconds: false } }) };
      const other = await agentWith(platform, llmFlow(), {
        isPublic: true,
        apiConfig: JSON.stringify({ abandonedRuns: { endAfterSeconds: 0.01 } }),
      });
      await platform.json("PUT", `/chatflows/${slow}`, keep);
      const body = { streaming: true };
      const kept = await executionOf(await visit(platform, slow, "192.0.2.1", body).answer);
      const ended = await executionOf(await visit(platform, other, "192.0.2.1", body).answer);
      await kept.leave();
      await ended.leave();
      await platform.until(async () => ((await stateOf(platform, ended.id)) === "TERMINATED" ? true : undefined));
      assert.equal(await stateOf(platform, kept.id), "INPROGRESS");
    });
  });
});
