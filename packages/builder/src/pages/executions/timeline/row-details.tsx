import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ExecutionStep, Json } from "@weft/client";
import { useState } from "react";
import { nodeTypesQuery } from "../../../api/agents.ts";
import { wholeStepQuery } from "../../../api/executions.ts";
import { SquarePen } from "../../../icons/icons.gen.ts";
import { formatList } from "../../../languages/index.ts";
import { ReplayButton } from "../../../replay/replay-button.tsx";
import { executionStrings } from "../../../strings.ts";
import { formatCost, formatDuration, formatExactMoment } from "../../../ui/content/format.ts";
import { Action } from "../../../ui/controls/actions.tsx";
import { ActionLink } from "../../../ui/controls/links.tsx";
import { ErrorNotice } from "../../../ui/page/notices.tsx";
import { Hint } from "../../../ui/text/hint.tsx";
import { ErrorDetails } from "../error-details.tsx";
import { ModelCall } from "./model-call.tsx";
import rowDetailsClasses from "./row-details.module.css";
import { rowLabel, type TimelineNode, type TimelineSource, usedBy, workMsOf } from "./timeline-tree.ts";
import { Value } from "./value.tsx";

type Props = {
  executionId: string;
  /** Undefined: it was deleted. */
  agentId: string | undefined;
  node: TimelineNode;
};

/** Input, output and error of a step or an effect, and what can be done with its step. */
export function RowDetails({ executionId, agentId, node }: Props) {
  const [isWhole, setWhole] = useState(false);
  const stepKey = node.source.type === "item" ? "" : node.source.step.nodeKey;
  const { data: types } = useQuery(nodeTypesQuery);
  const { label, more } = rowLabel(node, types);
  const typeTitle = types?.find(({ type }) => node.source.type === "step" && type === node.source.step.type)?.title;
  const whole = useQuery({ ...wholeStepQuery(executionId, stepKey), enabled: isWhole && stepKey !== "" });
  const source = isWhole && whole.data ? sourceIn(whole.data, node.source) : node.source;
  return (
    <div className={rowDetailsClasses.details}>
      <div>
        <h3 className={rowDetailsClasses.title}>{label}</h3>
        <Hint size="xs">{node.source.type === "step" ? (typeTitle ?? node.source.step.type) : more}</Hint>
      </div>
      <Facts node={node} />
      <StepActions executionId={executionId} agentId={agentId} source={node.source} />
      {hasCutValues(source) && (
        <div className={rowDetailsClasses.cut}>
          <Text size="sm">{executionStrings.isCut}</Text>
          <Action
            label={executionStrings.loadWhole}
            size="xs"
            loading={whole.isFetching}
            onClick={() => setWhole(true)}
          />
          <ErrorNotice error={whole.error} onRetry={() => void whole.refetch()} />
        </div>
      )}
      <Content source={source} />
    </div>
  );
}

type StepActionsProps = Pick<Props, "executionId" | "agentId"> & { source: TimelineSource };

/** A step can be replayed; it and its calls lead to the editor, where the agent still exists. */
function StepActions({ executionId, agentId, source }: StepActionsProps) {
  if (source.type === "item") return null;
  const { nodeId, nodeKey, nodeLabel, isRepeated = false } = source.step;
  const isStep = source.type === "step";
  return (
    <>
      {isStep && isRepeated && <Hint>{executionStrings.repeated}</Hint>}
      <Group gap="xs">
        {isStep && <ReplayButton executionId={executionId} from={{ nodeKey }} label={nodeLabel} />}
        {agentId !== undefined && (
          <ActionLink
            to="/agents/$agentId"
            params={{ agentId }}
            search={{ step: nodeId }}
            icon={SquarePen}
            label={executionStrings.openInEditor}
            size="xs"
          />
        )}
      </Group>
    </>
  );
}

/** The same row with uncut values, or unchanged if the step no longer exists. */
function sourceIn(step: ExecutionStep, source: TimelineSource): TimelineSource {
  if (source.type === "step") return { type: "step", step };
  const effect = source.type === "effect" ? step.effects[source.index] : undefined;
  return source.type === "effect" && effect ? { ...source, effect, step } : source;
}

