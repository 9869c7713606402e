import type { CompiledFlow, RunState, TextDelta } from "@weft/engine";
import type { Json, JsonObject, RunEvent, RunEventOf } from "@weft/schema";
import { toExecutedData } from "../runs/executed-data.ts";
import { memoryTypeOf } from "../runs/run-facts.ts";
import { endError } from "./present-json.ts";

/** One frame of a prediction's stream: its event name and data, and the id a client reconnects with. */
export type Frame = { id: string; event: string; data: Json };

export type FrameWriter = {
  events(events: readonly RunEvent[]): Frame[];
  delta(delta: TextDelta): Frame[];
};

type Run = { runId: string; flow: CompiledFlow; state: RunState };

/**
 * Turns what happens in a run into the frames of its stream, in the order that existing clients expect.
 * Source: contract "Stream".
 */
export function createFrameWriter(run: Run): FrameWriter {
  const journal: RunEvent[] = [];
  const streamed = new Set<string>();
  const usedTools: JsonObject[] = [];

  function framesOf(event: RunEvent): [string, Json][] {
    switch (event.type) {
      case "run-started":
        return [
          ["start", ""],
          ["agentFlowEvent", "INPROGRESS"],
        ];
      case "node-started":
        return [["nextAgentFlow", { ...nodeOf(run.flow, event.nodeId), status: "INPROGRESS" }]];
      case "effect-started":
      case "effect-finished":
        return toolFrames(event, usedTools);
      case "node-completed":
        return [["nextAgentFlow", { ...nodeOf(run.flow, event.nodeId), status: "FINISHED" }]];
      case "node-failed":
        if (event.next.type === "retry") return [];
        return [["nextAgentFlow", { ...nodeOf(run.flow, event.nodeId), status: "ERROR", error: event.error.message }]];
      case "run-completed":
        return completedFrames(run, journal, event, streamed);
      case "run-failed":
        return [
          ["agentFlowExecutedData", executedData(run, journal)],
          ["agentFlowEvent", "ERROR"],
          ["error", endError([event]).message],
          ["end", "[DONE]"],
        ];
      case "run-cancelled":
        return [
          ["agentFlowEvent", "TERMINATED"],
          ["abort", "[DONE]"],
          ["end", "[DONE]"],
        ];
      default:
        return [];
    }
  }

  return {
    events(events) {
      return events.flatMap((event) => {
        journal.push(event);
        return framesOf(event).map(([name, data]) => ({ id: `${run.runId}:${event.seq}`, event: name, data }));
      });
    },
    delta({ nodeKey, nodeId, isAnswer, offset, text }) {
      const id = `${run.runId}:${journal.at(-1)?.seq ?? 0}.${offset + text.length}`;
      if (!isAnswer) return [{ id, event: "nodeToken", data: { nodeId, token: text } }];
      streamed.add(nodeKey);
      return [{ id, event: "token", data: text }];
    },
  };
}

function nodeOf(flow: CompiledFlow, nodeId: string): JsonObject {
  return { nodeId, nodeLabel: flow.graph.nodes.get(nodeId)?.label ?? nodeId };
}

/** `calledTools` when a call begins and `usedTools`, all of them so far, when it ends. */
function toolFrames(event: RunEventOf<"effect-started" | "effect-finished">, used: JsonObject[]): [string, Json][] {
  if (event.type === "effect-started") {
    if (event.category !== "tool") return [];
    used.push({ tool: event.name, toolInput: event.input, toolOutput: "", call: callOf(event) });
    return [["calledTools", [{ tool: event.name, toolInput: event.input, toolOutput: "" }]]];
  }
  const called = used.find((entry) => entry.call === callOf(event));
  if (!called) return [];
  const { outcome } = event;
  const value = outcome.ok ? (outcome.value as JsonObject) : { content: outcome.error.message, isError: true };
  called.toolOutput = value.content ?? "";
  if (value.isError === true) called.error = value.content ?? "";
  return [["usedTools", used.filter(({ toolOutput }) => toolOutput !== "").map(({ call: _call, ...tool }) => tool)]];
}

function callOf(event: { nodeKey: string; effectKey: string }): string {
  return `${event.nodeKey}:${event.effectKey}`;
}

function completedFrames(
  run: Run,
  journal: readonly RunEvent[],
  event: RunEventOf<"run-completed">,
  streamed: ReadonlySet<string>,
): [string, Json][] {
  const wasStreamed = event.answerNodeKey !== null && streamed.has(event.answerNodeKey);
  const { inputTokens, outputTokens, totalTokens } = event.usage;
  const usage = { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: totalTokens };
  return [
    ...(wasStreamed || event.text === "" ? [] : ([["token", event.text]] as [string, Json][])),
    ["agentFlowExecutedData", executedData(run, journal)],
    ["usageMetadata", usage],
    ["agentFlowEvent", "FINISHED"],
    ["metadata", metadata(run)],
    ["end", "[DONE]"],
  ];
}

function executedData(run: Run, journal: readonly RunEvent[]): Json {
  return toExecutedData(run.flow, journal) as unknown as Json;
}

function metadata(run: Run): JsonObject {
  const { started, warnings } = run.state;
  if (!started) return {};
  const { chatId, apiMessageId, sessionId, input } = started;
  return {
    chatId,
    chatMessageId: apiMessageId,
    ...(input.question === undefined ? {} : { question: input.question }),
    sessionId,
    memoryType: memoryTypeOf(run.flow, run.state),
    executionId: run.runId,
    ...(warnings.length === 0 ? {} : { warnings: warnings.map((warning) => ({ ...warning })) }),
  };
}
