import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Execution, ExecutionStep, Json } from "@weft/client";
import { type ReactNode, useMemo, useState } from "react";
import { executionQuery, isGoingOn } from "../../../api/executions.ts";
import { CodeBlock } from "../../../ui/content/code-block.tsx";
import { formatCost, formatDuration, formatExactMoment, prettyJson, splitContent } from "../../../ui/content/format.ts";
import { useNow } from "../../../ui/content/time.tsx";
import { ErrorNotice } from "../../../ui/page/notices.tsx";
import { ErrorDetails } from "../execution-facts.tsx";
import { executionStrings } from "../strings.ts";
import { readModelCall, type SentMessage } from "./read-model-call.ts";
import rowDetailsClasses from "./row-details.module.css";
import classes from "./run-timeline.module.css";
import { createTimeScale } from "./time-scale.ts";
import { firstChoice, rowLabel, type TimelineNode, toTimelineRows, toTimelineTree } from "./timeline-tree.ts";
import { Waterfall } from "./waterfall.tsx";

/** The steps of a run on a time axis, live while it runs, with what went into the chosen one and came out. */
export function RunTimeline({ executionId }: { executionId: string }) {
  const { data, error, isPending, refetch } = useQuery(executionQuery(executionId));
  if (isPending) return <Skeleton height={240} radius="md" />;
  if (data === undefined) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  return <Timeline execution={data} />;
}

function Timeline({ execution }: { execution: Execution }) {
  const nowMs = useNow(isGoingOn(execution) || execution.state === "STOPPED");
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<string>();
  const tree = useMemo(() => toTimelineTree(execution), [execution]);
  const rows = useMemo(() => toTimelineRows(tree, toggled), [tree, toggled]);
  const scale = useMemo(() => createTimeScale(tree, nowMs), [tree, nowMs]);
  const selected = rows.find(({ node }) => node.key === (chosen ?? firstChoice(rows)));
  if (rows.length === 0) return <Text c="dimmed">{executionStrings.noSteps}</Text>;

  const toggle = (key: string) => {
    const next = new Set(toggled);
    if (!next.delete(key)) next.add(key);
    setToggled(next);
  };
  return (
    <div className={classes.container}>
      <div className={classes.timeline}>
        <Waterfall
          rows={rows}
          scale={scale}
          nowMs={nowMs}
          selectedKey={selected?.node.key}
          onSelect={setChosen}
          onToggle={toggle}
        />
        <section className={classes.details} aria-label={executionStrings.details}>
          {selected === undefined ? (
            <Text c="dimmed" size="sm">
              {executionStrings.chooseStep}
            </Text>
          ) : (
            <RowDetails node={selected.node} key={selected.node.key} />
          )}
        </section>
      </div>
    </div>
  );
}

/** Input, output and error of a step or an effect. */
function RowDetails({ node }: { node: TimelineNode }) {
  const { label, more } = rowLabel(node);
  return (
    <div className={rowDetailsClasses.details}>
      <div>
        <h3 className={rowDetailsClasses.title}>{label}</h3>
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
    ...costFact(timed?.costDollars ?? null),
    ...(source.type === "effect" ? followsFact(source.effect.follows) : []),
    ...((timed?.attempt ?? 1) > 1 ? ([[executionStrings.attempt, String(timed?.attempt)]] as [string, string][]) : []),
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

function followsFact(follows: readonly string[] | undefined): [string, string][] {
  return follows === undefined ? [] : [[executionStrings.followed, follows.join(" | ")]];
}

function usageFact(usage: ExecutionStep["usage"] | null): [string, string][] {
  if (usage === null || usage.totalTokens === 0) return [];
  return [[executionStrings.tokensUsed, executionStrings.tokensSplit(usage.inputTokens, usage.outputTokens)]];
}

function costFact(dollars: number | null): [string, string][] {
  return dollars === null ? [] : [[executionStrings.columnCost, formatCost(dollars)]];
}

/** Who answered what the step asked, in the order of its questions, or what else ended its wait. */
function Answerers({ step: { waits } }: { step: ExecutionStep }) {
  const names = waits.flatMap(({ answeredBy }) => (answeredBy === undefined ? [] : [answeredBy]));
  const resumedBy = waits.at(-1)?.resumedBy;
  if (resumedBy !== undefined) return <Text size="sm">{executionStrings.resumedBy[resumedBy]}</Text>;
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

/** A model's messages and its response. Values too long to parse are shown raw. */
function ModelCallDetails({ input, output }: { input: Json; output: Json }) {
  const { messages, tools, parameters, text, toolCalls, finishReason } = readModelCall(input, output);
  const isCut = typeof input === "string" || typeof output === "string";
  return (
    <>
      {isCut && <Value label={executionStrings.input} value={input} />}
      {isCut && <Value label={executionStrings.output} value={output} />}
      {messages.length > 0 && (
        <Section label={executionStrings.sentMessages}>
          {messages.map((message, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed.
            <Message key={index} message={message} />
          ))}
        </Section>
      )}
      {text !== "" && <Value label={executionStrings.answer} value={text} />}
      {toolCalls.length > 0 && <Value label={executionStrings.askedCalls} value={toolCalls} />}
      {finishReason !== "" && <Value label={executionStrings.finishReason} value={finishReason} />}
      {tools.length > 0 && <Value label={executionStrings.offeredTools} value={tools.join("\n")} />}
      {Object.keys(parameters).length > 0 && <Value label={executionStrings.parameters} value={parameters} />}
    </>
  );
}

function Message({ message: { role, text, toolCalls } }: { message: SentMessage }) {
  const content = [text, toolCalls.length > 0 ? prettyJson(toolCalls) : ""].filter((part) => part !== "").join("\n\n");
  const label = executionStrings.roles[role] ?? role;
  return (
    <div className={rowDetailsClasses.message}>
      <div className={rowDetailsClasses.role}>{label}</div>
      <CodeBlock text={content || executionStrings.nothing} label={label} />
    </div>
  );
}

/** A value with its name; nothing when there is no value. */
function Value({ label, value }: { label: string; value: Json }) {
  if (value === null) return null;
  const { text, rest } = splitContent(value);
  return (
    <Section label={label}>
      {text !== undefined && <CodeBlock text={text} label={label} />}
      {rest !== undefined && <CodeBlock text={prettyJson(rest)} label={label} />}
    </Section>
  );
}

function Section({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section>
      <h4 className={rowDetailsClasses.label}>{label}</h4>
      {children}
    </section>
  );
}
