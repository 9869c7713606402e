import assert from "node:assert/strict";
import { test } from "node:test";
import type { Route } from "@weft/http";
import type { RunRow } from "@weft/run-host";
import { forEachDatabase } from "../../database/src/testing/test-databases.ts";
import type { Context } from "./context.ts";
import { defineFeature, type Feature, type OpenFeature, openFeatures, startFeatures, stopFeatures } from "./feature.ts";
import { createFeatureEvents } from "./feature-events.ts";
import { variables } from "./variables/feature.ts";

const run: RunRow = {
  id: "run",
  agentId: "1",
  agentVersionId: "v",
  chatId: "c",
  sessionId: "s",
  chatType: "EXTERNAL",
  status: "completed",
  lastSeq: 1,
  leaseEpoch: 1,
  leaseOwner: null,
  leaseUntil: 0,
  cancelRequested: 0,
  createdDate: "2026-01-01T12:00:00.000Z",
  updatedDate: "2026-01-01T12:00:00.000Z",
  stoppedDate: null,
  errorCode: null,
  summary: null,
  owner: "",
  turnOrder: null,
  takeOvers: 0,
  takeOverSeq: 0,
  dueAt: null,
  durationMs: null,
  totalTokens: null,
  costNanos: null,
};

const inRole = (role: string) => ({ config: { role } }) as unknown as Context;

test("a service is made after those that it needs, wherever their features stand, and gets no others", async () => {
  const features: Feature[] = [
    { name: "a", needs: ["variables"], service: (_, needs) => Object.entries(needs).join() },
    { name: "b", service: () => "b" },
    { name: "variables", service: async () => "values" },
  ];
  const { services, features: opened } = await openFeatures(inRole("all"), features);
  assert.deepEqual(services as object, { a: "variables,values", b: "b", variables: "values" });
  assert.deepEqual(
    opened.map(({ name }) => name),
    ["a", "b", "variables"],
  );
});

test("a feature that needs what no feature makes, or itself, is named", async () => {
  const reader: Feature = { name: "reader", needs: ["variables"] };
  await assert.rejects(
    openFeatures(inRole("all"), [reader]),
    /The feature reader needs variables, which no feature makes/,
  );
  const circle: Feature[] = [
    { name: "variables", needs: ["prices"], service: () => 1 },
    { name: "prices", needs: ["variables"], service: () => 2 },
  ];
  await assert.rejects(openFeatures(inRole("all"), circle), /variables → prices → variables/);
});

test("needs are names of services, and a service is what its feature promises", () => {
  // @ts-expect-error: no feature has this name.
  defineFeature({ name: "reader", needs: ["variabels"] });
  // @ts-expect-error: others expect a VariableService under this name.
  defineFeature({ name: "variables", service: () => ({ all: 1 }) });
  // @ts-expect-error: it takes a service that it does not make.
  defineFeature({ name: "reader", routes: (service: { list(): Route[] }) => service.list() });
  assert.equal(variables.name, "variables");
});

test("a process serves and starts what its role asks for", async () => {
  const route = { path: "/" } as Route;
  const routes = () => [route];
  const begin = () => undefined;
  const features: Feature[] = [
    { name: "usual", routes, start: begin },
    { name: "operators", routes, servedBy: ["all", "api", "worker"] },
    { name: "work", routes, start: begin, startedBy: ["all", "worker"] },
  ];
  const open = async (role: string) => {
    const opened = await openFeatures(inRole(role), features);
    return opened.features.map((feature) => [feature.routes.length, feature.start !== undefined]);
  };
  assert.deepEqual(await open("all"), [
    [1, true],
    [1, true],
    [1, true],
  ]);
  assert.deepEqual(await open("api"), [
    [1, true],
    [1, true],
    [1, false],
  ]);
  assert.deepEqual(await open("worker"), [
    [0, true],
    [1, true],
    [0, true],
  ]);
});

test("features start in the order of their list and stop in the opposite one", async () => {
  const said: string[] = [];
  const named = (name: string): OpenFeature => ({
    name,
    routes: [],
    start: () => void said.push(`start ${name}`),
    stop: () => void said.push(`stop ${name}`),
  });
  const features = [named("a"), { name: "idle", routes: [] }, named("b")];
  await startFeatures(features);
  await stopFeatures(features);
  assert.deepEqual(said, ["start a", "start b", "stop b", "stop a"]);
});

test("when a feature does not start, those before it are stopped", async () => {
  const said: string[] = [];
  const failing = () => {
    throw new Error("The port is taken.");
  };
  const features = [
    { name: "a", routes: [], stop: () => void said.push("stop a") },
    { name: "b", routes: [], start: failing, stop: () => void said.push("stop b") },
  ];
  await assert.rejects(startFeatures(features), /port is taken/);
  assert.deepEqual(said, ["stop a"]);
});

await forEachDatabase(({ openTestDatabase }) => {
  test("features hear of agents and of runs of their kind, in order, in the transaction", async (t) => {
    const database = await openTestDatabase(t);
    const events = createFeatureEvents();
    const said: string[] = [];
    const hearing = (name: string): OpenFeature => ({
      name,
      routes: [],
      on: {
        agentSaved: async (_tx, { id }) => void said.push(`${name} saved ${id}`),
        agentDeleted: async (_tx, id) => void said.push(`${name} deleted ${id}`),
        runEnded: {
          chat:
            ({ id }) =>
            async () =>
              void said.push(`${name} chat ${id}`),
        },
      },
    });
    events.register([hearing("a"), hearing("b"), { name: "deaf", routes: [] }]);
    await database.write(async (tx) => {
      await events.agentSaved(tx, { id: "1", versionId: "v", flowData: "{}" });
      await events.agentDeleted(tx, "1");
      for (const followUp of [await events.runEnded.chat(run, []), await events.runEnded.upsert(run, [])]) {
        if (typeof followUp === "function") await followUp(tx);
        else assert.deepEqual(followUp, []);
      }
    });
    const expected = ["a saved 1", "b saved 1", "a deleted 1", "b deleted 1", "a chat run", "b chat run"];
    assert.deepEqual(said, expected);
  });

  test("what a feature refuses is not done", async (t) => {
    const database = await openTestDatabase(t);
    const events = createFeatureEvents();
    const refuse = async () => {
      throw new Error("It is still needed.");
    };
    events.register([{ on: { agentDeleted: refuse } }]);
    const deleted = database.write(async (tx) => {
      await tx.insertInto("settings").values({ name: "n", value: "v" }).execute();
      await events.agentDeleted(tx, "1");
    });
    await assert.rejects(deleted, /still needed/);
    assert.deepEqual(await database.read.selectFrom("settings").select("name").where("name", "=", "n").execute(), []);
  });
});
