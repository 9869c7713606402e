import assert from "node:assert/strict";
import { it } from "node:test";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform } from "../testing/test-platform.ts";

type Listed = { id: string; category: string; graph: { nodes: { type: string }[] }; flowData?: string };

await onTestDatabase((databases) => {
  it("lists templates without their flows, and makes an agent of one", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const listed = await platform.json<Listed[]>("GET", "/templates");
    assert.ok(listed.length >= 24);
    assert.ok(listed.every(({ flowData, graph }) => flowData === undefined && graph.nodes.length > 3));
    const { flowData } = await platform.json<{ flowData: string }>("GET", "/templates/event-assistant");
    const agent = await platform.json<{ flowData: string }>("POST", "/chatflows", { name: "Events", flowData });
    assert.deepEqual(JSON.parse(agent.flowData), JSON.parse(flowData));
  });

  it("says that there is no such template, also for a name that climbs", async (t) => {
    const platform = await openTestPlatform(t, databases);
    for (const id of ["unknown", "..%2F..%2Fpackage"]) {
      const response = await platform.send("GET", `/templates/${id}`);
      assert.equal(response.status, 404);
    }
  });
});
