import type { IdSource, NodeRegistry, RunHandle } from "@weft/engine";
import type { PredictionRequest, PredictionResult, RunEvent } from "@weft/schema";
import type { FileService } from "../files/file.service.ts";
import { assertUnguessable } from "../http/unguessable-ids.ts";
import type { ExecutionService } from "../runs/execution.service.ts";
import type { RunService } from "../runs/run.service.ts";
import type { RunBroadcast } from "../runs/run-broadcast.ts";
import { type AdmitDeps, admit, type Caller } from "./admit.ts";
import type { AttachService } from "./attach.service.ts";
import { attachUploads, withSpoken } from "./attach-uploads.ts";
import { type BegunRun, beginRun, type FrameListener } from "./begin-run.ts";
import { createBeginnings } from "./beginnings.ts";
import { presentJson } from "./present-json.ts";
import { createEventStream } from "./present-sse.ts";
import { readUploads, type UploadDeps } from "./read-uploads.ts";
import { resolveInput } from "./resolve-input.ts";
import { type ResumePredictionDeps, resumePrediction } from "./resume-prediction.ts";
import { createFrameWriter } from "./stream-frames.ts";
import { assertTakesMessages, type Trigger } from "./trigger.ts";

export type PredictionServiceDeps = AdmitDeps &
  UploadDeps &
  Pick<ResumePredictionDeps, "answers"> & {
    files: Pick<FileService, "store">;
    runs: RunService;
    broadcast: RunBroadcast;
    ids: IdSource;
    registry: NodeRegistry;
    attach: AttachService;
    executions: Pick<ExecutionService, "find">;
  };

export type Ask = {
  agentId: string;
  request: PredictionRequest;
  caller: Caller;
  chatType: "INTERNAL" | "EXTERNAL";
  /** Id of the run, where a repetition of the request must find it. */
  newId: string | undefined;
  /** What asks in place of a client. Without it a flow that begins otherwise takes no messages of clients. */
  trigger?: Trigger;
};

export type PredictionService = {
  /**
   * Begins a run, durably. Resolves with its answer, or rejects with what it failed with; with `streaming` resolves with
   * the stream once the run is accepted.
   */
  ask(ask: Ask): Promise<PredictionResult | Response>;
  /** The answer or stream of the run that an equal request began under this id (G9); undefined when there is none. */
  recall(runId: string, request: PredictionRequest): Promise<PredictionResult | Response | undefined>;
  /** Begins a run for a client that speaks another protocol. Resolves once it is durable; `onFrames` hears its stream. */
  begin(ask: Ask, onFrames?: FrameListener): Promise<BegunRun>;
};

export function createPredictionService(deps: PredictionServiceDeps): PredictionService {
  const { runs, broadcast, ids, registry, attach, executions } = deps;
  const beginnings = createBeginnings();

  async function prepare({ agentId, request, caller, chatType, newId, trigger }: Ask) {
    const { agent, versionId, flow: saved, warnings: ofAgent = [] } = await admit(deps, agentId, caller);
    if (!trigger && chatType === "EXTERNAL") assertTakesMessages(saved, agent.id);
    const uploads = await readUploads(deps, agent, request.uploads ?? []);
    const { input, sessionId, flow, warnings } = resolveInput(
      withSpoken(request, uploads),
      { flow: saved, apiConfig: agent.apiConfig },
      registry,
    );
    if (caller.isAnonymous) assertUnguessable("overrideConfig.sessionId", sessionId);
    const chatId = request.chatId ?? sessionId ?? ids.uuid();
    const runId = newId ?? ids.uuid();
    const attached = await attachUploads(deps.files, { agentId: agent.id, chatId }, uploads);
    const begin = {
      type: "run-started",
      agentId: agent.id,
      flowVersionId: versionId,
      chatId,
      sessionId: sessionId ?? chatId,
      chatType,
      userMessageId: ids.uuid(),
      apiMessageId: ids.uuid(),
      input: { ...input, ...attached, ...(trigger?.webhook && { webhook: trigger.webhook }) },
      depth: 0,
    } as const;
    return { runId, begin, flow, warnings: [...ofAgent, ...warnings, ...(trigger?.warnings ?? [])] };
  }

  /** Whether another process, with the same request at the same moment, was first to begin the run. */
  async function isTaken({ accepted }: RunHandle, { newId }: Ask): Promise<boolean> {
    if (newId === undefined) return false;
    try {
      await accepted;
      return false;
    } catch (cause) {
      if ((await executions.find(newId)) === undefined) throw cause;
      return true;
    }
  }

  async function answer(ask: Ask, accepted: (run: Promise<void>) => void): Promise<PredictionResult> {
    const run = await prepare(ask);
    const { runId, flow } = run;
    const handle = runs.begin({ ...run, live: false });
    const events: RunEvent[] = [];
    const stopFollowing = broadcast.follow(runId, { events: (batch) => events.push(...batch) });
    accepted(handle.accepted);
    try {
      if (await isTaken(handle, ask)) return await attach.answer(runId);
      return presentJson({ runId, state: handle.state, flow, events }, await handle.done);
    } finally {
      stopFollowing();
    }
  }

  async function stream(ask: Ask, accepted: (run: Promise<void>) => void): Promise<Response> {
    const run = await prepare(ask);
    const { runId, flow } = run;
    const handle = runs.begin({ ...run, live: true });
    const writer = createFrameWriter({ runId, flow });
    const stream = createEventStream();
    const stopFollowing = broadcast.follow(runId, {
      events: (events) => stream.send(writer.events(events)),
      delta: (delta) => stream.send(writer.delta(delta)),
      left: stream.cut,
    });
    stream.onceOver(stopFollowing);
    accepted(handle.accepted);
    if (await isTaken(handle, ask)) return attach.stream({ runId });
    await handle.accepted;
    return stream.response;
  }

  return {
    begin: async (ask, onFrames) => beginRun(deps, await prepare(ask), onFrames),
    async ask(ask) {
      const { agentId, request, caller } = ask;
      const { humanInput } = request;
      if (humanInput) return resumePrediction(deps, { agentId, request: { ...request, humanInput }, caller });
      return beginnings.track<PredictionResult | Response>(ask.newId, (accepted) =>
        isStreaming(request) ? stream(ask, accepted) : answer(ask, accepted),
      );
    },
    async recall(runId, request) {
      await beginnings.wait(runId);
      if ((await executions.find(runId)) === undefined) return undefined;
      return isStreaming(request) ? attach.stream({ runId }) : attach.answer(runId);
    },
  };
}

function isStreaming({ streaming }: PredictionRequest): boolean {
  return streaming === true || streaming === "true";
}
