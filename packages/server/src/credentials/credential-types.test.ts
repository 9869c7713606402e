import assert from "node:assert/strict";
import { test } from "node:test";
import { credentialHeaders } from "@weft/engine/http";
import {
  hostsOfProvider,
  impliedHosts,
  isPlainField,
  knownCredentialTypes,
  listCredentialTypes,
} from "./credential-types.ts";

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

test("what is secret in one type is lent in clear by none, and by no unknown type", () => {
  for (const { name: type, fields } of knownCredentialTypes) {
    for (const { name, aliases = [], secret, plainBeside } of fields) {
      const beside = plainBeside === undefined ? {} : { [plainBeside]: "x" };
      for (const field of [name, ...aliases]) {
        assert.equal(isPlainField(field, type, beside), !secret, `${type}: ${field}`);
        if (secret) assert.equal(isPlainField(field, "unknownType", {}), false, field);
      }
    }
  }
  assert.equal(isPlainField("baseUrl", "unknownType", {}), true);
  assert.equal(isPlainField("somethingElse", "openai", {}), false);
  assert.equal(isPlainField("key", "unknownType", { value: "x" }), true);
  assert.equal(isPlainField("key", "unknownType", {}), false);
});

test("a credential stands for the headers of its own type, under the names of its fields and under their aliases", () => {
  const withHeaders = knownCredentialTypes.flatMap(({ toHeaders, ...type }) =>
    toHeaders ? [{ ...type, toHeaders }] : [],
  );
  assert.ok(withHeaders.length > 2);
  for (const { name, fields, toHeaders } of withHeaders) {
    const own = toHeaders((field) => `of-${field}`);
    const places = [fields.map((field) => field.name), fields.map((field) => field.aliases?.[0] ?? field.name)];
    for (const keys of places) {
      const stored = Object.fromEntries(keys.map((key, index) => [key, `of-${fields[index]?.name}`]));
      assert.deepEqual(credentialHeaders(stored), own, `${name}: ${keys.join(", ")}`);
    }
  }
});

const operator = { accounts: {} };

test("a credential that names its resource goes there alone, and saving a flow adds no other host to it", () => {
  const named = { azureOpenAIApiKey: "k", azureOpenAIApiInstanceName: "ours" };
  assert.deepEqual(impliedHosts("azureOpenAIApi", named, operator), ["ours.openai.azure.com"]);
  assert.deepEqual(impliedHosts("azure-openai", { instanceName: "ours" }, operator), ["ours.openai.azure.com"]);
  assert.deepEqual(hostsOfProvider("azure-openai", operator), []);
  assert.deepEqual(hostsOfProvider("openai", operator), ["api.openai.com"]);
});

test("a credential that names none may go to its vendor's hosts", () => {
  assert.ok(impliedHosts("azure-openai", { apiKey: "k" }, operator).includes("*.openai.azure.com"));
});
