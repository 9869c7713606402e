import type { IdSource, NodeRegistry } from "@weft/engine";
import type { FileService } from "../files/file.service.ts";
import { assertUnguessable } from "../http/unguessable-ids.ts";
import type { BeginRun } from "../runs/run.service.ts";
import { type AdmitDeps, admit } from "./admit.ts";
import type { Ask } from "./ask.ts";
import { attachUploads, withSpoken } from "./attach-uploads.ts";
import { readUploads, type UploadDeps } from "./read-uploads.ts";
import { resolveInput } from "./resolve-input.ts";
import { assertTakesMessages } from "./trigger.ts";

export type PrepareRunDeps = AdmitDeps &
  UploadDeps & { files: Pick<FileService, "store">; ids: IdSource; registry: NodeRegistry };

/** A run that may begin. */
export type PreparedRun = Omit<BeginRun, "live">;

/** Reads everything that a message's run needs, and stores its files. Rejects where the message is refused. */
export async function prepareRun(deps: PrepareRunDeps, ask: Ask): Promise<PreparedRun> {
  const { agentId, request, caller, chatType, newId, trigger } = ask;
  const { ids, registry } = deps;
  const { agent, versionId, flow: saved, flowData, warnings: ofAgent = [] } = await admit(deps, agentId, caller);
  if (!trigger && chatType === "EXTERNAL") assertTakesMessages(saved, agent.id);
  const uploads = await readUploads(deps, agent, request.uploads ?? []);
  const { input, sessionId, flow, warnings } = resolveInput(
    withSpoken(request, uploads),
    { flow: saved, flowData, apiConfig: agent.apiConfig },
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
