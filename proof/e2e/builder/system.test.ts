import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { System } from "../../../packages/schema/src/index.ts";
import { startReceiver } from "../../../packages/server/src/webhooks/testing/receiver.ts";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { lookAt, settled } from "./testing/look-at.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";

const heading = (page: Page) => page.getByRole("heading", { level: 1, name: "System" }).waitFor();

/** More answers than there are deliveries in a test. */
const many = (status: number) => Array.from({ length: 50 }, () => status);

describe("the page System", () => {
  let world: BuilderWorld;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  const cleaners: (() => void)[] = [];

  before(async () => {
    // Fails until a test says otherwise, also when the server itself sends again meanwhile.
    receiver = await startReceiver({ after: (clean) => void cleaners.push(clean) }, ...many(503));
    world = await startBuilder({ env: { EGRESS_ALLOW: receiver.host } });
  });
  after(async () => {
    await world?.close();
    for (const clean of cleaners) clean();
  });

  it("is in the navigation, and calm where nothing is wrong", async () => {
    const page = await world.open("/agents");
    await page.getByRole("navigation").getByRole("link", { name: "System" }).click();
    await heading(page);
    await page.getByText("Every callback was delivered.").waitFor();
    const processes = page.getByRole("table");
    await processes.getByText("Answers this page").waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
    await settled(page);
    await lookAt(page, "system-calm");
    await page.setViewportSize({ width: 390, height: 844 });
    await screenshot(page, "system-calm-390");
    await page.close();
  });

  it("sends a failing callback again, and says what became of it", async () => {
    const { call, url } = world.platform;
    const webhook = { auth: { type: "none" }, response: "async", callbackUrl: `${receiver.url}/T0KEN` };
    const nodes = [
      { id: "start_0", type: "start", config: { input: "webhook", webhook } },
      { id: "reply_0", type: "direct-reply", config: { message: "Done." } },
    ];
    const edges = [{ id: "e", source: "start_0", target: "reply_0" }];
    const flowData = JSON.stringify({ weft: 1, nodes, edges });
    const { id } = await call<{ id: string }>("POST", "/chatflows", { name: "Orders", flowData });
    assert.equal((await fetch(`${url}/webhook/${id}`, { method: "POST", body: "{}" })).status, 202);

    // It refreshes itself until the callback has failed.
    const page = await world.open("/system");
    const callbacks = page.getByRole("region", { name: "Failing callbacks" });
    const row = callbacks.getByRole("listitem");
    await row.getByText("The receiver answered 503.").waitFor();
    assert.match((await row.textContent()) ?? "", new RegExp(`Orders to ${receiver.host}`));
    assert.doesNotMatch(await page.content(), /T0KEN/);
    await settled(page);
    await assertAccessibleInBoth(page, "system failing");
    await page.setViewportSize({ width: 390, height: 844 });
    await screenshot(page, "system-failing-390");
    const button = row.getByRole("button", { name: `Send again: Orders to ${receiver.host}` });
    receiver.statuses.splice(0, receiver.statuses.length, ...many(500));
    await button.click();
    await row.getByText("Failed again").waitFor();
    await row.getByText("The receiver answered 500.").waitFor();
    // What the server sends again by itself is not to be delivered before.
    await page.route("**/resend", async (route) => {
      receiver.statuses.length = 0;
      await route.continue();
    });
    await button.click();
    await row.getByText("Delivered", { exact: true }).waitFor();
    await assertAccessibleInBoth(page, "system delivered");
    assert.ok(receiver.received.length >= 3);
    const { callbacks: left } = await call<System>("GET", "/system");
    assert.deepEqual(left, { failing: 0, list: [] });
    await page.close();
  });

  it("says since when it is out of date, and comes back by itself", async () => {
    const page = await world.open("/system");
    await heading(page);
    await page.getByRole("table").waitFor();
    await page.route("**/api/v1/system", (route) => route.abort());
    const notice = page.getByRole("alert").filter({ hasText: /These values are from \d\d:\d\d:\d\d/ });
    await notice.waitFor();
    assert.match((await notice.textContent()) ?? "", /Cannot reach the server/);
    assert.equal(await page.getByText("Answers this page").count(), 1);
    await assertAccessibleInBoth(page, "system stale");
    await page.unroute("**/api/v1/system");
    await notice.waitFor({ state: "detached" });
    await page.close();
  });

  it("shows a cluster that needs attention", async () => {
    const real = await world.platform.call<System>("GET", "/system");
    const [own] = real.processes;
    assert.ok(own);
    const at = (host: string, more: object) => ({
      ...own,
      id: host,
      host,
      answered: false,
      seenSecondsAgo: 3,
      ...more,
    });
    const cluster: System = {
      ...real,
      processes: [
        at("weft-api-1", { role: "api", maxRuns: null, answered: true }),
        at("weft-api-2", { role: "api", maxRuns: null, version: "0.0.9" }),
      ],
      queue: { ...real.queue, waiting: 1_204, oldestWaitingSeconds: 184, running: 256, paused: 12 },
      takeOvers: {
        runs: 3,
        latest: {
          executionId: "5a0e7c1b-2f4d-4c6a-8b9e-7d6f5a4b3c2d",
          agentflowId: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
          agentName: "Orders",
          updatedDate: new Date(Date.now() - 180_000).toISOString(),
        },
      },
      database: {
        dialect: "postgres",
        version: "17.6",
        sizeBytes: 48_300_000_000,
        latencyMs: 0.42,
        connections: { used: 96, limit: 100 },
      },
      redis: "unreachable",
      disk: { freeBytes: 1_200_000_000, usedBytes: 98_800_000_000 },
    };
    cluster.queue.agents = ["Support", "Orders", "Reports"].map((agentName, index) => ({
      agentflowId: `3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0${index}`,
      agentName,
      waiting: 1_000 - 400 * index,
      running: 40 + index,
    }));
    const page = await world.open("/agents");
    await page.route("**/api/v1/system", (route) => route.fulfill({ json: cluster }));
    await page.goto("/system");
    await page.getByText("No worker is running").waitFor();
    await page.getByText("Processes run different versions").waitFor();
    await page.getByText("96 of 100").waitFor();
    await page.getByText("oldest 3 min 4 s").waitFor();
    await settled(page);
    await lookAt(page, "system-cluster");
    await page.setViewportSize({ width: 390, height: 844 });
    await screenshot(page, "system-cluster-390");
    await page.close();
  });
});
