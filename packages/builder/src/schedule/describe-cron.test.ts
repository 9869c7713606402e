import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeCron } from "./describe-cron.ts";

describe("a cron expression as a sentence", () => {
  for (const [cron, expected] of [
    ["0 9 * * 1-5", "At 09:00, Monday to Friday"],
    ["0 9 * * mon-fri", "At 09:00, Monday to Friday"],
    ["0 9 * * *", "At 09:00, every day"],
    ["0 9 * * 0", "At 09:00, Sunday"],
    ["0 9 * * 6,7", "At 09:00, Saturday and Sunday"],
    ["0 9 * * 5-7", "At 09:00, Friday to Sunday"],
    ["0 9 * * 1,3,5", "At 09:00, Monday, Wednesday, and Friday"],
    ["30 8,12,17 * * *", "At 08:30, 12:30, and 17:30, every day"],
    ["0 9 1 * *", "At 09:00, on day 1 of the month"],
    ["0 9 1,15 * *", "At 09:00, on days 1 and 15 of the month"],
    ["0 0 1 1,jul *", "At 00:00, on day 1 of the month, in January and July"],
    ["* * * * *", "Every minute"],
    ["*/15 * * * *", "Every 15 minutes"],
    ["0/15 * * * 1", "Every 15 minutes, Monday"],
    ["5 * * * *", "Every hour, at minute 5"],
    ["0 * * * *", "Every hour, on the hour"],
    ["*/30 9-17 * * 1-5", "Every 30 minutes from 09:00 to 17:30, Monday to Friday"],
    ["0 */2 * * *", "Every 2 hours, on the hour, every day"],
    ["10 */3 * * *", "Every 3 hours, at minute 10, every day"],
  ] as const) {
    it(`${cron} is “${expected}”`, () => assert.equal(describeCron(cron), expected));
  }

  for (const cron of [
    "",
    "often",
    "0 9 * *",
    "0 0 9 * * 1",
    "60 9 * * *",
    "0 24 * * *",
    "0 9 0 * *",
    "0 9 * 13 *",
    "0 9 * * 8",
    "5-1 9 * * *",
    "*/0 9 * * *",
    "*-5 9 * * *",
    "0 9 l * *",
    "0 9 1 * 1",
    "0,1,2,7 1,5,9 * * *",
  ]) {
    it(`“${cron}” has none`, () => assert.equal(describeCron(cron), undefined));
  }
});
