import { createScriptedOpenAiServer, type Script, type ScriptedOpenAiServer } from "@weft/providers/testing";
import type { CleanUp, TestDatabases, TestStorage } from "../../../database/src/testing/test-databases.ts";
import { type CountingApi, startCountingApi } from "./counting-api.ts";
import { type PlatformProcess, startPlatformProcess } from "./platform-process.ts";
import { scriptedModelEnv } from "./scripted-model.ts";
import { stopAfter } from "./stop-after.ts";

/**
 * For servers whose runs others take over once they are killed. Not for those that must keep their runs beside others: a
 * loaded machine may stall them for longer.
 */
export const shortLease = { RUN_LEASE_MS: "400" };

/**
 * For tests that start servers of their own. More at once take no less time, may use up the hundred connections of a
 * PostgreSQL, and on a loaded machine all of them end so late that the runner takes them for hung.
 */
export const sideBySide = { concurrency: 3 };

/** Real servers on one database and one folder, and what they call. Everything ends with the test, the last first. */
export type ProcessBench = {
  storage: TestStorage;
  /** Where a command of the operator finds the data. */
  place: { DATA_DIR: string; DATABASE_URL: string };
  onEnd(stop: () => unknown): void;
  /** The default model of the servers that start from now on. */
  startModel(script: Script): Promise<ScriptedOpenAiServer>;
  /** An API that the servers that start from now on may call. */
  startApi(): Promise<CountingApi>;
  /** A server, with these settings beside its place and what it calls. `sources`: of another release. */
  start(env?: Record<string, string>, sources?: string): Promise<PlatformProcess>;
};

export async function openProcessBench(
  t: CleanUp,
  { createTestStorage }: Pick<TestDatabases, "createTestStorage">,
): Promise<ProcessBench> {
  const onEnd = stopAfter(t);
  const storage = await createTestStorage(t);
  const { databaseUrl, dataDir } = storage;
  const calls: Record<string, string> = {};
  return {
    storage,
    place: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl },
    onEnd,
    async startModel(script) {
      const model = await createScriptedOpenAiServer({ script });
      onEnd(() => model.close());
      Object.assign(calls, scriptedModelEnv(model));
      return model;
    },
    async startApi() {
      const api = await startCountingApi();
      onEnd(api.close);
      calls.EGRESS_ALLOW = `127.0.0.1:${api.port}`;
      return api;
    },
    async start(env = {}, sources) {
      const server = await startPlatformProcess({
        env: { DATABASE_URL: databaseUrl, ...calls, ...env },
        dataDir,
        sources,
      });
      onEnd(() => server.kill("SIGKILL"));
      return server;
    },
  };
}
