import assert from "node:assert/strict";
import { test } from "node:test";
import { findTraceDestinations, readTracingServices } from "./tracing-services.ts";

const all = JSON.stringify({
  langSmith: { status: true, credentialId: "smith" },
  langFuse: { status: false, credentialId: "fuse" },
  opik: { status: true, credentialId: "opik", opikProjectName: "p" },
  lunary: { status: true, credentialId: "x" },
  constructor: { status: true },
});

test("services that are switched on are known by name, and the others named", () => {
  const { chosen, unknown } = readTracingServices(all);
  assert.deepEqual(
    chosen.map(({ name, credentialId }) => [name, credentialId]),
    [
      ["langSmith", "smith"],
      ["opik", "opik"],
    ],
  );
  assert.deepEqual(unknown, ["lunary", "constructor"]);
  for (const text of ["", "{}", "no JSON", "[]", '{"langSmith":true}', '{"langSmith":{"status":"yes"}}']) {
    assert.deepEqual(readTracingServices(text), { chosen: [], unknown: [] }, text);
  }
});

test("a service has its own address and headers, or none where its credential says too little", async () => {
  const stored: Record<string, Record<string, string>> = {
    smith: { langSmithApiKey: "key" },
    opik: { opikUrl: "http://opik.local/api/", opikWorkspace: "team" },
  };
  const read = async (id: string) => stored[id] ?? Promise.reject(new Error("It is gone."));
  assert.deepEqual(await findTraceDestinations(all, read), [
    { url: "https://api.smith.langchain.com/otel/v1/traces", headers: { "x-api-key": "key" } },
    {
      url: "http://opik.local/api/v1/private/otel/v1/traces",
      headers: { "comet-workspace": "team", projectname: "p" },
    },
  ]);
  const openInference = JSON.stringify({
    phoenix: { status: true, credentialId: "own", projectName: "shop" },
    arize: { status: true, credentialId: "arize" },
  });
  Object.assign(stored, {
    own: { phoenixEndpoint: "http://phoenix.local:6006/v1/traces" },
    cloud: { phoenixApiKey: "px" },
    arize: { arizeApiKey: "ax", arizeSpaceId: "space" },
    half: { arizeApiKey: "ax" },
  });
  assert.deepEqual(await findTraceDestinations(openInference, read), [
    { url: "http://phoenix.local:6006/v1/traces", headers: {}, project: "shop" },
    {
      url: "https://otlp.arize.com/v1/traces",
      headers: { api_key: "ax", space_id: "space" },
      project: "default",
    },
  ]);
  const cloud = JSON.stringify({
    phoenix: { status: true, credentialId: "cloud" },
    arize: { status: true, credentialId: "half" },
  });
  assert.deepEqual(await findTraceDestinations(cloud, read), [
    {
      url: "https://app.phoenix.arize.com/v1/traces",
      headers: { authorization: "Bearer px", api_key: "px" },
      project: "default",
    },
  ]);
  assert.deepEqual(await findTraceDestinations(JSON.stringify({ phoenix: { status: true } }), read), []);
  const gone = JSON.stringify({ langWatch: { status: true, credentialId: "gone" }, langFuse: { status: true } });
  assert.deepEqual(await findTraceDestinations(gone, read), []);
});
