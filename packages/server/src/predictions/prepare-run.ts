import { inNameOf } from "@weft/documents";
import type { IdSource, NodeRegistry } from "@weft/engine";
import { assertUnguessable } from "@weft/http";
import { readWritePolicy } from "@weft/schema";
import type { ChatMessageService } from "../chat-messages/chat-message.service.ts";
import type { FileService } from "../files/file.service.ts";
import type { BeginRun } from "../runs/run.service.ts";
import { shareOf } from "../runs/share-of.ts";
import { type AdmitDeps, admit, type Caller } from "./admit.ts";
import type { Ask } from "./ask.ts";
import { attachUploads, withSpoken } from "./attach-uploads.ts";
import { readUploads, type UploadDeps } from "./read-uploads.ts";
import { resolveInput } from "./resolve-input.ts";
import { assertTakesMessages } from "./trigger.ts";

export type PrepareRunDeps = AdmitDeps &
  UploadDeps & {
    files: Pick<FileService, "store">;
    messages: Pick<ChatMessageService, "firstOwner">;
    ids: IdSource;
    registry: NodeRegistry;
  };

/** A run that may begin. */
export type PreparedRun = Omit<BeginRun, "live">;

/** Reads everything that a message's run needs, and stores its files. Rejects where the message is refused. */
export async function prepareRun(deps: PrepareRunDeps, ask: Ask): Promise<PreparedRun> {
  const { agentId, request, caller, chatType, newId, trigger } = ask;
  const { ids, registry } = deps;
  const { agent, versionId, flow: saved, flowData, warnings: ofAgent = [] } = await admit(deps, agentId, caller);
  if (!trigger && chatType === "EXTERNAL") assertTakesMessages(saved, agent.id);
  const share = shareOf({ agentId: agent.id, owner: caller.owner, network: caller.network });
  const documents = inNameOf(share, deps.documents);
  const uploads = await readUploads({ ...deps, documents }, agent, request.uploads ?? []);
  const { input, sessionId, flow, warnings } = resolveInput(
    withSpoken(request, uploads),
    { flow: saved, flowData, apiConfig: agent.apiConfig },
    { registry, caller },
  );
  if (caller.isAnonymous) assertUnguessable("overrideConfig.sessionId", sessionId);
  const known = sessionId ?? request.chatId;
  const chatId = request.chatId ?? ids.uuid();
  const owner = known === undefined ? caller.owner : await ownerOfChat(deps.messages, caller, [agent.id, known]);
  const runId = newId ?? ids.uuid();
  const isVisitor = caller.isAnonymous === true;
  const attached = await attachUploads(deps.files, { agentId: agent.id, chatId, owner }, { uploads, isVisitor });
  const begin = {
    type: "run-started",
    agentId: agent.id,
    agentType: agent.type,
    flowVersionId: versionId,
    chatId,
    sessionId: sessionId ?? chatId,
    chatType,
    owner: caller.owner,
    ...(owner === caller.owner ? {} : { chatOwner: owner }),
    userMessageId: ids.uuid(),
    apiMessageId: ids.uuid(),
    input: {
      ...input,
      ...attached,
      ...(trigger?.webhook && { webhook: trigger.webhook }),
      ...(caller.isAnonymous && { visitorWrites: readWritePolicy(agent.apiConfig) }),
    },
    depth: 0,
  } as const;
  return { runId, begin, share, flow, warnings: [...ofAgent, ...warnings, ...(trigger?.warnings ?? [])] };
}

/** Whose session a message goes on with: the caller's own, or one of another owner that is open to it. */
async function ownerOfChat(
  messages: Pick<ChatMessageService, "firstOwner">,
  { owner, adopts }: Caller,
  [agentId, sessionId]: readonly [string, string],
): Promise<string> {
  if (adopts.length === 0) return owner;
  return (await messages.firstOwner({ agentId, sessionId }, [owner, ...adopts])) ?? owner;
}
