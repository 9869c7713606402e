import assert from "node:assert/strict";
import { test } from "node:test";
import { createDecoyHash, hashPassword, verifyPassword } from "./password.ts";

test("a password is known again, another is not", async () => {
  const hash = await hashPassword("Zoë's passphrase");
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.equal(await verifyPassword("Zoë's passphrase", hash), true);
  assert.equal(await verifyPassword("Zoe\u0308's passphrase", hash), true);
  assert.equal(await verifyPassword("zoë's passphrase", hash), false);
  assert.notEqual(await hashPassword("Zoë's passphrase"), hash);
});

test("a hash with another cost is still understood", async () => {
  // From the tests of the reference implementation of argon2.
  const hash = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
  assert.equal(await verifyPassword("password", hash), true);
});

test("a decoy is verified like a hash and matches nothing", async () => {
  assert.equal(await verifyPassword("password", createDecoyHash()), false);
});

test("a stored text that is no hash is an error, not a match", async () => {
  await assert.rejects(verifyPassword("password", "plain"), /PHC/);
});
