import { randomBytes } from "node:crypto";
import type { Tables } from "@weft/database";
import { ifFound } from "@weft/http";
import { uuidOf } from "@weft/run-host";
import { toMoment, type WebhookSecretState, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import type { Context } from "../context.ts";
import type { Needs } from "../feature.ts";
import { toStandardSecret } from "./standard-webhooks.ts";

/**
 * Secrets shared by agents and the callers of their webhooks. Each is a credential, so it is sealed and rotated as one.
 */
export type WebhookSecrets = {
  /**
   * Creates a new secret of 256 bits, `whsec_…`. The previous one stays valid for `previousValidSeconds`, default 0.
   * Rejects with `not-found` for an unknown agent.
   */
  create(agentId: string, options?: { previousValidSeconds?: number | undefined }): Promise<{ webhookSecret: string }>;
  /** Says whether there is one, without it. Rejects with `not-found` for an unknown agent. */
  describe(agentId: string): Promise<WebhookSecretState>;
  /** Takes over the secret that an agent had elsewhere, unless it has one here. */
  adopt(agent: { id: string; name: string }, secret: string): Promise<void>;
  /** Rejects with `not-found` for an unknown agent. */
  remove(agentId: string): Promise<void>;
  /** For the transaction that deletes an agent. */
  removeOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
  /**
   * The secrets in a credential, or without one those of the agent: the current one, and the previous one while it is
   * valid. Empty if there is none. Rejects with `flow-invalid` for a credential that holds none.
   */
  read(agentId: string, credentialId: string | undefined): Promise<string[]>;
};

export function createWebhookSecrets(
  { clock }: Context,
  { credentials, runnables: { getForRun } }: Needs<"credentials" | "runnables">,
): WebhookSecrets {
  /** The outgoing secret, and when it expires; nulls remove an earlier one. */
  async function retire(id: string, validSeconds: number) {
    if (validSeconds === 0) return { previousSecret: null, previousUntil: null };
    const { secret = null } = await credentials.readSecret(id);
    return { previousSecret: secret, previousUntil: toMoment(clock.now() + validSeconds * 1_000) };
  }

  function keep({ id, name }: { id: string; name: string }, secret: string) {
    const own = { id: ownId(id), name: `Webhook of ${name}`, credentialName: "webhookSecret" };
    return credentials.create({ ...own, plainDataObj: { secret } });
  }

  return {
    async create(agentId, { previousValidSeconds = 0 } = {}) {
      const { agent } = await getForRun(agentId);
      const id = ownId(agentId);
      const webhookSecret = toStandardSecret(randomBytes(32));
      const name = `Webhook of ${agent.name}`;
      const exists = (await ifFound(credentials.get(id))) !== undefined;
      if (exists) {
        const retired = await retire(id, previousValidSeconds);
        await credentials.update(id, { name, plainDataObj: { secret: webhookSecret, ...retired } });
      } else {
        await keep({ id: agentId, name: agent.name }, webhookSecret);
      }
      return { webhookSecret };
    },

    async describe(agentId) {
      await getForRun(agentId);
      const { secret, previousSecret, previousUntil } = (await ifFound(credentials.readSecret(ownId(agentId)))) ?? {};
      const isPreviousGood = previousSecret && previousUntil && previousUntil > toMoment(clock.now());
      return { exists: Boolean(secret), previousValidUntil: isPreviousGood ? previousUntil : null };
    },

    async adopt(agent, secret) {
      if ((await ifFound(credentials.get(ownId(agent.id)))) === undefined) await keep(agent, secret);
    },

    async remove(agentId) {
      await getForRun(agentId);
      await ifFound(credentials.remove(ownId(agentId)));
    },

    removeOfAgent: (tx, agentId) => credentials.removeOwned(tx, ownId(agentId)),

    async read(agentId, credentialId) {
      const isOwn = credentialId === undefined;
      const reading = credentials.readSecret(credentialId ?? ownId(agentId));
      const fields = isOwn ? await ifFound(reading) : await reading;
      const { secret, previousSecret, previousUntil } = fields ?? {};
      if (secret) {
        const isPreviousGood = previousSecret && !(previousUntil && previousUntil <= toMoment(clock.now()));
        return isPreviousGood ? [secret, previousSecret] : [secret];
      }
      if (isOwn) return [];
      const reason = "the credential of its webhook has no field named secret. Add one.";
      throw new WeftError("flow-invalid", { params: { reason } });
    },
  };
}

/** Id of the credential that holds an agent's own secret. */
function ownId(agentId: string): string {
  return uuidOf(`webhook secret of ${agentId}`);
}
