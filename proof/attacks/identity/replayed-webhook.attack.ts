import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { defineAttack } from "../house/define-attack.ts";

export const attack = defineAttack({
  name: "a captured webhook is sent again",
  async run(house) {
    const shop = await house.shop();
    const flow = {
      nodes: [
        { id: "start", type: "start", config: { input: "webhook" } },
        {
          id: "http",
          type: "http",
          config: { method: "POST", url: `${shop.url}/charges`, bodyType: "json", body: "{}" },
        },
      ],
    };
    const agent = await house.agent(flow);
    const { webhookSecret } = await house.owner<{ webhookSecret: string }>(
      "POST",
      `/chatflows/${agent}/webhook-secret`,
    );
    const body = JSON.stringify({ order: 1 });
    const send = (id: string, seconds: number) =>
      house.visitor().send("POST", `/webhook/${agent}`, body, { headers: sign(webhookSecret, { id, seconds, body }) });
    const now = Math.floor(Date.now() / 1_000);
    const first = await send("msg_1", now);
    assert.equal(first.status, 200, first.text);
    assert.equal(shop.received.length, 1, "The webhook did not run, so the attack proves nothing.");
    const [again, old, forged] = [await send("msg_1", now), await send("msg_2", now - 3_600), await send("msg_3", 0)];
    assert.equal(shop.received.length, 1, `The webhook ran ${shop.received.length} times.`);
    return `It ran once; its copies were answered with ${again.status}, ${old.status} and ${forged.status}.`;
  },
});

type Delivery = { id: string; seconds: number; body: string };

/** Source: Standard Webhooks, "Signature scheme". */
function sign(secret: string, { id, seconds, body }: Delivery): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": `v1,${signature}` };
}
