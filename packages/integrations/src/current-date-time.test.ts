import assert from "node:assert/strict";
import { test } from "node:test";
import { startBench } from "./testing/bench.ts";

// The bench's clock stands at 2026-07-01T12:05:09.123Z.

test("tells the time of the configured zone, or of the one that the model names", async (t) => {
  const { call, build } = await startBench(t);
  const time = async (config: { timeZone?: string }, args: { timeZone?: string }) =>
    (await call("current-date-time", config, args)).content;
  assert.equal(await time({}, {}), "2026-07-01T12:05:09+00:00, Wednesday, UTC");
  assert.equal(await time({ timeZone: "" }, { timeZone: "" }), "2026-07-01T12:05:09+00:00, Wednesday, UTC");
  assert.equal(await time({ timeZone: "Europe/Berlin" }, {}), "2026-07-01T14:05:09+02:00, Wednesday, Europe/Berlin");
  assert.equal(
    await time({ timeZone: "Europe/Berlin" }, { timeZone: "Asia/Kolkata" }),
    "2026-07-01T17:35:09+05:30, Wednesday, Asia/Kolkata",
  );
  assert.equal(
    await time({}, { timeZone: "Pacific/Kiritimati" }),
    "2026-07-02T02:05:09+14:00, Thursday, Pacific/Kiritimati",
  );
  const [tool] = await build("current-date-time", { timeZone: "Europe/Berlin" });
  assert.match(JSON.stringify(tool?.parameters), /Default Europe\/Berlin/);
});

test("an unknown zone is a mistake: the author's when the tool is built, else the model's", async (t) => {
  const { call, build } = await startBench(t);
  const answer = await call("current-date-time", {}, { timeZone: "Mars/Base" });
  assert.equal(answer.isError, true);
  assert.match(answer.content, /No time zone Mars\/Base is known/);
  await assert.rejects(build("current-date-time", { timeZone: "Mars/Base" }), { code: "tool-invalid" });
});
