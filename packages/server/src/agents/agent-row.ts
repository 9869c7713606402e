import type { AgentRow } from "@weft/database";
import { type Agent, type AgentCreate, type AgentUpdate, agentTypeSchema, WeftError } from "@weft/schema";

/** What a create adds to the body. `now` is the moment of both dates. */
export type NewIdentity = { id: string; versionId: string; now: string };

/** The row of a new agent: what the body leaves out is unset. */
export function toNewRow(body: AgentCreate, { id, versionId, now }: NewIdentity): AgentRow {
  return {
    id,
    name: body.name,
    flowData: body.flowData,
    deployed: toFlag(body.deployed),
    isPublic: toFlag(body.isPublic),
    apikeyid: body.apikeyid ?? "",
    chatbotConfig: body.chatbotConfig ?? "{}",
    apiConfig: body.apiConfig ?? "{}",
    analytic: body.analytic ?? "{}",
    speechToText: body.speechToText ?? "{}",
    category: body.category ?? "",
    type: body.type ?? "AGENTFLOW",
    createdDate: now,
    updatedDate: now,
    versionId,
  };
}

/** The columns that an update names, and no other. */
export function toColumns({ deployed, isPublic, ...rest }: AgentUpdate): Partial<AgentRow> {
  const flags = {
    ...(deployed !== undefined && { deployed: toFlag(deployed) }),
    ...(isPublic !== undefined && { isPublic: toFlag(isPublic) }),
  };
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), ...flags };
}

export function toAgent({ versionId: _, ...row }: AgentRow): Agent {
  return {
    ...row,
    deployed: row.deployed === 1,
    isPublic: row.isPublic === 1,
    type: agentTypeSchema.parse(row.type),
  };
}

/** Rejects with `not-found` what was not found. */
export function existingAgent<T>(found: T | undefined, id: string): T {
  if (found === undefined) throw new WeftError("not-found", { params: { resource: "agent", id } });
  return found;
}

/** Rejects with `not-found` what was not found. */
export function existingVersion<T>(found: T | undefined, agentId: string, number: number): T {
  if (found === undefined) {
    throw new WeftError("not-found", { params: { resource: `version of agent ${agentId}`, id: number } });
  }
  return found;
}

function toFlag(value: boolean | undefined): number {
  return value === true ? 1 : 0;
}
