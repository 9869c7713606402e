import { randomUUID } from "node:crypto";
import { flowOf } from "../../../packages/server/src/testing/test-platform.ts";
import { createAgent, type PlayerOptions, sendMessage } from "./player.ts";

/** The name of the agents that write. */
export const writer = "Writes";

/** Writes with a tool, which its model calls. */
function toolFlow(url: string): string {
  const parameters = { id: { type: "string", in: "body", required: true, description: "Id of the note" } };
  const config = { url, name: "note", description: "Writes a note", parameters };
  return flowOf("agent", "Agent", { tools: [{ type: "request-post", config }] });
}

/** Writes in a step. Nothing before it differs from one life of a run to the next, so that two owners' events are equal. */
function stepFlow(url: string): string {
  const reply = (id: string, message: string) => ({ id, type: "direct-reply", label: id, config: { message } });
  const body = '{ "id": "{{ question }}" }';
  return JSON.stringify({
    weft: 1,
    nodes: [
      { id: "start", type: "start", label: "Start" },
      { id: "write", type: "http", label: "Write", config: { method: "POST", url, body } },
      reply("said", "noted"),
      reply("failed", "It is unknown whether the call took effect."),
    ],
    edges: [
      { id: "e1", source: "start", target: "write" },
      { id: "e2", source: "write", target: "said" },
      { id: "e3", source: "write", sourcePort: "error", target: "failed" },
    ],
  });
}

/** Agents that write at another server, once for each question. */
export const notes: PlayerOptions = {
  name: "notes",
  weight: 3,
  async prepare(world) {
    const url = `${world.services.apiUrl}/note`;
    const withTool = {
      agentId: await createAgent(world, writer, toolFlow(url)),
      toQuestion: (id: string) => `Write ${id}`,
    };
    const inStep = { agentId: await createAgent(world, writer, stepFlow(url)), toQuestion: (id: string) => id };
    let said = new Map<string, "done" | "unknown">();
    return {
      async play() {
        const id = randomUUID();
        const { agentId, toQuestion } = world.random.pick([withTool, inStep]);
        const message = { agentId, question: toQuestion(id), chatId: randomUUID() };
        const names = { load: "notes", what: "A message that writes" };
        const result = await sendMessage<{ text: string }>(world, { ...message, ...names });
        if (!result) return;
        said.set(id, result.text.includes("noted") ? "done" : "unknown");
        if (!/noted|unknown whether (?:it|the call) took effect/.test(result.text))
          world.facts.odd.push(`A write: ${result.text}`);
      },
      async collect() {
        for (const [id, what] of said) {
          world.facts.effects.push({ id, count: world.services.notes.get(id) ?? 0, said: what });
        }
        said = new Map();
      },
    };
  },
};
