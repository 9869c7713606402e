import assert from "node:assert/strict";
import { test } from "node:test";
import { agentCreateSchema } from "./resources/agent.ts";
import { readRetention, retentionOf } from "./visitor-retention.ts";

const dayMs = 86_400_000;

test("of an agent's time and the installation's the shorter one holds, and one alone holds by itself", () => {
  const installation = { visitorMs: 30 * dayMs, leadMs: 0 };
  assert.deepEqual(retentionOf({}, installation), installation);
  assert.deepEqual(retentionOf({ visitorDays: 7, leadDays: 90 }, installation), {
    visitorMs: 7 * dayMs,
    leadMs: 90 * dayMs,
  });
  assert.equal(retentionOf({ visitorDays: 365 }, installation).visitorMs, 30 * dayMs);
});

test("days that do not fit are refused when an agent is saved, and mean nothing where they are stored", () => {
  for (const retention of [{ visitorDays: 0 }, { visitorDays: 1.5 }, { leadDays: "7" }, { days: 7 }, 7, null]) {
    const apiConfig = JSON.stringify({ retention });
    assert.deepEqual(readRetention(apiConfig), {}, apiConfig);
    const body = { name: "A", flowData: "{}", apiConfig };
    assert.match(agentCreateSchema.safeParse(body).error?.message ?? "", /whole numbers from 1 to 36500/, apiConfig);
  }
  assert.deepEqual(readRetention('{"retention":{"visitorDays":7}}'), { visitorDays: 7 });
  assert.deepEqual(readRetention("no JSON"), {});
});
