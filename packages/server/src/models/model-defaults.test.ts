import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { createSecretVault } from "@weft/egress";
import { accounts } from "@weft/providers";
import { environmentVariables, readConfig } from "../config.ts";
import { toModelDefaults } from "./model-defaults.ts";

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");

/** Variables that set no address, but a region of the vendor. */
const regions: Record<string, string> = { BEDROCK_REGION: "eu-central-1", VERTEX_REGION: "europe-west4" };

for (const { name, hosts, keyVariables = [], address } of accounts) {
  describe(`the operator's account ${name}`, () => {
    for (const variable of keyVariables) {
      test(`${variable} is a secret that goes to the vendor alone and is redacted`, () => {
        const value = `key of ${name} 0123456789`;
        const config = readConfig({ [variable]: value });
        assert.ok(!JSON.stringify(config).includes(value));
        const vault = createSecretVault();
        const { accounts: lent = {} } = toModelDefaults(config, vault);
        const key = lent[name]?.apiKey ?? "";
        assert.ok(vault.holds(key) && !key.includes(value));
        assert.throws(() => vault.fill(key, new URL("https://elsewhere.example.com")), { code: "credential-host" });
        for (const host of hosts) {
          assert.equal(vault.fill(key, new URL(`https://${host.replace("*", "any")}`)), value);
        }
        assert.equal(vault.redactor().text(`said ${value}.`), "said [secret].");
      });
    }

    if (address !== undefined) {
      test(`${address.variable} stands for the vendor: its key goes nowhere else`, () => {
        const value = "key of the operator";
        const vault = createSecretVault();
        const region = regions[address.variable];
        const given = region ?? "http://gpu.example.com:8000";
        const env = { [address.variable]: given, [keyVariables[0] ?? ""]: value };
        const { accounts: lent = {} } = toModelDefaults(readConfig(env), vault);
        const baseUrl = lent[name]?.baseUrl ?? "";
        assert.ok(region === undefined ? baseUrl === given : new URL(baseUrl).host.includes(region), baseUrl);
        assert.throws(() => readConfig({ [address.variable]: "no address/" }), new RegExp(address.variable));
        if (keyVariables.length === 0) return;
        assert.equal(vault.fill(lent[name]?.apiKey ?? "", new URL(`${baseUrl}/v1`)), value);
        const elsewhere = new URL(`https://${region === undefined ? hosts[0] : "elsewhere.example.com"}`);
        assert.throws(() => vault.fill(lent[name]?.apiKey ?? "", elsewhere), { code: "credential-host" });
      });
    }
  });
}

test("every variable of the environment is documented", () => {
  const documented = read("docs/configuration.md");
  const missing = environmentVariables.filter((variable) => !documented.includes(`\`${variable}\``));
  assert.deepEqual(missing, [], "A setting is not on its page: run `./weft configuration` and commit the page.");
});
