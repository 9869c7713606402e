import type { WebhookCall } from "./webhook-settings.ts";

const bodies: Readonly<Record<string, string>> = {
  "application/json": '{"text": "Hello!"}',
  "application/x-www-form-urlencoded": "text=Hello!",
  "text/plain": "Hello!",
};

/** Requests of these methods are sent without a body. */
const bodiless = new Set(["GET", "DELETE"]);

/**
 * Commands for a shell with `curl` and `openssl` that send one request as the webhook asks for it. Source of the signature:
 * Standard Webhooks 1.0.0.
 */
export function webhookExample(url: string, { method, contentType, proof }: WebhookCall, secret: string): string {
  const body = bodiless.has(method) ? "" : (bodies[contentType] ?? "Hello!");
  const { prepare, headers } = proofs(proof);
  const sent = [
    ...(body === "" ? [] : [`-H "Content-Type: ${contentType}"`]),
    ...headers,
    ...(body === "" ? [] : ['-d "$BODY"']),
  ];
  const values = [...(proof.type === "none" ? [] : [`SECRET='${secret}'`]), `BODY='${body}'`];
  const request = [`curl -X ${method} '${url}'`, ...sent].join(" \\\n  ");
  return [values.join("\n"), ...prepare, request].join("\n");
}

/** What is computed before the request, and what it shows. */
function proofs(proof: WebhookCall["proof"]): { prepare: string[]; headers: string[] } {
  switch (proof.type) {
    case "none":
      return { prepare: [], headers: [] };
    case "plain-token":
      return { prepare: [], headers: [`-H "${proof.header}: $SECRET"`] };
    case "hmac-sha256":
      return {
        prepare: [`SIGNATURE=$(printf %s "$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)`],
        headers: [`-H "${proof.header}: sha256=$SIGNATURE"`],
      };
    case "standard-webhooks":
      return {
        prepare: [
          'ID="msg_$(date +%s)_$$" NOW=$(date +%s)',
          `KEY=$(printf %s "\${SECRET#whsec_}" | openssl base64 -d -A | od -An -tx1 | tr -d ' \\n')`,
          'SIGNATURE=$(printf %s "$ID.$NOW.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64)',
        ],
        headers: ['-H "webhook-id: $ID" -H "webhook-timestamp: $NOW" -H "webhook-signature: v1,$SIGNATURE"'],
      };
  }
}
