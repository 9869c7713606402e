import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Credential } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { forEachEngine } from "../../../sql/src/testing/test-sources.ts";
import { agentWith, flowOf, openTestPlatform } from "../testing/test-platform.ts";

const defaultPorts = { postgres: 5432, mysql: 3306 };

await onTestDatabase((databases) => {
  if (databases.name !== "sqlite") return;
  describe("the password of a database", () =>
    forEachEngine(({ name, open }) => {
      if (name === "sqlite") return;
      test(`goes to the hosts of its credential and no others: ${name}`, async (t) => {
        const source = await open(t);
        await source.prepare("create table orders (id integer)", "insert into orders values (7)");
        if (source.database.engine === "sqlite") return;
        const { engine, host, port, database, user, password } = source.database;
        const address = `${host}:${port}`;
        const platform = await openTestPlatform(t, databases, { EGRESS_ALLOW: address });
        const { id: credential } = await platform.json<Credential>("POST", "/credentials", {
          name: "Shop",
          credentialName: engine === "postgres" ? "PostgresApi" : "MySQLApi",
          plainDataObj: { user, password },
        });
        const place = port === defaultPorts[engine] ? { host } : { host, port };
        const statement = "select id from orders where id = {{ $vars.id }}";
        const config = { engine, ...place, database, tls: false, credential, statement };
        const id = await agentWith(platform, flowOf("sql", "Orders", config));
        const ask = async () =>
          (
            await platform.send("POST", `/prediction/${id}`, { question: "Hi", overrideConfig: { vars: { id: 7 } } })
          ).text();
        const hosts = async () => (await platform.json<Credential>("GET", `/credentials/${credential}`)).hosts;
        assert.deepEqual(await hosts(), [address]);
        await platform.json("POST", "/variables", { name: "id", value: "7" });
        const answer = await ask();
        assert.match(answer, /\[\\"id\\"\]\\n\[7\]/);
        assert.ok(!answer.includes(password));
        await platform.json("PUT", `/credentials/${credential}`, { hosts: ["db.example.com:5432"] });
        const refused = await ask();
        assert.match(
          refused,
          new RegExp(`the credential Shop may be sent to only .*If it is meant for ${address}, allow that`),
        );
        assert.ok(!refused.includes(password));
      });
    }));
});
