import assert from "node:assert/strict";
import { test } from "node:test";
import type { Retention } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform } from "../testing/test-platform.ts";

await onTestDatabase((databases) => {
  test("what is kept is listed with the setting that changes it, to whoever is signed in", async (t) => {
    const shown = async (env: Record<string, string>) => {
      const platform = await openTestPlatform(t, databases, env);
      const list = await platform.json<Retention[]>("GET", "/retention");
      assert.equal((await platform.send("GET", "/retention", undefined, { authorization: "" })).status, 401);
      return list.map(({ kind, keptSeconds, setting }) => `${kind} ${keptSeconds} ${setting}`);
    };
    assert.deepEqual(await shown({}), [
      "runs null EXECUTION_RETENTION",
      "payloads 2592000 PAYLOAD_RETENTION",
      "upserts null EXECUTION_RETENTION",
      "visitor-chats null VISITOR_RETENTION",
      "chats null null",
      "leads null LEAD_RETENTION",
      "uploads null EXECUTION_RETENTION",
      "unsent-files 86400 UNSENT_FILES_RETENTION",
      "audit 34560000 AUDIT_RETENTION_DAYS",
      "logs 0 null",
    ]);
    const set = { EXECUTION_RETENTION: "90d", PAYLOAD_RETENTION: "off", UNSENT_FILES_RETENTION: "30m" };
    assert.deepEqual((await shown(set)).slice(0, 2), [
      "runs 7776000 EXECUTION_RETENTION",
      "payloads null PAYLOAD_RETENTION",
    ]);
  });
});
