import assert from "node:assert/strict";
import { test } from "node:test";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform } from "../testing/test-platform.ts";

type Schema = {
  properties: Record<string, { title?: string; widget?: string; maxLength?: number }>;
  required?: string[];
};

await onTestDatabase((databases) => {
  test("the integrations are listed, each with the form of its settings", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const integrations = await platform.client.listIntegrations();
    const types = integrations.map(({ type }) => type);
    for (const type of ["request-get", "openapi-toolkit", "mcp-server", "custom-tool", "agent", "calculator"]) {
      assert.ok(types.includes(type), type);
    }
    const put = integrations.find(({ type }) => type === "request-put");
    assert.deepEqual([put?.title, put?.group], ["PUT request", "request"]);
    const form = put?.config as Schema;
    assert.deepEqual(form.required, ["url"]);
    assert.deepEqual([form.properties.url?.title, form.properties.bodySchema?.widget], ["URL", "parameters"]);
    assert.equal((await platform.send("GET", "/integrations", undefined, { authorization: "" })).status, 401);
  });
});
