import type { GraphNode } from "@weft/engine";
import type { Json, RunEvent } from "@weft/schema";
import { resultOf } from "../../workbench/turn.ts";

const shownCharacters = 120;

/** Tells each step of a run as a line when it is done. Runs that this one asked for are one step of it. */
export type StepPrinter = (runId: string, events: readonly RunEvent[]) => void;

export function createStepPrinter(
  nodes: ReadonlyMap<string, Pick<GraphNode, "label">>,
  write: (line: string) => void,
): StepPrinter {
  const childRuns = new Set<string>();
  const steps = createStepFacts();
  const labelOf = (nodeId: string) => nodes.get(nodeId)?.label ?? nodeId;

  function lineOf(event: RunEvent): string | undefined {
    switch (event.type) {
      case "node-completed":
        return `✓ ${labelOf(event.nodeId)}${steps.summary(event)}`;
      case "node-failed": {
        const again = event.next.type === "retry" ? " It is tried again." : "";
        return `✗ ${labelOf(event.nodeId)}${steps.summary(event)}: ${event.error.message}${again}`;
      }
      case "node-suspended":
        return `… ${labelOf(event.nodeId)} waits for a person`;
      case "run-warned":
        return `! ${event.message}`;
      case "effect-finished":
        return steps.toolCall(event);
      default:
        return undefined;
    }
  }

  return (runId, events) => {
    for (const event of events) {
      if (event.type === "run-started" && event.depth > 0) childRuns.add(runId);
      if (childRuns.has(runId)) return;
      steps.add(event);
      const line = lineOf(event);
      if (line !== undefined) write(`${onOneLine(line)}\n`);
    }
  };
}

type Finished = Extract<RunEvent, { type: "effect-finished" }>;

/** What is known of steps that are under way. */
function createStepFacts() {
  const startedAt = new Map<string, number>();
  const tokens = new Map<string, number>();
  const effects = new Map<string, Extract<RunEvent, { type: "effect-started" }>>();
  const effectOf = ({ nodeKey, effectKey }: Pick<Finished, "nodeKey" | "effectKey">) => `${nodeKey}:${effectKey}`;

  return {
    add(event: RunEvent): void {
      if (event.type === "node-started") startedAt.set(event.nodeKey, event.at);
      if (event.type === "effect-started") effects.set(effectOf(event), event);
      if (event.type !== "effect-finished" || effects.get(effectOf(event))?.category !== "model") return;
      tokens.set(event.nodeKey, (tokens.get(event.nodeKey) ?? 0) + tokensOf(event));
    },
    summary({ nodeKey, at }: { nodeKey: string; at: number }): string {
      const seconds = ((at - (startedAt.get(nodeKey) ?? at)) / 1_000).toFixed(1);
      const used = tokens.get(nodeKey) ?? 0;
      return ` ${seconds} s${used === 0 ? "" : ` ${used} tokens`}`;
    },
    toolCall(event: Finished): string | undefined {
      const effect = effects.get(effectOf(event));
      if (effect?.category !== "tool") return undefined;
      const { result, isError } = resultOf(event.outcome);
      const call = `${effect.name} ${shorten(JSON.stringify(effect.input))}`;
      return `  ${isError ? "✗ " : ""}${call} → ${shorten(result)}`;
    },
  };
}

function tokensOf({ outcome }: Finished): number {
  const { usage } = (outcome.ok ? outcome.value : {}) as { usage?: { totalTokens?: Json } };
  return Number(usage?.totalTokens ?? 0);
}

function shorten(text: string): string {
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}…`;
}

/** What models and tools say must not move the cursor of a terminal. */
function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
