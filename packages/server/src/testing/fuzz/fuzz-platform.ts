import { listen } from "@weft/http";
import { createScriptedOpenAiServer } from "@weft/providers/testing";
import type { JsonObject } from "@weft/schema";
import type { TestDatabases } from "../../../../database/src/testing/test-databases.ts";
import { readApiDocument } from "../api-document.ts";
import { stopAfter } from "../stop-after.ts";
import { flowOf, llmFlow, openTestPlatform } from "../test-platform.ts";
import { type FuzzReport, fuzzScript, runFuzz } from "./run-fuzz.ts";

export type FuzzRun = { seed: number; requests: number };

/** Something that runs functions at its end, the first given first. */
type Ending = { after(fn: () => unknown): void };

const limits = { BODY_LIMIT: "300kb", RUN_TIMEOUT_MS: "2000", ALLOW_PUBLIC_FLOWS: "true" };

/** Opens a platform with a scripted model, in process and on a socket, and sends it requests. */
export async function fuzzPlatform(t: Ending, databases: TestDatabases, run: FuzzRun): Promise<FuzzReport> {
  const stop = stopAfter(t as Parameters<typeof stopAfter>[0]);
  const model = await createScriptedOpenAiServer({ script: fuzzScript, record: false });
  stop(() => model.close());
  const env = { ...limits, OPENAI_API_KEY: "k", OPENAI_BASE_URL: model.url, DEFAULT_MODEL: "scripted" };
  const platform = await openTestPlatform(t as Parameters<typeof openTestPlatform>[0], databases, env);
  const server = await listen(platform, { host: "127.0.0.1", port: 0 });
  stop(() => server.close({ graceMs: 0 }));
  const document = await platform.fetch(new Request("http://platform/openapi.json"));
  const weak = await platform.json<{ apiKey: string }>("POST", "/apikey", {
    keyName: "weak",
    permissions: ["predictions:run"],
  });
  const flows = [llmFlow(), flowOf("direct-reply", "Reply", { message: "Hi" }), "{}"];
  return runFuzz({
    ...run,
    document: readApiDocument((await document.json()) as JsonObject),
    fetch: platform.fetch,
    origin: server.url,
    newToken: platform.issueToken,
    weakKey: weak.apiKey,
    async prepare() {
      const made: { path: string; text: string }[] = [];
      for (const [index, flowData] of flows.entries()) {
        const body = { name: `Fuzz ${index}`, flowData, isPublic: index === 1 };
        const agent = await platform.json<{ id: string }>("POST", "/chatflows", body);
        made.push({ path: "/api/v1/chatflows", text: JSON.stringify(agent) });
        const answer = await platform.send("POST", `/prediction/${agent.id}`, { question: "Hello" });
        if (answer.status === 200) made.push({ path: "/api/v1/prediction", text: await answer.text() });
      }
      return made;
    },
  });
}
