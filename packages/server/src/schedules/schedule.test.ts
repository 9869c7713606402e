import assert from "node:assert/strict";
import { test } from "node:test";
import type { ScheduleLog, ScheduleStatus } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, openRestartable, openTestPlatform } from "../testing/test-platform.ts";

const unknownId = "00000000-0000-4000-8000-000000000000";
const everySecond = { cron: "* * * * * *", question: "Now?" };
const daily = { cron: "0 9 * * *", timeZone: "Europe/Berlin" };

function flowWith(schedule: object | undefined, message = "{{ question }}"): string {
  const config = schedule === undefined ? {} : { input: "schedule", schedule };
  return JSON.stringify({
    weft: 1,
    nodes: [
      { id: "start_0", type: "start", config },
      { id: "reply_0", type: "direct-reply", config: { message } },
    ],
    edges: [{ id: "e", source: "start_0", target: "reply_0" }],
  });
}

type Logs = { data: ScheduleLog[]; total: number; page: number; limit: number };

await onTestDatabase((databases) => {
  test("an agent with a schedule runs by itself, and its log leads to the runs", async (t) => {
    const platform = await openTestPlatform(t, databases, { MIN_SCHEDULE_INTERVAL_SECONDS: "1" });
    const id = await agentWith(platform, flowWith(everySecond));
    const path = `/chatflows/${id}/schedule`;
    const logs = (query = "") => platform.json<Logs>("GET", `${path}/trigger-logs${query}`);
    await platform.until(async () => ((await logs("?status=SUCCEEDED")).total >= 2 ? true : undefined));
    const off = await platform.json<{ enabled: boolean; nextRunDate: null }>("PATCH", `${path}/enabled`, {
      enabled: false,
    });
    assert.deepEqual([off.enabled, off.nextRunDate], [false, null]);
    const { data, total, page, limit } = await logs("?page=1&limit=1&status=SUCCEEDED");
    assert.deepEqual([data.length, page, limit, total >= 2], [1, 1, 1, true]);
    const [log] = data;
    assert.equal(log?.error, null);
    const execution = await platform.json<{ chatId: string; agentflowId: string }>(
      "GET",
      `/executions/${log?.executionId}`,
    );
    assert.deepEqual([execution.agentflowId, execution.chatId], [id, log?.executionId]);
    const messages = await platform.json<{ content: string; chatType: string }[]>("GET", `/chatmessage/${id}`);
    assert.ok(messages.every(({ content, chatType }) => content === "Now?" && chatType === "EXTERNAL"));
    assert.equal((await logs("?status=SKIPPED")).total, 0);
    for (const query of ["?page=0", "?limit=101", "?status=OTHER"]) {
      assert.equal((await platform.send("GET", `${path}/trigger-logs${query}`)).status, 400, query);
    }
  });

  test("a list has the schedules of all agents within reach, the soonest first and those that are off last", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const list = async (headers = {}) => {
      const response = await platform.send("GET", "/schedules", undefined, headers);
      assert.equal(response.status, 200);
      const records = (await response.json()) as { chatflowid: string; enabled: boolean; nextRunDate: string | null }[];
      return records.map(({ chatflowid, enabled, nextRunDate }) => [chatflowid, enabled, nextRunDate !== null]);
    };
    assert.deepEqual(await list(), []);
    const yearly = await agentWith(platform, flowWith({ cron: "0 0 1 1 *" }));
    const hourly = await agentWith(platform, flowWith({ cron: "0 * * * *" }));
    const off = await agentWith(platform, flowWith(daily));
    const without = await agentWith(platform, flowWith(undefined));
    await platform.json("PATCH", `/chatflows/${off}/schedule/enabled`, { enabled: false });
    assert.deepEqual(await list(), [
      [hourly, true, true],
      [yearly, true, true],
      [off, false, false],
    ]);
    const keyOf = async (agents: string[]) => {
      const body = { keyName: "k", permissions: ["agents:read"], agents };
      return { authorization: `Bearer ${(await platform.json<{ apiKey: string }>("POST", "/apikey", body)).apiKey}` };
    };
    assert.deepEqual(await list(await keyOf([yearly, without])), [[yearly, true, true]]);
    const { status } = await platform.send("GET", "/schedules", undefined, { authorization: "Bearer wrong" });
    assert.equal(status, 401);
    await platform.json("PUT", `/chatflows/${hourly}`, { flowData: flowWith(undefined) });
    await platform.json("DELETE", `/chatflows/${yearly}`);
    assert.deepEqual(await list(), [[off, false, false]]);
  });

  test("the log leads to a run whose firing is not settled yet", async (t) => {
    const { storage, open, close } = await openRestartable(t, databases, { MIN_SCHEDULE_INTERVAL_SECONDS: "1" });
    const first = await open();
    const path = `/chatflows/${await agentWith(first, flowWith(everySecond))}/schedule`;
    const succeeded = `${path}/trigger-logs?status=SUCCEEDED`;
    await first.until(async () => ((await first.json<Logs>("GET", succeeded)).total > 0 ? true : undefined));
    await first.json("PATCH", `${path}/enabled`, { enabled: false });
    await close();
    // As a process leaves it that is killed between the two.
    const database = await storage.open();
    await database.write((tx) => tx.updateTable("scheduleFirings").set({ state: "pending" }).execute());
    await database.close();
    const { data } = await (await open()).json<Logs>("GET", succeeded);
    assert.ok(data.length > 0 && data.every(({ id, executionId }) => executionId === id));
  });

  test("a firing that is refused stands in the log with the reason", async (t) => {
    const platform = await openTestPlatform(t, databases, { MIN_SCHEDULE_INTERVAL_SECONDS: "1" });
    const id = await agentWith(platform, flowWith(everySecond, "{{ nothing }}"));
    const failed = await platform.until(async () => {
      const { data } = await platform.json<Logs>("GET", `/chatflows/${id}/schedule/trigger-logs?status=FAILED`);
      return data[0];
    });
    assert.equal(failed.executionId, null);
    assert.match(failed.error ?? "", /nothing/);
    await platform.json("DELETE", `/chatflows/${id}`);
    assert.equal((await platform.send("GET", `/chatflows/${id}/schedule/status`)).status, 404);
  });

  test("the status says whether it can be enabled, and why not", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const id = await agentWith(platform, flowWith(undefined));
    const path = `/chatflows/${id}`;
    const status = () => platform.json<ScheduleStatus>("GET", `${path}/schedule/status`);
    const save = (schedule: object | undefined) => platform.json("PUT", path, { flowData: flowWith(schedule) });
    assert.deepEqual(await status(), {
      enabled: false,
      canEnable: false,
      reason: "The flow does not begin with a schedule. Choose one as the input of its start node.",
      record: null,
    });
    const refused = await platform.send("PATCH", `${path}/schedule/enabled`, { enabled: true });
    assert.deepEqual([refused.status, ((await refused.json()) as { code: string }).code], [409, "conflict"]);
    await save(daily);
    const { enabled, canEnable, reason, record } = await status();
    assert.deepEqual([enabled, canEnable, reason], [true, true, null]);
    assert.deepEqual([record?.cron, record?.timeZone, record?.endDate], ["0 9 * * *", "Europe/Berlin", null]);
    assert.match(record?.nextRunDate ?? "", /T0[78]:00:00\.000Z$/);
    await save(everySecond);
    assert.match((await status()).reason ?? "", /more often than every 60 seconds/);
    assert.equal((await status()).enabled, false);
    const findings = await platform.json<{ code: string; level: string }[]>("GET", `${path}/findings`);
    assert.deepEqual(
      findings.map(({ code, level }) => [code, level]),
      [["schedule-invalid", "error"]],
    );
    for (const body of [{}, { enabled: "yes" }, undefined]) {
      assert.equal((await platform.send("PATCH", `${path}/schedule/enabled`, body)).status, 400);
    }
    for (const suffix of ["status", "trigger-logs"]) {
      assert.equal((await platform.send("GET", `/chatflows/${unknownId}/schedule/${suffix}`)).status, 404);
    }
    assert.equal(
      (await platform.send("PATCH", `/chatflows/${unknownId}/schedule/enabled`, { enabled: true })).status,
      404,
    );
  });

  test("an earlier version that is restored brings its schedule back", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const id = await agentWith(platform, flowWith(daily));
    const record = async () => (await platform.json<ScheduleStatus>("GET", `/chatflows/${id}/schedule/status`)).record;
    await platform.json("PUT", `/chatflows/${id}`, { flowData: flowWith(undefined) });
    assert.equal(await record(), null);
    await platform.json("POST", `/chatflows/${id}/versions/1/restore`);
    assert.equal((await record())?.cron, "0 9 * * *");
  });

  test("clients cannot send messages to it, its author may try it out", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const id = await agentWith(platform, flowWith(daily));
    const refused = await platform.send("POST", `/prediction/${id}`, { question: "hi" });
    assert.equal(refused.status, 422);
    assert.match(((await refused.json()) as { message: string }).message, /started by its schedule/);
    const tried = await platform.json<{ text: string }>("POST", `/internal-prediction/${id}`, { question: "hi" });
    assert.equal(tried.text, "hi");
  });
});
