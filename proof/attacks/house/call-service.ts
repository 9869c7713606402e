import assert from "node:assert/strict";
import type { Answer } from "./caller.ts";
import { assertQuick, timed } from "./hold-answers.ts";
import type { House } from "./open-house.ts";
import type { Reply, Service } from "./open-service.ts";
import { callsOnce, orderTool } from "./sketches.ts";

/** A visitor's run whose tool called a service of the attacker's. */
export type ServiceCall = { service: Service; answer: Answer; tookMs: number };

/** Lets an agent call a service with this reply, and give it up after two seconds. Resolves when the run has ended. */
export async function callService(house: House, reply: Reply): Promise<ServiceCall> {
  const service = await house.shop(reply);
  const agent = await house.agent(orderTool(`${service.url}/orders`, { timeoutMs: 2_000 }));
  house.script(callsOnce("get_order", { id: "1" }));
  const { value, tookMs } = await timed(() =>
    house.visitor().send("POST", `/api/v1/prediction/${agent}`, { question: "Order 1?" }),
  );
  return { service, answer: value, tookMs };
}

/** Asserts that the service was called, and that the run ended soon and with a short answer. Returns the evidence. */
export function assertRunEnded({ service, answer, tookMs }: ServiceCall): string {
  assert.ok(service.received.length > 0, "The service was never called.");
  assertQuick(tookMs, 15_000);
  assert.ok(answer.text.length < 300_000, `The answer has ${answer.text.length} characters.`);
  return `The run ended with ${answer.status} after ${tookMs.toFixed(0)} ms.`;
}

/** A reply of the same text at an interval, until the caller hangs up. */
export function sendForever(text: string, intervalMs: number): Reply {
  return (_, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    const timer = setInterval(() => response.write(text), intervalMs);
    response.on("close", () => clearInterval(timer));
  };
}
