import assert from "node:assert/strict";
import { test } from "node:test";
import { createIdSource } from "@weft/database";
import { createLogger } from "@weft/http/logger";
import { nodeRegistry } from "@weft/nodes";
import { systemClock } from "@weft/run-host";
import type { Credential } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { readConfig } from "../config.ts";
import { openPlatform } from "../platform.ts";
import { createStoredReferences } from "../references/index.ts";
import { agentWith, flowOf, openRestartable, openTestPlatform } from "../testing/test-platform.ts";
import { createCredentialUses } from "./credential-uses.ts";
import { findUnconfirmedDestinations } from "./fill-hosts.ts";

await onTestDatabase((databases) => {
  test("an upgrade enters the hosts of older credentials once, and says which addresses it cannot read", async (t) => {
    const { createTestStorage } = databases;
    const storage = await createTestStorage(t);
    const closers: (() => unknown)[] = [];
    const first = { after: (close: () => unknown) => void closers.push(close) } as Parameters<
      typeof openTestPlatform
    >[0];
    const platform = await openTestPlatform(first, { ...databases, createTestStorage: async () => storage });
    const create = { name: "Orders", credentialName: "httpBearerToken", plainDataObj: { token: "tk-of-the-orders" } };
    const { id: credential } = await platform.json<Credential>("POST", "/credentials", create);
    await platform.json("POST", "/variables", { name: "base", value: "https://base.example.com/v2" });
    const flows = [
      flowOf("http", "HTTP", { url: "https://api.example.com:8443/orders/{{ question }}", credential }),
      flowOf("http", "HTTP", { url: "{{ $vars.base }}/orders", credential }),
      flowOf("http", "HTTP", { url: "https://{{ question }}/orders", credential }),
      flowOf("llm", "LLM", { model: { provider: "openai", model: "m", credential } }),
    ];
    const [, , unreadable] = await Promise.all(flows.map((flowData) => agentWith(platform, flowData)));
    const { id: store } = await platform.json<{ id: string }>("POST", "/document-store/store", { name: "Handbook" });
    const loader = { loaderName: "web-page", loaderConfig: { url: "https://docs.example.com/page", credential } };
    await platform.send("POST", "/document-store/loader/save", { storeId: store, loaderId: "web-page", ...loader });
    for (const close of closers) await close();

    const database = await storage.open();
    await database.write((tx) => tx.updateTable("credentials").set({ hosts: null }).execute());
    await database.close();

    const start = async () => {
      const lines: string[] = [];
      const { databaseUrl, dataDir } = storage;
      const config = readConfig({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, EVENT_API: "false" });
      const logger = createLogger({ level: "info", write: (line) => lines.push(line), now: systemClock.now });
      const started = await openPlatform({ config, clock: systemClock, ids: createIdSource(systemClock.now), logger });
      await started.close();
      return lines.filter((line) => line.includes("credential-hosts")).join("");
    };
    const said = await start();
    assert.match(said, /Orders may now be sent to: [^"]*api\.example\.com:8443/);
    assert.ok(said.includes("base.example.com") && said.includes("api.openai.com"), said);
    assert.match(
      said,
      new RegExp(`where Orders is sent by agent Agent \\(${unreadable}\\): https://{{ question }}/orders`),
    );
    assert.doesNotMatch(said, /tk-of-the-orders/);
    assert.equal(await start(), "", "once");

    const reopened = await storage.open();
    t.after(() => reopened.close());
    const row = await reopened.read.selectFrom("credentials").select("hosts").executeTakeFirstOrThrow();
    const hosts = JSON.parse(row.hosts ?? "null") as string[];
    for (const host of ["api.example.com:8443", "base.example.com", "api.openai.com"])
      assert.ok(hosts.includes(host), host);
  });

  test("an upgrade keeps what was bound, without TLS where a flow says so, and tells which nobody has allowed", async (t) => {
    const place = await openRestartable(t, databases);
    const platform = await place.open();
    const create = { name: "Orders", credentialName: "httpBearerToken", plainDataObj: { token: "tk-of-the-orders" } };
    const hosts = ["intranet.example.com", "api.example.com"];
    const { id: credential } = await platform.json<Credential>("POST", "/credentials", { ...create, hosts });
    for (const url of [
      "http://intranet.example.com/a",
      "https://api.example.com/a",
      "http://elsewhere.example.com/a",
    ]) {
      const flowData = flowOf("http", "HTTP", { url, credential });
      await platform.json("POST", "/chatflows", { name: "Caller", flowData });
    }
    await place.close();
    const before = await place.storage.open();
    // As a version without confirmations leaves them.
    await before.write((tx) => tx.updateTable("credentials").set({ confirmations: null, createdBy: null }).execute());
    await before.close();

    const upgraded = await place.open();
    const shown = await upgraded.json<Credential>("GET", `/credentials/${credential}`);
    assert.deepEqual(shown.hosts, [...hosts, "http://intranet.example.com"]);
    assert.ok(
      shown.destinations.every(({ confirmedBy, confirmedDate }) => confirmedBy === null && confirmedDate === null),
    );
    await place.close();
    const database = await place.storage.open();
    const told = await findUnconfirmedDestinations(database.read, {
      credentialUses: createCredentialUses({ all: async () => ({}) }, { accounts: {} }),
      references: createStoredReferences(nodeRegistry),
    });
    await database.close();
    assert.deepEqual(
      told.map(({ name, destinations }) => [name, destinations.map((each) => [each.destination, each.places.length])]),
      [
        [
          "Orders",
          [
            ["https://intranet.example.com", 0],
            ["https://api.example.com", 1],
            ["http://intranet.example.com", 1],
          ],
        ],
      ],
    );

    const again = await place.open();
    await again.json("DELETE", `/credentials/${credential}/destinations?destination=http://intranet.example.com`);
    await place.close();
    const last = await place.open();
    const { hosts: left } = await last.json<Credential>("GET", `/credentials/${credential}`);
    assert.deepEqual(left, hosts, "once: what was taken away stays away");
  });
});
