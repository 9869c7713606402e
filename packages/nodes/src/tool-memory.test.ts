import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelMessage } from "@weft/engine/ports/chat-model";
import type { RememberedMessage } from "@weft/engine/ports/memory";
import { createScriptedModel } from "@weft/engine/testing";
import type { UsedTool } from "@weft/schema";
import { chain, modelServices, runFlow, toolServices } from "./testing/run-flow.ts";
import { createToolMemory } from "./tool-memory.ts";

const used = (toolOutput: string, more: Partial<UsedTool> = {}): UsedTool => ({
  tool: "find",
  toolInput: { at: "x" },
  toolOutput,
  ...more,
});

function turn(question: string, tools: readonly UsedTool[] = []): RememberedMessage[] {
  const answer: RememberedMessage = { role: "apiMessage", content: `${question}!` };
  const readTools = async () => tools;
  return [{ role: "userMessage", content: question }, tools.length > 0 ? { ...answer, readTools } : answer];
}

/** What turns are shown as, newest first, and how long all results are together. */
async function show(characters: number, turns: readonly (readonly UsedTool[])[]) {
  const recall = createToolMemory(characters);
  const shown: ModelMessage[][] = [];
  for (const tools of turns) {
    shown.push(await recall({ role: "apiMessage", content: "", readTools: async () => tools }));
  }
  const results = shown.map((messages) =>
    messages.flatMap((message) => (message.role === "tool" ? [message.content] : [])),
  );
  return { results, shown };
}

const look = {
  name: "find",
  description: "Finds.",
  parameters: { type: "object" },
  kind: "read" as const,
  effect: "read" as const,
};
const kit = toolServices({ kit: [{ ...look, call: async () => ({ content: "seen" }) }] });

async function toldOf(type: "agent" | "llm", config: object) {
  const model = createScriptedModel([{ text: "Done." }]);
  const stored = [...turn("Who is Ada?", [used("id 77"), used("nobody", { error: "nobody" })]), ...turn("Thanks")];
  const services = { ...modelServices(model), ...kit };
  const run = await runFlow(chain({ id: "model", type, config }), { stored, services });
  assert.equal(run.outcome, "completed", JSON.stringify(run.error));
  return (model.calls[0]?.messages ?? []).filter(({ role }) => role !== "system");
}

describe("memory of tools", () => {
  it("tells an agent what was called in earlier turns and what came of it, each before its answer", async () => {
    const told = await toldOf("agent", { tools: [{ type: "kit" }] });
    assert.deepEqual(
      told.map(({ role }) => role),
      ["user", "assistant", "tool", "tool", "assistant", "user", "assistant", "user"],
    );
    const [, asked, found, failed] = told;
    assert.deepEqual(asked, {
      role: "assistant",
      content: "",
      toolCalls: [
        { id: "past00001", name: "find", arguments: '{"at":"x"}' },
        { id: "past00002", name: "find", arguments: '{"at":"x"}' },
      ],
    });
    assert.match(String(found?.content), /id 77/);
    assert.deepEqual(
      [found?.role === "tool" && found.toolCallId, failed?.role === "tool" && failed.isError],
      ["past00001", true],
    );
  });

  it("is left out where the agent says so, and where no tools could have been called", async () => {
    const roles = ["user", "assistant", "user", "assistant", "user"];
    for (const told of [
      await toldOf("agent", { tools: [{ type: "kit" }], rememberTools: false }),
      await toldOf("agent", {}),
      await toldOf("llm", {}),
    ]) {
      assert.deepEqual(
        told.map(({ role }) => role),
        roles,
      );
    }
  });

  it("keeps the newest whole, shortens older ones, and leaves out what does not fit even then", async () => {
    const long = "y".repeat(6_000);
    const { results } = await show(8_000, [
      [used(long)],
      [used(long)],
      [used("z".repeat(600)), used(long)],
      [used("old")],
    ]);
    assert.equal(results[0]?.[0], long);
    assert.match(results[1]?.[0] ?? "", /^y{300,500} … \(shortened\)$/);
    assert.ok(results.flat().join("").length <= 8_000);
    assert.deepEqual((await show(1_500, [[used("a".repeat(1_490))], [used("b".repeat(9))]])).results, [
      ["a".repeat(1_490)],
      [],
    ]);
  });

  it("cuts even the newest where it is longer than everything, inputs included", async () => {
    const input = { toolInput: { text: "i".repeat(50_000) } };
    const { results, shown } = await show(2_000, [[used("r".repeat(50_000), input), used("s".repeat(50_000), input)]]);
    assert.equal(results[0]?.length, 2);
    assert.ok(JSON.stringify(shown).length < 3_000, String(JSON.stringify(shown).length));
  });

  it("names tools as vendors take them, and reads no more than fifty turns", async () => {
    const { shown } = await show(100, [[used("x", { tool: "Ask the librarian (new)" })]]);
    const [asked] = shown[0] ?? [];
    assert.equal(asked?.role === "assistant" && asked.toolCalls?.[0]?.name, "Ask_the_librarian__new_");
    const many = Array.from({ length: 60 }, (_, index) => [used(String(index))]);
    assert.equal((await show(100_000, many)).results.filter((one) => one.length > 0).length, 50);
  });
});
