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
    const field = page.getByLabel("When");
    await field.fill("30 18 1 * *");
    await runs.filter({ hasText: "18:30 GMT+9" }).first().waitFor();
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
