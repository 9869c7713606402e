import { createHmac } from "node:crypto";
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
    async makeSecret(): Promise<string> {
      return (await platform.json<{ webhookSecret: string }>("POST", `/chatflows/${id}/webhook-secret`)).webhookSecret;
    },
  };
}

export const signatureOf = (secret: string, body: string | Uint8Array): string =>
  createHmac("sha256", secret).update(body).digest("hex");

/** A webhook that asks for no proof. */
export const open = { auth: { type: "none" } } as const;
