import { randomUUID } from "node:crypto";
import { flowOf } from "../../packages/server/src/testing/test-platform.ts";
import { createAgent, type PlayerOptions, sendMessage } from "./player.ts";

/** An agent that writes at another server, once for each question. */
export const notes: PlayerOptions = {
  name: "notes",
  weight: 3,
  async prepare(world) {
    const parameters = { id: { type: "string", in: "body", required: true, description: "Id of the note" } };
    const config = { url: `${world.services.apiUrl}/note`, name: "note", description: "Writes a note", parameters };
    const agentId = await createAgent(
      world,
      "Writes",
      flowOf("agent", "Agent", { tools: [{ type: "request-post", config }] }),
    );
    let said = new Map<string, "done" | "unknown">();
    return {
      async play() {
        const id = randomUUID();
        const message = { agentId, question: `Write ${id}`, chatId: randomUUID() };
        const names = { load: "notes", what: "A message with a tool call" };
        const result = await sendMessage<{ text: string }>(world, { ...message, ...names });
        if (!result) return;
        said.set(id, result.text.includes("noted") ? "done" : "unknown");
        if (!/noted|unknown whether it took effect/.test(result.text))
          world.facts.odd.push(`A tool call: ${result.text}`);
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
