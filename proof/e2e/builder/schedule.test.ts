import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { at, flowOf } from "./testing/canvas-page.ts";
import { lookAt } from "./testing/look-at.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { createAgent } from "./testing/stored-agents.ts";

describe("a schedule in the builder", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  const create = (schedule: object) => {
    const start = {
      id: "start_0",
      type: "start",
      label: "Start",
      config: { input: "schedule", schedule },
      ...at(0, 0),
    };
    const reply = { id: "reply_0", type: "direct-reply", label: "Reply", config: { message: "Done" }, ...at(344, 0) };
    return createAgent(world.platform, flowOf([start, reply], [{ source: "start_0", target: "reply_0" }]), "Nightly");
  };
  const status = (id: string) =>
    world.platform.call<{ enabled: boolean; record: { timeZone: string } }>("GET", `/chatflows/${id}/schedule/status`);

  it("shows beside its times when they come next, in its time zone or the browser's", async () => {
    const id = await create({ cron: "0 9 * * 1-5", timeZone: "Asia/Tokyo" });
    const page = await world.open(`/agents/${id}?step=start_0`, { timeZone: "Europe/Lisbon" });
    const runs = page.getByRole("list", { name: "Next runs" }).getByRole("listitem");
    await runs.nth(4).waitFor();
    assert.match((await runs.allTextContents()).join("\n"), /^((Mon|Tue|Wed|Thu|Fri), .* 09:00 GMT\+9\n?){5}$/);
    await page.getByText("At 09:00, Monday to Friday").waitFor();
    const field = page.getByLabel("When");
    await field.fill("30 18 1 * *");
    await runs.filter({ hasText: "18:30 GMT+9" }).first().waitFor();
    await page.getByText("At 18:30, on day 1 of the month").waitFor();
    await lookAt(page, "schedule-times");
    await page.getByRole("button", { name: "Use Europe/Lisbon" }).click();
    await runs
      .filter({ hasText: /18:30 (GMT|UTC|WE)/ })
      .first()
      .waitFor();
    await field.fill("soon");
    await runs.first().waitFor({ state: "detached" });
    await page.close();
  });

  it("begins in the browser's time zone", async () => {
    const start = { id: "start_0", type: "start", label: "Start", config: { input: "schedule" }, ...at(0, 0) };
    const id = await createAgent(world.platform, flowOf([start]), "New");
    const page = await world.open(`/agents/${id}?step=start_0`, { timeZone: "Europe/Lisbon" });
    await page.getByLabel("When").fill("0 7 * * 1-5");
    await page.getByRole("list", { name: "Next runs" }).getByRole("listitem").first().waitFor();
    await page.getByRole("status").filter({ hasText: "Draft saved" }).waitFor();
    const { flowData } = await world.platform.call<{ flowData: string }>("GET", `/chatflows/${id}/draft`);
    const { schedule } = JSON.parse(flowData).nodes[0].config;
    assert.deepEqual(schedule, { cron: "0 7 * * 1-5", timeZone: "Europe/Lisbon" });
    await page.close();
  });

  it("is due next, and switched off and on, in the list of agents", async () => {
    const id = await create({ cron: "0 9 * * *" });
    await world.platform.call("PUT", `/chatflows/${id}`, { name: "Listed" });
    const page = await world.open("/agents");
    const card = page.getByRole("main").getByRole("listitem").filter({ hasText: "Listed" });
    await card.getByText(/^Next run .*\d\d:\d\d/).waitFor();
    await lookAt(page, "agents-with-schedules");
    const choice = card.getByRole("switch", { name: "Start Listed by schedule" });
    await choice.uncheck({ force: true });
    await card.getByText("Schedule off").waitFor();
    assert.equal((await status(id)).enabled, false);
    await choice.check({ force: true });
    await card.getByText(/^Next run /).waitFor();
    assert.equal((await status(id)).enabled, true);
    await page.close();
  });

  it("is switched off and on again where the agent is shared", async () => {
    const id = await create({ cron: "0 9 * * *" });
    const page = await world.open(`/agents/${id}`);
    await page.getByRole("button", { name: "Share" }).click();
    const dialog = page.getByRole("dialog");
    const choice = dialog.getByRole("switch", { name: "Start by schedule" });
    await dialog.getByText("It has not run yet.").waitFor();
    const runs = dialog.getByRole("list", { name: "Next runs" }).getByRole("listitem");
    await runs.nth(4).waitFor();
    await lookAt(page, "schedule-shared");
    await choice.uncheck();
    await runs.first().waitFor({ state: "detached" });
    assert.equal((await status(id)).enabled, false);
    await choice.check();
    await runs.nth(4).waitFor();
    assert.equal((await status(id)).enabled, true);
    await page.close();
  });
});
