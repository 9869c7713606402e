import type { IdSource, NodeRegistry } from "@weft/engine";
import { type PredictionRequest, type PredictionResult, type RunEvent, WeftError } from "@weft/schema";
import type { RunService } from "../runs/run.service.ts";
import type { RunBroadcast } from "../runs/run-broadcast.ts";
import { type AdmitDeps, admit, type Caller } from "./admit.ts";
import { presentJson } from "./present-json.ts";
import { createEventStream } from "./present-sse.ts";
import { resolveInput } from "./resolve-input.ts";
import { createFrameWriter } from "./stream-frames.ts";

export type PredictionServiceDeps = AdmitDeps & {
  runs: RunService;
  broadcast: RunBroadcast;
  ids: IdSource;
  registry: NodeRegistry;
};

export type Ask = { agentId: string; request: PredictionRequest; caller: Caller; chatType: "INTERNAL" | "EXTERNAL" };

export type PredictionService = {
  /** Resolves with the answer, or rejects with what the run failed with. The run is durable before it begins. */
  answer(ask: Ask): Promise<PredictionResult>;
  /** Resolves with the stream once the run is accepted; earlier errors are rejections. */
  stream(ask: Ask): Promise<Response>;
};

export function createPredictionService(deps: PredictionServiceDeps): PredictionService {
  const { runs, broadcast, ids, registry } = deps;

  async function prepare({ agentId, request, caller, chatType }: Ask) {
    const { agent, versionId, flow: saved } = await admit(deps, agentId, caller);
    const { input, sessionId, flow, warnings } = resolveInput(
      request,
      { flow: saved, apiConfig: agent.apiConfig },
      registry,
    );
    const chatId = request.chatId ?? sessionId ?? ids.uuid();
    const runId = ids.uuid();
    const begin = {
      type: "run-started",
      agentId: agent.id,
      flowVersionId: versionId,
      chatId,
      sessionId: sessionId ?? chatId,
      chatType,
      userMessageId: ids.uuid(),
      apiMessageId: ids.uuid(),
      input,
      depth: 0,
    } as const;
    return { runId, begin, flow, warnings };
  }

  return {
    async answer(ask) {
      const run = await prepare(ask);
      const handle = runs.begin({ ...run, live: false });
      const events: RunEvent[] = [];
      const stopFollowing = broadcast.follow(run.runId, { events: (batch) => events.push(...batch) });
      try {
        return presentJson({ handle, flow: run.flow, events }, await handle.done);
      } finally {
        stopFollowing();
      }
    },

    async stream(ask) {
      const run = await prepare(ask);
      const handle = runs.begin({ ...run, live: true });
      const writer = createFrameWriter({ runId: run.runId, flow: run.flow, state: handle.state });
      const { response, fail } = createEventStream(broadcast, run.runId, writer);
      handle.done.then(
        (outcome) => {
          if (outcome === "stopped" || outcome === "lost") fail(new WeftError("shutting-down").message);
        },
        () => fail(new WeftError("internal").message),
      );
      await handle.accepted;
      return response;
    },
  };
}
