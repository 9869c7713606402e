import type { TestContext } from "node:test";
import { createScriptedOpenAiServer, type Script, type ScriptedOpenAiServer } from "@weft/providers/testing";
import type { TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform, type TestPlatform, type TestPlatformOptions } from "./test-platform.ts";

export type ScriptedPlatform = TestPlatform & {
  model: ScriptedOpenAiServer;
  /** Asks an agent; resolves with the JSON of the answer, whatever its status. */
  ask<T>(agentId: string, body: object): Promise<T>;
};

/** As `openTestPlatform`, with a default model that follows a script: it greets where there is none. */
export async function openScriptedPlatform(
  t: Pick<TestContext, "after">,
  databases: Pick<TestDatabases, "createTestStorage">,
  script: Script = () => ({ text: "Hello." }),
  { env, ...options }: TestPlatformOptions & { env?: Record<string, string> } = {},
): Promise<ScriptedPlatform> {
  const model = await createScriptedOpenAiServer({ script });
  t.after(() => model.close());
  const platform = await openTestPlatform(t, databases, { ...scriptedModelEnv(model), ...env }, options);
  return {
    ...platform,
    model,
    ask: async <T>(agentId: string, body: object) =>
      (await (await platform.send("POST", `/prediction/${agentId}`, body)).json()) as T,
  };
}

/** The settings with which flows that name no model use this one. */
export function scriptedModelEnv({ url }: { url: string }): Record<string, string> {
  return { OPENAI_BASE_URL: url, OPENAI_API_KEY: "sk-test", DEFAULT_MODEL: "scripted" };
}
