import type { Database, Tables } from "@weft/database";
import type { Clock, IdSource } from "@weft/engine";
import type { Finding } from "@weft/schema";
import type { Kysely } from "kysely";

/** Removes what belongs to an agent, in the transaction that deletes it. A rejection keeps the agent. */
export type AgentDeleteHook = (tx: Kysely<Tables>, agentId: string) => Promise<void>;

/** Keeps what follows from an agent's flow, in the transaction that saves it. A rejection saves nothing. */
export type AgentSaveHook = (
  tx: Kysely<Tables>,
  saved: { id: string; versionId: string; flowData: string },
) => Promise<void>;

export type AgentServiceDeps = {
  database: Database;
  clock: Pick<Clock, "now">;
  ids: IdSource;
  checkFlow(flowDataText: string, settings?: { apiConfig: string; speechToText: string }): Promise<Finding[]>;
  /** Id of the API key that is meant by a key or by its id; undefined when there is none. */
  findApiKeyId(keyOrId: string): Promise<string | undefined>;
  /** Called when there is a new version of the flow. Default none. */
  onSave?: readonly AgentSaveHook[];
  onDelete: readonly AgentDeleteHook[];
};
