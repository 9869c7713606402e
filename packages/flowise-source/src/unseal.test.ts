import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { openFlowise } from "./index.ts";
import { buildFlowiseDatabase, sealFlowise } from "./testing/build-flowise-database.ts";
import { makeFolder } from "./testing/test-sources.ts";
import { unseal } from "./unseal.ts";

const key = "abcdefghijklmnopqrstuvwxyz012345";
const fields = { openAIApiKey: "sk-é✓", nested: { headers: { a: "b" } } };
const sealed = sealFlowise(fields, key, "salt");

describe("unseal", () => {
  it("opens what openssl sealed: enc -aes-256-cbc -md md5 -salt -base64", () => {
    const byOpenssl = "U2FsdGVkX19c4LioG2lguVY+g9++8bBe8eIyJGHXUxbOcsPqGjvA/9BFPzD0a0Ch";
    assert.deepEqual(unseal(byOpenssl, "passphrase"), { fields: { openAIApiKey: "sk-openssl" } });
  });

  it("takes a key file with a line break at its end, and a key with spaces", () => {
    assert.deepEqual(unseal(sealed, `${key}\r\n`), { fields });
    assert.deepEqual(unseal(sealFlowise(fields, " a key ", "salt"), " a key "), { fields });
  });

  it("says why it cannot open", () => {
    const bytes = Buffer.from(sealed, "base64");
    const changed = Buffer.from(bytes).fill(0, bytes.length - 16);
    for (const [text, passphrase, reason] of [
      [sealed, undefined, "no-key"],
      [sealed, "", "no-key"],
      [sealed, "another key", "wrong-key"],
      [changed.toString("base64"), key, "wrong-key"],
      [sealFlowise([1, 2] as never, key, "a list"), key, "wrong-key"],
      [bytes.subarray(0, -1).toString("base64"), key, "damaged"],
      [bytes.subarray(0, 16).toString("base64"), key, "damaged"],
      ["", key, "damaged"],
      ['{"openAIApiKey":"sk"}', key, "damaged"],
      ["FlowiseCredential_0b6f", undefined, "secrets-manager"],
    ] as const) {
      assert.deepEqual(unseal(text, passphrase), { reason });
    }
  });

  it("takes no wrong key for the right one", () => {
    const wrong = Array.from({ length: 2_000 }, (_, index) => unseal(sealed, `wrong ${index}`));
    assert.ok(wrong.every((one) => "reason" in one && one.reason === "wrong-key"));
  });
});

test("a source opens its credentials with the key, and others name the reason", async (t) => {
  const { contents, database } = await buildFlowiseDatabase({ folder: await makeFolder(t) });
  const source = await openFlowise({ database, key: contents.key });
  t.after(source.close);
  const reasons: string[] = [];
  for await (const page of source.rows("credential")) {
    for (const { id, encryptedData } of page) {
      const unsealed = source.unseal(encryptedData ?? "");
      if ("reason" in unsealed) reasons.push(unsealed.reason);
      else assert.deepEqual(unsealed.fields, contents.secrets.get(id));
    }
  }
  assert.deepEqual(reasons, ["secrets-manager", "wrong-key"]);
  assert.equal(await source.count("credential"), contents.secrets.size + reasons.length);
  for await (const page of source.rows("chat_flow")) {
    for (const { webhookSecret } of page.filter((row) => row.webhookSecret !== null)) {
      assert.deepEqual(source.unseal(webhookSecret ?? ""), { fields: { secret: "whsec" } });
    }
  }
});
