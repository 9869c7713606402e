import { type Json, type JsonObject, toJsonObject } from "@weft/schema";

/** How callers prove who they are, as a start step says. */
export type WebhookProof =
  | { type: "standard-webhooks"; credential?: string | undefined }
  | { type: "hmac-sha256" | "plain-token"; header: string; credential?: string | undefined }
  | { type: "none" };

export type WebhookCall = { method: string; contentType: string; proof: WebhookProof };

const methods = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);
const contentTypes = new Set(["application/json", "application/x-www-form-urlencoded", "text/plain"]);
const headerName = /^[\w-]{1,100}$/;
const defaultHeader = "x-webhook-signature";

/**
 * What callers of a start step's webhook have to do. What the step does not say, or says in a way that no start step may (a
 * draft from elsewhere can hold anything), is as it is by default: the example is made to be run.
 */
export function webhookCallOf(config: JsonObject): WebhookCall {
  const { method, contentType, auth } = toJsonObject(config.webhook);
  return {
    method: known(methods, method) ?? "POST",
    contentType: known(contentTypes, contentType) ?? "application/json",
    proof: proofOf(toJsonObject(auth)),
  };
}

function known(values: ReadonlySet<string>, value: Json | undefined): string | undefined {
  return typeof value === "string" && values.has(value) ? value : undefined;
}

function proofOf({ type, header, credential }: JsonObject): WebhookProof {
  const own = typeof credential === "string" && credential !== "" ? { credential } : {};
  if (type === "none") return { type };
  if (type !== "hmac-sha256" && type !== "plain-token") return { type: "standard-webhooks", ...own };
  return { type, header: typeof header === "string" && headerName.test(header) ? header : defaultHeader, ...own };
}
