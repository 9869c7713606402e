import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunRow } from "@weft/run-host";
import { forEachDatabase } from "../../database/src/testing/test-databases.ts";
import { createFeatureEvents, defineFeature, startFeatures, stopFeatures } from "./feature.ts";

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

test("features start in the order of their list and stop in the opposite one", async () => {
  const said: string[] = [];
  const named = (name: string) =>
    defineFeature({
      name,
      routes: [],
      start: () => void said.push(`start ${name}`),
      stop: () => void said.push(`stop ${name}`),
    });
  const features = [named("a"), defineFeature({ name: "idle", routes: [] }), named("b")];
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
    defineFeature({ name: "a", routes: [], stop: () => void said.push("stop a") }),
    defineFeature({ name: "b", routes: [], start: failing, stop: () => void said.push("stop b") }),
  ];
  await assert.rejects(startFeatures(features), /port is taken/);
  assert.deepEqual(said, ["stop a"]);
});

await forEachDatabase(({ openTestDatabase }) => {
  test("features hear of agents and of runs of their kind, in order, in the transaction", async (t) => {
    const database = await openTestDatabase(t);
    const events = createFeatureEvents();
    const said: string[] = [];
    const hearing = (name: string) =>
      defineFeature({
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
    events.register([hearing("a"), hearing("b"), defineFeature({ name: "deaf", routes: [] })]);
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
    events.register([defineFeature({ name: "a", routes: [], on: { agentDeleted: refuse } })]);
    const deleted = database.write(async (tx) => {
      await tx.insertInto("settings").values({ name: "n", value: "v" }).execute();
      await events.agentDeleted(tx, "1");
    });
    await assert.rejects(deleted, /still needed/);
    assert.deepEqual(await database.read.selectFrom("settings").select("name").where("name", "=", "n").execute(), []);
  });
});