/** How the server ends a value that it has cut. */
const cutNote = /… \(cut: \d+ characters in all\)$/;

function hasCutValues(source: TimelineSource): boolean {
  if (source.type === "item") return false;
  return isCut(source.type === "step" ? source.step : source.effect);
}

/** Whether the server has cut a value of a step or of its calls. */
export function isCutStep(step: Pick<ExecutionStep, "input" | "output" | "effects">): boolean {
  return isCut(step) || step.effects.some(isCut);
}

function isCut(values: { input: Json; output: Json }): boolean {
  return [values.input, values.output].some((value) => typeof value === "string" && cutNote.test(value));
}

type Fact = [name: string, value: string];

function Facts({ node }: { node: TimelineNode }) {
  const { source, status, startMs, endMs, waits } = node;
  const timed = source.type === "step" ? source.step : source.type === "effect" ? source.effect : undefined;
  const used = usedBy(node);
  const facts: Fact[] = [
    [executionStrings.status, executionStrings.stepStates[status]],
    [executionStrings.started, formatExactMoment(new Date(startMs).toISOString())],
    ...(endMs === null ? [] : durationFacts(endMs - startMs, workMsOf(node, endMs), waits.length > 0)),
    ...(timed === undefined ? [] : usageFact(timed.usage)),
    ...(used.costDollars === null ? [] : [[executionStrings.columnCost, formatCost(used.costDollars)] satisfies Fact]),
    ...(source.type === "effect" ? followsFact(source.effect.follows) : []),
    ...((timed?.attempt ?? 1) > 1 ? [[executionStrings.attempt, String(timed?.attempt)] satisfies Fact] : []),
  ];
  return (
    <dl className={rowDetailsClasses.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Where a step has waited, that is told apart from its work. */
function durationFacts(allMs: number, workMs: number, hasWaited: boolean): Fact[] {
  if (!hasWaited) return [[executionStrings.duration, formatDuration(allMs)]];
  return [
    [executionStrings.worked, formatDuration(workMs)],
    [executionStrings.waited, formatDuration(allMs - workMs)],
  ];
}

function followsFact(follows: readonly string[] | undefined): Fact[] {
  return follows === undefined ? [] : [[executionStrings.followed, follows.join(" | ")]];
}

function usageFact(usage: ExecutionStep["usage"] | null): Fact[] {
  if (usage === null || usage.totalTokens === 0) return [];
  return [
    [
      executionStrings.tokensUsed,
      executionStrings.tokensSplit({ input: usage.inputTokens, output: usage.outputTokens }),
    ],
  ];
}

/** Who answered what the step asked, in the order of its questions, or what else ended its wait. */
function Answerers({ step: { waits } }: { step: ExecutionStep }) {
  const names = waits.flatMap(({ answeredBy }) => (answeredBy === undefined ? [] : [answeredBy]));
  const resumedBy = waits.at(-1)?.resumedBy;
  if (resumedBy !== undefined) return <Text size="sm">{executionStrings.resumedBy[resumedBy]}</Text>;
  if (names.length === 0) return null;
  return <Text size="sm">{executionStrings.answeredBy({ names: formatList(names) })}</Text>;
}

function Content({ source }: { source: TimelineSource }) {
  switch (source.type) {
    case "item":
      return null;
    case "step": {
      const { nodeId, error, input, output } = source.step;
      return (
        <>
          <ErrorDetails error={error} />
          <Answerers step={source.step} />
          <Value label={executionStrings.input} value={input} />
          <Value label={executionStrings.output} value={output} path={`${nodeId}.output`} />
        </>
      );
    }
    case "effect": {
      const { category, input, output, error } = source.effect;
      const isTool = category === "tool";
      return (
        <>
          <ErrorDetails error={error} />
          {category === "model" ? (
            <ModelCall input={input} output={output} />
          ) : (
            <>
              <Value label={isTool ? executionStrings.arguments : executionStrings.input} value={input} />
              <Value label={isTool ? executionStrings.result : executionStrings.output} value={output} />
            </>
          )}
        </>
      );
    }
  }
}
