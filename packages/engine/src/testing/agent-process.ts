import assert from "node:assert/strict";
import type { EffectKind, RunEvent } from "@weft/schema";
import { withoutMarks } from "../agent/mark-data.ts";
import { runAgent } from "../agent/run-agent.ts";
import type { NodeContext } from "../node-type.ts";
import type { ModelMessage } from "../ports/chat-model.ts";
import type { Tool, ToolContext, ToolResult } from "../ports/tool.ts";
import { createScriptedModel, type ScriptedStep } from "./scripted-model.ts";
import { completed, createTestProcess, testFlow } from "./test-process.ts";

export type Call = (args: Parameters<Tool["call"]>[0], context: ToolContext) => ToolResult | Promise<ToolResult>;

export function tool(name: string, kind: EffectKind, call: Call): Tool {
  const parameters = { type: "object", properties: { n: { type: "number" } }, additionalProperties: false };
  const effect = kind === "read" ? "read" : "write";
  return {
    name,
    description: `Does ${name}.`,
    parameters,
    kind,
    effect,
    call: async (args, context) => call(args, context),
  };
}

/** A run of one agent node with a script for its model. */
export function agentProcess(steps: readonly ScriptedStep[], tools: readonly Tool[], maxRounds = 5) {
  const model = createScriptedModel(steps);
  const messages: ModelMessage[] = [{ role: "user", content: "do it" }];
  const process = createTestProcess({
    flow: testFlow("start>a"),
    behaviours: {
      a: async (context: NodeContext) => {
        const done = await runAgent(context, { model, messages, tools, parameters: { temperature: 0 }, maxRounds });
        if (done.type === "suspend") return done;
        const used = done.usedTools.map(({ toolOutput }) => toolOutput);
        return completed({ used, inputs: done.usedTools.map(({ toolInput }) => toolInput) }, { text: done.answer });
      },
    },
  });
  return { ...process, model };
}

export const calls = (...names: (string | [string, object | string])[]): ScriptedStep => ({
  toolCalls: names.map((name) => {
    const [tool, args] = typeof name === "string" ? [name, {}] : name;
    return { name: tool, arguments: args };
  }),
});

export function answerOf(events: readonly RunEvent[]): string {
  const end = events.at(-1);
  assert.equal(end?.type, "run-completed", JSON.stringify(end));
  return end?.type === "run-completed" ? end.text : "";
}

/** What the model was given as results of its calls, in its last call. */
export function resultsOf({ model }: ReturnType<typeof agentProcess>) {
  const messages = withoutMarks(model.calls.at(-1)?.messages ?? []);
  return messages.flatMap((message) => (message.role === "tool" ? [message] : []));
}
