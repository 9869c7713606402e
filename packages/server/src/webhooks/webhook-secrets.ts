import { randomBytes } from "node:crypto";
import { WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import type { RunnableAgent } from "../agents/agent-reader.ts";
import type { CredentialService } from "../credentials/credential.service.ts";
import { ifFound } from "../http/if-found.ts";
import type { Tables } from "../storage/tables.ts";
import { uuidOf } from "../uuid-of.ts";

export type WebhookSecretsDeps = {
  getForRun(agentId: string): Promise<RunnableAgent>;
  credentials: Pick<CredentialService, "create" | "get" | "readSecret" | "remove" | "removeOwned" | "update">;
};

/** What agents and the callers of their webhooks both know. Each is a credential, so it is sealed and rotated as one. */
export type WebhookSecrets = {
  /** Makes a new secret, 256 bits in hex. The one before is void. Rejects with `not-found` for an unknown agent. */
  create(agentId: string): Promise<{ webhookSecret: string }>;
  /** Rejects with `not-found` for an unknown agent. */
  remove(agentId: string): Promise<void>;
  /** For the transaction that deletes an agent. */
  removeOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
  /**
   * The secret in a credential, or without one that of the agent; undefined when there is none. Rejects with
   * `flow-invalid` for a credential that holds none.
   */
  read(agentId: string, credentialId: string | undefined): Promise<string | undefined>;
};

export function createWebhookSecrets({ getForRun, credentials }: WebhookSecretsDeps): WebhookSecrets {
  return {
    async create(agentId) {
      const { agent } = await getForRun(agentId);
      const id = ownId(agentId);
      const webhookSecret = randomBytes(32).toString("hex");
      const values = { name: `Webhook of ${agent.name}`, plainDataObj: { secret: webhookSecret } };
      const exists = (await ifFound(credentials.get(id))) !== undefined;
      if (exists) await credentials.update(id, values);
      else await credentials.create({ id, credentialName: "webhookSecret", ...values });
      return { webhookSecret };
    },

    async remove(agentId) {
      await getForRun(agentId);
      await ifFound(credentials.remove(ownId(agentId)));
    },

    removeOfAgent: (tx, agentId) => credentials.removeOwned(tx, ownId(agentId)),

    async read(agentId, credentialId) {
      if (credentialId === undefined) return (await ifFound(credentials.readSecret(ownId(agentId))))?.secret;
      const { secret } = await credentials.readSecret(credentialId);
      if (secret) return secret;
      const reason = "the credential of its webhook has no field named secret. Give it one.";
      throw new WeftError("flow-invalid", { params: { reason } });
    },
  };
}

/** Id of the credential that holds an agent's own secret. */
function ownId(agentId: string): string {
  return uuidOf(`webhook secret of ${agentId}`);
}
