import type { JsonObject } from "@weft/schema";
import { asObject } from "../forms/fields/values.ts";

/** How callers prove who they are, as a start step says. */
export type WebhookProof =
  | { type: "standard-webhooks"; credential?: string | undefined }
  | { type: "hmac-sha256" | "plain-token"; header: string; credential?: string | undefined }
  | { type: "none" };

export type WebhookCall = { method: string; contentType: string; proof: WebhookProof };

const defaultHeader = "x-webhook-signature";

/** What callers of a start step's webhook have to do, with the defaults of what the step does not say. */
export function webhookCallOf(config: JsonObject): WebhookCall {
  const { method, contentType, auth } = asObject(config.webhook);
  return {
    method: typeof method === "string" && method !== "any" ? method : "POST",
    contentType: typeof contentType === "string" && contentType !== "any" ? contentType : "application/json",
    proof: proofOf(asObject(auth)),
  };
}

function proofOf({ type, header, credential }: JsonObject): WebhookProof {
  const own = typeof credential === "string" && credential !== "" ? { credential } : {};
  if (type === "none") return { type };
  if (type !== "hmac-sha256" && type !== "plain-token") return { type: "standard-webhooks", ...own };
  return { type, header: typeof header === "string" && header !== "" ? header : defaultHeader, ...own };
}
