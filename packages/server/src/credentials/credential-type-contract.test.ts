import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, type TestContext, test } from "node:test";
import type { Database } from "@weft/database";
import { createSecretVault } from "@weft/egress";
import { type CredentialType, parseBoundHost } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { createCredentialService } from "./credential.service.ts";
import { knownCredentialTypes } from "./credential-types.ts";
import { loadEncryptionKeys } from "./encryption-keys.ts";
import { createSecretBox } from "./secret-box.ts";

const ownHost = "bound.example.com";
/** Of the address in every value that is no secret. */
const heldHost = "held.example.com";

/** A stored credential of the type, with a value in every field. */
async function store(t: TestContext, database: Database, { name, fields }: CredentialType) {
  const keyDir = await mkdtemp(join(tmpdir(), "weft-credential-types-"));
  t.after(() => rm(keyDir, { recursive: true, force: true }));
  const vault = createSecretVault();
  const service = createCredentialService({
    database,
    clock: { now: () => Date.parse("2026-01-01T12:00:00.000Z") },
    ids: { uuid: () => randomUUID() },
    secretBox: createSecretBox(await loadEncryptionKeys(keyDir)),
    vault,
    operator: { accounts: {} },
  });
  const values = fields.map(
    (field) => [field.name, field.secret ? `secret ${randomUUID()}` : `https://${heldHost}`] as const,
  );
  const plainDataObj = Object.fromEntries(values);
  const { id } = await service.create({ name: "Mine", credentialName: name, plainDataObj, hosts: [ownHost] });
  return { vault, service, id, plainDataObj };
}

const hostsOf = ({ hosts = [] }: CredentialType) => hosts.map((host) => host.replace("*", "any"));

await onTestDatabase(({ openTestDatabase }) => {
  let database: Database;
  const closers: (() => Promise<void>)[] = [];
  before(async () => {
    database = await openTestDatabase({ after: (close) => closers.push(close) });
  });
  after(async () => {
    for (const close of closers) await close();
  });

  for (const type of knownCredentialTypes) {
    const { name, fields } = type;
    describe(`credential type ${name}`, () => {
      test("a credential shows the names of its values and its hosts, never a value", async (t) => {
        const { service, id, plainDataObj } = await store(t, database, type);
        const shown = await service.get(id);
        assert.deepEqual(shown.fields, Object.keys(plainDataObj));
        const held = fields.some((field) => field.name === (type.addressField ?? "baseUrl")) ? [heldHost] : [];
        assert.deepEqual(shown.impliedHosts, [...(type.hosts ?? []), ...held]);
        assert.ok(shown.impliedHosts.every((host) => parseBoundHost(host) === host));
        const text = JSON.stringify([shown, await service.list({})]);
        assert.ok(fields.every((field) => !field.secret || !text.includes(String(plainDataObj[field.name]))));
      });

      test("a secret is lent as a placeholder, goes to its hosts alone, and is redacted from then on", async (t) => {
        const { vault, service, id, plainDataObj } = await store(t, database, type);
        const lent = await service.readPlaceholders(id);
        for (const { name: field, secret } of fields) {
          const value = String(plainDataObj[field]);
          assert.equal(lent[field] === value, !secret, field);
          if (!secret) continue;
          const placeholder = lent[field] ?? "";
          assert.throws(() => vault.fill(placeholder, new URL("https://elsewhere.example.com")), {
            code: "credential-host",
          });
          for (const host of [ownHost, ...hostsOf(type)]) {
            assert.equal(vault.fill(placeholder, new URL(`https://${host}/`)), value, host);
          }
          assert.equal(vault.redactor().text(`said ${value}.`), "said [secret].");
        }
      });
    });
  }

  test("every type has a name of its own", () => {
    assert.equal(new Set(knownCredentialTypes.map(({ name }) => name)).size, knownCredentialTypes.length);
  });
});
