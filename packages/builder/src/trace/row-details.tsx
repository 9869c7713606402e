import { Text } from "@mantine/core";
import type { ExecutionStep } from "@weft/client";
import { executionStrings } from "../strings/executions.ts";
import { ErrorDetails } from "./error-details.tsx";
import { formatDuration } from "./format-duration.ts";
import { formatExactMoment } from "./format-moment.ts";
import { ModelCallDetails } from "./model-call-details.tsx";
import classes from "./row-details.module.css";
import { rowLabel } from "./row-label.ts";
import type { TimelineNode } from "./timeline-tree.ts";
import { Value } from "./value-section.tsx";

/** What went into a step or an effect, what came out, and what went wrong. */
export function RowDetails({ node }: { node: TimelineNode }) {
  const { label, more } = rowLabel(node);
  return (
    <div className={classes.details}>
      <div>
        <h3 className={classes.title}>{label}</h3>
        <Text size="xs" c="dimmed">
          {node.source.type === "step" ? node.source.step.type : more}
        </Text>
      </div>
      <Facts node={node} />
      <Content node={node} />
    </div>
  );
}

function Facts({ node: { source, status, startMs, endMs } }: { node: TimelineNode }) {
  const timed = source.type === "step" ? source.step : source.type === "effect" ? source.effect : undefined;
  const facts: [string, string][] = [
    [executionStrings.status, executionStrings.stepStates[status]],
    [executionStrings.started, formatExactMoment(new Date(startMs).toISOString())],
    ...(endMs === null ? [] : ([[executionStrings.duration, formatDuration(endMs - startMs)]] as [string, string][])),
    ...usageFact(timed?.usage ?? null),
    ...(source.type === "effect" ? followsFact(source.effect.follows) : []),
    ...((timed?.attempt ?? 1) > 1 ? ([[executionStrings.attempt, String(timed?.attempt)]] as [string, string][]) : []),
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function followsFact(follows: readonly string[] | undefined): [string, string][] {
  return follows === undefined ? [] : [[executionStrings.followed, follows.join(" | ")]];
}

function usageFact(usage: ExecutionStep["usage"] | null): [string, string][] {
  if (usage === null || usage.totalTokens === 0) return [];
  return [[executionStrings.tokensUsed, executionStrings.tokensSplit(usage.inputTokens, usage.outputTokens)]];
}

/** Who answered what the step asked, in the order of its questions. */
function Answerers({ step: { waits } }: { step: ExecutionStep }) {
  const names = waits.flatMap(({ answeredBy }) => (answeredBy === undefined ? [] : [answeredBy]));
  if (names.length === 0) return null;
  return <Text size="sm">{executionStrings.answeredBy(names)}</Text>;
}

function Content({ node: { source } }: { node: TimelineNode }) {
  switch (source.type) {
    case "item":
      return null;
    case "step":
      return (
        <>
          <ErrorDetails error={source.step.error} />
          <Answerers step={source.step} />
          <Value label={executionStrings.input} value={source.step.input} />
          <Value label={executionStrings.output} value={source.step.output} />
        </>
      );
    case "effect": {
      const { category, input, output, error } = source.effect;
      if (category === "model") {
        return (
          <>
            <ErrorDetails error={error} />
            <ModelCallDetails input={input} output={output} />
          </>
        );
      }
      const isTool = category === "tool";
      return (
        <>
          <ErrorDetails error={error} />
          <Value label={isTool ? executionStrings.arguments : executionStrings.input} value={input} />
          <Value label={isTool ? executionStrings.result : executionStrings.output} value={output} />
        </>
      );
    }
  }
}
