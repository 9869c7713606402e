import assert from "node:assert/strict";
import { test } from "node:test";
import { listCredentialTypes } from "./credential-types.ts";

test("each kind of credential is offered once, by the name of what reads it", () => {
  const types = listCredentialTypes();
  const names = types.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  const offered = types.filter(({ isOffered }) => isOffered).map(({ name }) => name);
  for (const name of ["openai", "anthropic", "ollama", "httpBearerToken", "tavilyApi"]) {
    assert.ok(offered.includes(name), name);
  }
  assert.ok(!offered.includes("rehearsal"), "it takes no credential");
});

test("the names of existing clients are known and not offered", () => {
  const known = listCredentialTypes().find(({ name }) => name === "openAIApi");
  assert.deepEqual([known?.purpose, known?.isOffered], ["model", false]);
  assert.deepEqual(known?.fields, [{ name: "openAIApiKey", title: "API key", secret: true, required: true }]);
});
