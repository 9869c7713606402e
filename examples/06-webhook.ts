// Makes an agent that a webhook starts, and sends it a signed request, as Standard Webhooks specifies.
import { createHmac, randomUUID } from "node:crypto";
import { baseUrl, call, check, makeAgent } from "./weft.ts";

const agentId = await makeAgent(
  "City hook of the example",
  [
    { id: "start", type: "start", config: { input: "webhook" } },
    { id: "reply", type: "direct-reply", config: { message: "Hello {{ $webhook.body.city }}" } },
  ],
  [{ id: "e", source: "start", target: "reply" }],
);
const { webhookSecret } = await call<{ webhookSecret: string }>(`chatflows/${agentId}/webhook-secret`, {});

/** The signature covers id, time and body; the key is the base64 after `whsec_`. */
function sign(id: string, timestamp: string, body: string): string {
  const key = Buffer.from(webhookSecret.replace("whsec_", ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}

async function send(signature?: string): Promise<Response> {
  const [id, timestamp, body] = [`msg_${randomUUID()}`, String(Math.floor(Date.now() / 1_000)), '{"city": "Ulm"}'];
  return fetch(`${baseUrl}/webhook/${agentId}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signature ?? sign(id, timestamp, body),
    },
    body,
  });
}

const answer = await send();
const { text } = (await answer.json()) as { text: string };
check(answer.ok && text === "Hello Ulm", `${answer.status} ${text}`);
console.log(`The signed request was answered: ${text}`);

const refused = await send("v1,bm90IGEgc2lnbmF0dXJl");
check(refused.status === 401, `A wrong signature was answered with ${refused.status}.`);
console.log("A request with a wrong signature was refused: 401.");
