import type { NodeProblem } from "@weft/engine/node";
import { templated } from "@weft/engine/template";
import { z } from "zod";

const credential = z.string().max(100).optional();
const header = z
  .string()
  .regex(/^[\w-]{1,100}$/, "must be the name of a header")
  .transform((name) => name.toLowerCase())
  .prefault("x-webhook-signature")
  .meta({ title: "Header", help: "Header in which the caller sends it." });
const secret = credential.meta({
  title: "Secret",
  help: "A credential whose `secret` field holds the shared secret. If empty, the agent's own webhook secret is used.",
  widget: "credential",
  ref: "credential",
  // It only verifies what callers send.
  goesTo: [],
});

/** How callers authenticate. Nobody gets in unless the flow says so. */
const webhookAuth = z
  .discriminatedUnion("type", [
    z
      .strictObject({
        type: z.literal("standard-webhooks"),
        credential: secret,
        acceptsOlderSignature: z.boolean().default(false).meta({
          title: "Accept X-Webhook-Signature, too",
          help: "For callers that sign only the body. Anyone who captures such a request can replay it.",
          advanced: true,
        }),
      })
      .meta({ title: "Signature (Standard Webhooks)" }),
    z
      .strictObject({ type: z.literal("hmac-sha256"), header, credential: secret })
      .meta({ title: "Signature of the body only" }),
    z.strictObject({ type: z.literal("plain-token"), header, credential: secret }).meta({ title: "Token" }),
    z.strictObject({ type: z.literal("none") }).meta({ title: "Open to everybody" }),
  ])
  .meta({ title: "Authentication" });

const name = z.string().min(1).max(200).meta({ title: "Name" });
const required = z.boolean().default(true).meta({ title: "Required" });
const bodyTypes = [
  "string",
  "number",
  "boolean",
  "object",
  "array[string]",
  "array[number]",
  "array[boolean]",
  "array[object]",
] as const;

/** Required parts of a request. */
const webhookValidation = z
  .strictObject({
    query: z
      .array(z.strictObject({ name, required }))
      .max(100)
      .default([])
      .meta({ title: "Query", widget: "rows", item: "parameter" }),
    headers: z
      .array(z.strictObject({ name, required }))
      .max(100)
      .default([])
      .meta({ title: "Headers", widget: "rows", item: "header" }),
    body: z
      .array(z.strictObject({ name, type: z.enum(bodyTypes).default("string").meta({ title: "Type" }), required }))
      .max(100)
      .default([])
      .meta({ title: "Body", widget: "rows", item: "field" }),
  })
  .meta({ title: "Parameters", advanced: true });

/** How an external request starts a run. */
export const webhookSettings = z
  .strictObject({
    method: z
      .enum(["any", "GET", "POST", "PUT", "PATCH", "DELETE"])
      .default("POST")
      .meta({ title: "Method", labels: { any: "Any" } }),
    contentType: z
      .enum(["any", "application/json", "application/x-www-form-urlencoded", "text/plain"])
      .default("any")
      .meta({ title: "Content type", labels: { any: "Any" } }),
    question: z
      .string()
      .max(200_000)
      .default("")
      .meta({
        title: "Question",
        help: "The question the flow receives, for example {{ $webhook.body.text }}.",
        widget: "textarea",
        ...templated,
      }),
    auth: webhookAuth.prefault({ type: "standard-webhooks" }),
    validation: webhookValidation.default({ query: [], headers: [], body: [] }),
    response: z
      .enum(["sync", "async", "stream"])
      .default("sync")
      .meta({
        title: "Response",
        labels: { sync: "When it ends", async: "At once", stream: "As a stream" },
        help: "Respond when the run ends, immediately, or as server-sent events.",
      }),
    callbackUrl: z
      .url({ protocol: /^https?$/, error: "must be an http or https address" })
      .max(2_000)
      .optional()
      .meta({
        title: "Callback address",
        ref: "address",
        placeholder: "https://…",
        showWhen: { field: "response", is: ["async"] },
        help: "Receives the result of the run if the webhook responds immediately.",
      }),
    callbackCredential: credential.meta({
      title: "Callback secret",
      help: "A credential whose `secret` field signs callbacks. If empty, the secret that callers use is used.",
      widget: "credential",
      ref: "credential",
      // It only signs callbacks.
      goesTo: [],
      advanced: true,
    }),
  })
  .meta({ title: "Webhook", showWhen: { field: "input", is: ["webhook"] } });
export type WebhookSettings = z.infer<typeof webhookSettings>;
export type WebhookBodyType = (typeof bodyTypes)[number];

/** Findings that its author should see before the first call. */
export function checkWebhook({ auth, response, callbackUrl, callbackCredential }: WebhookSettings): NodeProblem[] {
  const problems: NodeProblem[] = [];
  const warn = (code: string, path: string, message: string) =>
    problems.push({ level: "warning", code, path: `webhook.${path}`, message });
  if (auth.type === "none") {
    warn(
      "webhook-open",
      "auth",
      "Anyone who knows its address can start it. Require a signature, or keep the address secret.",
    );
    if (callbackUrl !== undefined && callbackCredential === undefined)
      warn(
        "callback-unsigned",
        "callbackCredential",
        "Its callbacks are not signed. Choose a credential that signs them.",
      );
  }
  if (isReplayable(auth))
    warn(
      "webhook-replayable",
      "auth",
      "A captured request can be replayed because only its body is signed. Have callers sign requests according to Standard Webhooks.",
    );
  if (callbackUrl !== undefined && response !== "async")
    warn("callback-unused", "callbackUrl", "Nothing is sent to its callback address unless it answers at once.");
  return problems;
}

function isReplayable(auth: WebhookSettings["auth"]): boolean {
  return auth.type === "hmac-sha256" || (auth.type === "standard-webhooks" && auth.acceptsOlderSignature);
}
