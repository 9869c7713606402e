import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@weft/schema";
import { areOpen, describeHours, type OfficeHours } from "./hand-over/office-hours.ts";
import { callTool, startBench } from "./testing/bench.ts";

// The bench's clock stands at 2026-07-01T12:05:09.123Z, a Wednesday.

async function ask(t: Parameters<typeof startBench>[0], config: JsonObject) {
  const bench = await startBench(t);
  const [tool] = await bench.build("hand-over", config);
  assert.ok(tool);
  const reasons: string[] = [];
  const context = bench.context({
    askForPerson: async (reason) => {
      reasons.push(reason);
    },
  });
  const { content } = await callTool(tool, { reason: "Wants a refund." }, context);
  return { tool, content, reasons };
}

test("asks for a person, and tells the model to go on until one comes", async (t) => {
  const { tool, content, reasons } = await ask(t, { description: "Before any refund." });
  assert.deepEqual(
    [tool.name, tool.description, tool.kind, tool.effect],
    ["hand_over_to_a_person", "Before any refund.", "idempotent", "read"],
  );
  assert.deepEqual(reasons, ["Wants a refund."]);
  assert.match(content, /^A person has been asked\. .*go on helping until then\.$/);
});

test("outside office hours it asks as well, and says what the user should hear", async (t) => {
  const config = { hours: [{ days: "weekdays", from: "15:00", to: "18:00" }], timeZone: "Europe/Berlin" };
  const away = await ask(t, { ...config, awayMessage: " Leave your address. " });
  assert.deepEqual(away.reasons, ["Wants a refund."]);
  assert.equal(
    away.content,
    "Nobody is there now. People answer Monday to Friday 15:00–18:00 (Europe/Berlin), and will see this conversation then. Tell the user: Leave your address.",
  );
  assert.match((await ask(t, config)).content, /Tell the user so, and go on helping\.$/);
  assert.match((await ask(t, { ...config, timeZone: "Asia/Kolkata" })).content, /^A person has been asked/);
});

test("needs a chat of its own, a time zone that exists, and times of day", async (t) => {
  const bench = await startBench(t);
  const [tool] = await bench.build("hand-over", {});
  assert.ok(tool);
  const alone = await callTool(tool, { reason: "?" }, bench.context());
  assert.deepEqual([alone.isError, alone.content.startsWith("Only the agent")], [true, true]);
  await assert.rejects(bench.build("hand-over", { timeZone: "Mars/Base" }), /Mars\/Base is not known/);
  for (const hours of [[{ from: "9 am" }], [{ from: "24:00" }], [{ to: "24:01" }], Array(21).fill({})]) {
    await assert.rejects(bench.build("hand-over", { hours }), { code: "tool-invalid" });
  }
});

const at = (text: string) => Date.parse(text);
const hoursOf = (spans: OfficeHours["spans"], timeZone = "UTC"): OfficeHours => ({ spans, timeZone });

test("office hours are those of their time zone, in summer and in winter", () => {
  const hours = hoursOf([{ days: "weekdays", from: "09:00", to: "17:00" }], "Europe/Berlin");
  const open = ["2026-07-01T07:00:00Z", "2026-07-01T14:59:59Z", "2026-01-07T08:00:00Z"];
  const closed = ["2026-07-01T06:59:59Z", "2026-07-01T15:00:00Z", "2026-01-07T07:59:59Z", "2026-07-04T10:00:00Z"];
  assert.deepEqual(
    open.map((moment) => areOpen(hours, at(moment))),
    [true, true, true],
  );
  assert.deepEqual(
    closed.map((moment) => areOpen(hours, at(moment))),
    [false, false, false, false],
  );
  assert.equal(areOpen(hoursOf([]), at("2026-07-05T03:00:00Z")), true);
});

test("a span goes on past midnight into the next day, and to the end of a day", () => {
  const night = hoursOf([{ days: "saturday", from: "22:00", to: "02:00" }]);
  const moments = ["2026-07-04T21:59:00Z", "2026-07-04T22:00:00Z", "2026-07-05T01:59:00Z", "2026-07-05T02:00:00Z"];
  assert.deepEqual(
    moments.map((moment) => areOpen(night, at(moment))),
    [false, true, true, false],
  );
  assert.equal(areOpen(night, at("2026-07-04T01:00:00Z")), false, "that is Friday's night");
  const whole = hoursOf([{ days: "weekend", from: "00:00", to: "24:00" }]);
  assert.deepEqual(
    ["2026-07-03T23:59:00Z", "2026-07-04T00:00:00Z", "2026-07-05T23:59:00Z", "2026-07-06T00:00:00Z"].map((moment) =>
      areOpen(whole, at(moment)),
    ),
    [false, true, true, false],
  );
});

test("office hours in words", () => {
  const spans = [
    { days: "weekdays", from: "09:00", to: "17:00" },
    { days: "saturday", from: "10:00", to: "12:00" },
  ] as const;
  assert.equal(describeHours(hoursOf(spans, "UTC")), "Monday to Friday 09:00–17:00, Saturday 10:00–12:00 (UTC)");
});
