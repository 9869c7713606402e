import { createHmac, randomUUID } from "node:crypto";
import { agentWith, type TestPlatform } from "../../testing/test-platform.ts";

export type Sent = {
  method?: string;
  /** As in `?a=1`. */
  query?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
};

/** An agent that a webhook begins, and that replies with `message`. */
export async function webhookAgent(platform: TestPlatform, webhook: object, message: string, more: object = {}) {
  const nodes = [
    { id: "start_0", type: "start", config: { input: "webhook", webhook } },
    { id: "reply_0", type: "direct-reply", config: { message } },
  ];
  const edges = [{ id: "e", source: "start_0", target: "reply_0" }];
  const id = await agentWith(platform, JSON.stringify({ weft: 1, nodes, edges }), more);
  return {
    id,
    send: ({ method = "POST", query = "", headers, body }: Sent = {}): Promise<Response> =>
      platform.fetch(
        new Request(`http://platform/webhook/${id}${query}`, {
          method,
          headers: { ...(typeof body === "string" ? { "content-type": "application/json" } : {}), ...headers },
          ...(body === undefined ? {} : { body }),
        }),
      ),
    async makeSecret(options?: object): Promise<string> {
      const path = `/chatflows/${id}/webhook-secret`;
      return (await platform.json<{ webhookSecret: string }>("POST", path, options)).webhookSecret;
    },
  };
}

export const signatureOf = (secret: string, body: string | Uint8Array): string =>
  createHmac("sha256", secret).update(body).digest("hex");

export type Signing = { id?: string; secrets?: readonly string[]; at?: number };

/** The headers of a sender that knows Standard Webhooks, written down apart from the platform's own. */
export function signed(secret: string, body: string | Uint8Array, { id, secrets, at }: Signing = {}) {
  const timestamp = String(Math.floor((at ?? Date.now()) / 1_000));
  const name = id ?? `msg_${randomUUID()}`;
  const signatures = (secrets ?? [secret]).map((one) => {
    const key = Buffer.from(one.replace("whsec_", ""), "base64");
    const content = Buffer.concat([Buffer.from(`${name}.${timestamp}.`), Buffer.from(body)]);
    return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
  });
  return { "webhook-id": name, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

/** A webhook that takes the older signature of the body alone. */
export const older = { auth: { type: "hmac-sha256" } } as const;

/** A webhook that asks for no proof. */
export const open = { auth: { type: "none" } } as const;
