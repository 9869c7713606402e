import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Execution } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, flowOf, openTestPlatform } from "../testing/test-platform.ts";

const words = "account 4711 of the operator is out of credit";

await onTestDatabase((databases) => {
  test("visitors learn that a service failed; the owner finds what it said in the trace", async (t) => {
    const service = createServer((_request, response) => response.writeHead(402).end(words));
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    t.after(() => service.close());
    const host = `127.0.0.1:${(service.address() as AddressInfo).port}`;
    const folder = await mkdtemp(join(tmpdir(), "weft-visitors-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const shop = new DatabaseSync(join(folder, "shop.db"));
    shop.exec("create view orders as select * from account_4711");
    shop.close();
    const settings = { ALLOW_PUBLIC_FLOWS: "true", EGRESS_ALLOW: host, SQL_FILES_DIR: folder };
    const platform = await openTestPlatform(t, databases, settings);
    const url = `http://${host}/orders`;
    const tool = { type: "request-get", config: { name: "orders", description: "Orders", url } };
    const flows = [
      flowOf("http", "HTTP", { url }),
      flowOf("sql", "SQL", { engine: "sqlite", file: "shop.db", statement: "select * from orders" }),
      flowOf("tool", "Tool", { tool }),
      flowOf("tool", "Tool", { tool, failOnError: false }),
    ];
    for (const flowData of flows) {
      const id = await agentWith(platform, flowData, { isPublic: true });
      for (const streaming of [false, true]) {
        const request = new Request(`http://platform/api/v1/prediction/${id}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ question: "Hi", streaming }),
        });
        const seen = await (await platform.fetch(request)).text();
        if (!flowData.includes("failOnError")) assert.doesNotMatch(seen, /4711/);
        assert.match(seen, /A service that this agent needs did not do what it was asked/);
      }
      const { data: runs } = await platform.json<{ data: Execution[] }>("GET", `/executions?agentflowId=${id}`);
      const run = await platform.json<Execution>("GET", `/executions/${runs[0]?.id}`);
      assert.match(JSON.stringify(run), /4711/);
      const own = await (await platform.send("POST", `/prediction/${id}`, { question: "Hi" })).text();
      assert.match(own, /4711/, "a caller with a key sees it");
    }
  });
});
