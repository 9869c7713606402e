// Runs a flow that asks a person, finds the waiting run, and answers it. The run could wait for days, over restarts.
import { call, check, makeAgent } from "./weft.ts";

const agentId = await makeAgent(
  "Shipping of the example",
  [
    { id: "start", type: "start" },
    { id: "ask", type: "human-input", config: { question: "Ship {{ question }}?", proceedLabel: "Ship it" } },
    { id: "yes", type: "direct-reply", config: { message: "Shipped: {{ question }}" } },
    { id: "no", type: "direct-reply", config: { message: "Stopped." } },
  ],
  [
    { id: "a", source: "start", target: "ask" },
    { id: "b", source: "ask", sourcePort: "proceed", target: "yes" },
    { id: "c", source: "ask", sourcePort: "reject", target: "no" },
  ],
);

type Answer = { text: string; chatId: string; executionId: string; action?: { id: string } };
const asked = await call<Answer>(`prediction/${agentId}`, { question: "ten bicycles" });
check(asked.action !== undefined, `The run did not ask: ${asked.text}`);
console.log(`The run asks: ${asked.text}`);

const waiting = await call<{ state: string }>(`executions/${asked.executionId}`);
console.log(`Its state is ${waiting.state}. The page Inbox of the builder lists it.`);

const done = await call<Answer>(`prediction/${agentId}`, {
  chatId: asked.chatId,
  executionId: asked.executionId,
  humanInput: { type: "proceed", feedback: "Checked the stock." },
});
check(done.text === "Shipped: ten bicycles", `The run did not go on as it should: ${done.text}`);
console.log(`After the answer: ${done.text}`);
