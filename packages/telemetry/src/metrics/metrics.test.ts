import assert from "node:assert/strict";
import { test } from "node:test";
import { DatabaseUnavailableError } from "@weft/database";
import { systemClock } from "@weft/run-host";
import type { KyselyPlugin } from "kysely";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openScriptedPlatform } from "../../../server/src/testing/scripted-model.ts";
import { agentWith, llmFlow, openTestPlatform } from "../../../server/src/testing/test-platform.ts";
import { scrape } from "../testing/scrape.ts";

await onTestDatabase((databases) => {
  test("runs, steps, model calls and tokens are counted, and nothing that was said is shown", async (t) => {
    const platform = await openScriptedPlatform(t, databases, () => ({ text: "A secret answer." }));
    const agent = await agentWith(platform, llmFlow());
    await platform.ask(agent, { question: "A secret question?" });
    const { text, samples } = await scrape(platform);
    assert.equal(samples.get(`weft_runs_started_total{agent="${agent}"}`), 1);
    assert.equal(samples.get(`weft_runs_ended_total{state="completed",agent="${agent}"}`), 1);
    assert.equal(samples.get('weft_run_duration_seconds_count{state="completed"}'), 1);
    assert.equal(samples.get('weft_step_duration_seconds_count{type="llm",outcome="completed"}'), 1);
    assert.equal(samples.get('weft_effect_duration_seconds_count{category="model",outcome="ok"}'), 1);
    const model = 'provider="openai-compatible",model="scripted"';
    assert.equal(samples.get(`weft_model_call_duration_seconds_count{${model}}`), 1);
    assert.ok((samples.get(`weft_model_tokens_total{direction="input",${model}}`) ?? 0) > 0);
    assert.ok((samples.get(`weft_model_tokens_total{direction="output",${model}}`) ?? 0) > 0);
    assert.equal(samples.get("weft_database_up"), 1);
    assert.deepEqual([samples.get("weft_runs_running"), samples.get("weft_runs_waiting")], [0, 0]);
    assert.equal(samples.get("weft_runs_oldest_waiting_seconds"), 0);
    assert.ok((samples.get("weft_commit_duration_seconds_count") ?? 0) >= 2);
    assert.equal(samples.has('weft_database_connections{state="active"}'), databases.name === "postgres");
    assert.equal(samples.get('weft_worker_calls_waiting{pool="sandbox"}'), 0);
    assert.ok((samples.get("process_resident_memory_bytes") ?? 0) > 1e6);
    assert.doesNotMatch(text, /secret/i);
  });

  test("a run whose model fails is counted as failed, with the code of the error", async (t) => {
    const platform = await openScriptedPlatform(t, databases, () => ({ status: 401, error: "No." }));
    const agent = await agentWith(platform, llmFlow());
    await platform.ask(agent, { question: "Anybody?" });
    const { samples } = await scrape(platform);
    assert.equal(samples.get(`weft_runs_ended_total{state="failed",agent="${agent}"}`), 1);
    assert.equal(samples.get('weft_step_duration_seconds_count{type="llm",outcome="failed"}'), 1);
    const failures = [...samples].filter(([name]) => name.startsWith("weft_model_call_failures_total"));
    assert.equal(failures.length, 1);
    assert.match(failures[0]?.[0] ?? "", /code="model-[a-z-]+"/);
  });

  test("the time to the first token is that of streamed answers", async (t) => {
    const platform = await openScriptedPlatform(t, databases, () => ({ text: "One two three." }));
    const agent = await agentWith(platform, llmFlow());
    const response = await platform.send("POST", `/prediction/${agent}`, { question: "Count.", streaming: true });
    await response.text();
    const { samples } = await scrape(platform);
    const labels = '{provider="openai-compatible",model="scripted"}';
    assert.equal(samples.get(`weft_model_first_token_seconds_count${labels}`), 1);
    await platform.ask(agent, { question: "And now at once." });
    assert.equal((await scrape(platform)).samples.get(`weft_model_first_token_seconds_count${labels}`), 1);
  });

  test("metrics need the permission, and are answered while the database is away to a bearer that was proven", async (t) => {
    let isAway = false;
    const plugin: KyselyPlugin = {
      transformQuery({ node }) {
        if (isAway) throw new DatabaseUnavailableError("the database does not answer", undefined);
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    let laterMs = 0;
    const platform = await openTestPlatform(
      t,
      databases,
      {},
      {
        wrapDatabase: (database) => ({ ...database, read: database.read.withPlugin(plugin) }),
        clock: { ...systemClock, now: () => systemClock.now() + laterMs },
      },
    );
    const statusOf = async (token: string | undefined) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return (await platform.fetch(new Request("http://platform/metrics", { headers }))).status;
    };
    const keyWith = async (permission: string) => {
      const body = { keyName: permission, permissions: [permission] };
      return platform.json<{ apiKey: string; id: string }>("POST", "/apikey", body);
    };
    const reader = await keyWith("server:read");
    const other = await keyWith("agents:read");
    const revoked = await keyWith("server:read");
    assert.equal(await statusOf(undefined), 401);
    assert.equal(await statusOf("wk_unknown"), 401);
    assert.equal(await statusOf(other.apiKey), 403);
    assert.equal(await statusOf(revoked.apiKey), 200);
    await platform.send("DELETE", `/apikey/${revoked.id}`);
    assert.equal(await statusOf(reader.apiKey), 200);

    isAway = true;
    laterMs += 60_000;
    const { samples } = await scrape({ ...platform, token: reader.apiKey });
    assert.equal(samples.get("weft_database_up"), 0);
    assert.ok(!samples.has("weft_runs_waiting"));
    assert.ok(samples.has("process_cpu_seconds_total"));
    assert.equal(await statusOf(revoked.apiKey), 503);
    assert.equal(await statusOf("wk_unknown"), 503);
    // Nothing else trusts a proof that old.
    const version = { headers: { authorization: `Bearer ${reader.apiKey}` } };
    assert.equal((await platform.fetch(new Request("http://platform/api/v1/version", version))).status, 503);
    laterMs += 86_400_000;
    assert.equal(await statusOf(reader.apiKey), 503);

    isAway = false;
    assert.equal(await statusOf(reader.apiKey), 200);
    assert.equal((await scrape({ ...platform, token: reader.apiKey })).samples.get("weft_database_up"), 1);
  });
});
