import { createScriptedOpenAiServer, type Script } from "../../../packages/providers/src/testing/index.ts";
import { startPlatformProcess } from "../../../packages/server/src/testing/platform-process.ts";

/** The real server with a scripted model behind it. */
export async function startScriptedPlatform(script: Script, env: Record<string, string> = {}) {
  const model = await createScriptedOpenAiServer({ script });
  // Steps may call it over HTTP, too.
  const reached = { OPENAI_BASE_URL: model.url, EGRESS_ALLOW: new URL(model.url).host };
  const platform = await startPlatformProcess({
    env: { ...reached, OPENAI_API_KEY: "sk-test", DEFAULT_MODEL: "scripted", ...env },
  });
  return {
    platform,
    model,
    /** Creates an agent of a start node and one more; resolves with its id. */
    async createAgent({ type, config = {}, start = {}, ...more }: NewAgent): Promise<string> {
      const nodes = [
        { id: "start_0", type: "start", label: "Start", config: start },
        { id: "node_0", type, label: "Node", config },
      ];
      const edges = [{ id: "e", source: "start_0", target: "node_0" }];
      const flowData = JSON.stringify({ weft: 1, nodes, edges });
      return (await platform.call<{ id: string }>("POST", "/chatflows", { name: "Agent", flowData, ...more })).id;
    },
    async close() {
      await platform.remove();
      await model.close();
    },
  };
}

type NewAgent = { type: string; config?: object; start?: object; name?: string; chatbotConfig?: string };

export type ScriptedPlatform = Awaited<ReturnType<typeof startScriptedPlatform>>;
