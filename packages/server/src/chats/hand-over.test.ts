import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it, type TestContext } from "node:test";
import type { Script } from "@weft/providers/testing";
import type { Conversation, ConversationList, PredictionResult } from "@weft/schema";
import { forEachDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { openScriptedPlatform } from "../testing/scripted-model.ts";
import { agentWith, flowOf } from "../testing/test-platform.ts";

/** Asks for a person with each question that says so. */
const asksForPerson: Script = ({ messages }) => {
  const last = messages.at(-1);
  if (last?.role === "tool") return { text: "Someone will answer here." };
  if (!String(last?.content).includes("person")) return { text: "I can help." };
  return {
    toolCalls: [{ name: "hand_over_to_a_person", arguments: { reason: `Wants\na refund. ${"x".repeat(2_000)}` } }],
  };
};

const handOver = { type: "hand-over", config: {} };

async function open(t: TestContext, databases: TestDatabases, tool: object = handOver) {
  const platform = await openScriptedPlatform(t, databases, asksForPerson);
  const agentId = await agentWith(platform, flowOf("agent", "Agent", { tools: [tool] }));
  const chatId = randomUUID();
  const ask = (question: string, of = agentId) =>
    platform.json<PredictionResult>("POST", `/prediction/${of}`, { question, chatId });
  const list = async (query = "") => (await platform.json<ConversationList>("GET", `/conversations${query}`)).data;
  const only = async () => (await list("?state=hand-over"))[0] as Conversation;
  return { platform, agentId, ask, list, only };
}

const typesOf = ({ events }: Conversation) => events.map(({ type, by }) => [type, by]);

await forEachDatabase((databases) => {
  describe("an agent that asks for a person", () => {
    it("goes on answering, and its conversation says why and since when", async (t) => {
      const { ask, list, only } = await open(t, databases);
      assert.equal((await ask("Hello")).text, "I can help.");
      assert.deepEqual(await list("?state=hand-over"), []);
      assert.equal((await list())[0]?.handOver, null);
      assert.equal((await ask("A person, please")).text, "Someone will answer here.");
      const first = await only();
      assert.match(first.handOver?.reason ?? "", /^Wants a refund\. x+$/);
      assert.equal(first.handOver?.reason.length, 1_000);
      assert.deepEqual(typesOf(first), [["hand-over-asked", ""]]);
      await ask("A person!");
      assert.deepEqual((await only()).handOver, first.handOver, "asking again changes nothing");
      assert.deepEqual(typesOf(await only()), [["hand-over-asked", ""]]);
      assert.equal((await ask("Hello?")).text, "I can help.");
    });

    it("has got one once someone takes the conversation over", async (t) => {
      const { platform, ask, list, only } = await open(t, databases);
      await ask("A person, please");
      const { id } = await only();
      const taken = await platform.json<Conversation>("PUT", `/conversations/${id}/take-over`, { name: "Ada" });
      assert.deepEqual([taken.handOver, taken.takenOver?.name], [null, "Ada"]);
      assert.deepEqual(await list("?state=hand-over"), []);
      await platform.json("DELETE", `/conversations/${id}/take-over`);
      await ask("A person, please");
      assert.deepEqual(
        (await only()).events.map(({ type }) => type),
        ["hand-over-asked", "taken-over", "handed-back", "hand-over-asked"],
      );
    });

    it("gets none where someone declines, and may ask again", async (t) => {
      const { platform, ask, list, only } = await open(t, databases);
      await ask("A person, please");
      const { id } = await only();
      const decline = () => platform.json<Conversation>("DELETE", `/conversations/${id}/hand-over`);
      const declined = await decline();
      assert.equal(declined.handOver, null);
      assert.deepEqual(typesOf(declined).at(-1)?.[0], "hand-over-declined");
      assert.notEqual(typesOf(declined).at(-1)?.[1], "");
      assert.deepEqual(typesOf(await decline()), typesOf(declined));
      assert.deepEqual(await list("?state=hand-over"), []);
      await ask("A person, please");
      assert.notEqual((await only()).handOver, null);
    });

    it("asks for none where another agent calls it, which is told so", async (t) => {
      const { platform, agentId, list } = await open(t, databases);
      const flow = JSON.stringify({
        weft: 1,
        nodes: [
          { id: "start", type: "start" },
          { id: "call", type: "execute-flow", config: { agentId } },
        ],
        edges: [{ id: "a", source: "start", target: "call" }],
      });
      const outer = await agentWith(platform, flow);
      const answer = await platform.json<PredictionResult>("POST", `/prediction/${outer}`, { question: "A person" });
      assert.equal(answer.text, "Someone will answer here.");
      assert.deepEqual(await list("?state=hand-over"), []);
      const asked = platform.model.requests.at(-1)?.body.messages.at(-1);
      assert.match(String(asked?.content), /Only the agent that the user writes to/);
    });

    it("leaves nothing behind when it is deleted", async (t) => {
      const { platform, agentId, ask, list } = await open(t, databases);
      await ask("A person, please");
      await platform.json("DELETE", `/chatflows/${agentId}`);
      assert.deepEqual(await list(), []);
    });
  });
});
