import { Loader, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Document, ExecutionStep, Json } from "@weft/client";
import type { ToolCall } from "@weft/conversation";
import { citationNumber } from "@weft/schema/citation";
import { useState } from "react";
import { executionQuery } from "../../api/executions.ts";
import { CircleCheck, CircleX, FileText, Wrench } from "../../icons/icons.gen.ts";
import { formatList } from "../../languages/index.ts";
import { chatStrings } from "../../strings.ts";
import { CodeBlock, Disclosure } from "../../ui/content/code-block.tsx";
import { formatDuration, prettyJson, prettyText } from "../../ui/content/format.ts";
import { Hint } from "../../ui/text/hint.tsx";
import classes from "./answer-evidence.module.css";
import { PassageHead, sourceName } from "./citation.tsx";

type Props = { calls: readonly ToolCall[]; executionId: string | undefined; isGoingOn: boolean };

/** The tool calls of an answer: name, arguments, result and duration, which comes from the run's journal. */
export function ToolCalls({ calls, executionId = "", isGoingOn }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({ ...executionQuery(executionId), enabled: isOpen && !isGoingOn && executionId !== "" });
  if (calls.length === 0) return null;
  const durations = data === undefined ? [] : toolDurations(data.steps, calls);
  return (
    <ul className={classes.list} aria-label={chatStrings.tools({ count: calls.length })}>
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls are added at the end and never change places.
        <li key={index}>
          <Disclosure
            onOpen={() => setOpen(true)}
            summary={<CallSummary call={call} durationMs={durations[index] ?? null} isGoingOn={isGoingOn} />}
          >
            <CallDetails call={call} />
          </Disclosure>
        </li>
      ))}
    </ul>
  );
}

type SummaryProps = { call: ToolCall; durationMs: number | null; isGoingOn: boolean };

function CallSummary({ call, durationMs, isGoingOn }: SummaryProps) {
  return (
    <>
      <CallIcon status={call.status} isGoingOn={isGoingOn} />
      <span className={classes.name}>{call.tool}</span>
      <span className={classes.gist}>{prettyJson(call.input, 0)}</span>
      {durationMs !== null && <span className={classes.duration}>{formatDuration(durationMs)}</span>}
    </>
  );
}

function CallIcon({ status, isGoingOn }: Pick<ToolCall, "status"> & { isGoingOn: boolean }) {
  if (status === "failed") return <CircleX size={16} className={classes.failed} aria-label={chatStrings.toolFailed} />;
  if (status === "finished") {
    return <CircleCheck size={16} className={classes.finished} aria-label={chatStrings.toolFinished} />;
  }
  if (!isGoingOn) return <Wrench size={16} aria-hidden />;
  return <Loader size={14} aria-label={chatStrings.toolRunning} role="img" />;
}

function CallDetails({ call }: { call: ToolCall }) {
  return (
    <>
      <Labelled label={chatStrings.toolArguments} text={prettyJson(call.input)} />
      {call.status !== "running" && (
        <Labelled
          label={call.status === "failed" ? chatStrings.toolError : chatStrings.toolResult}
          text={prettyText(call.output)}
        />
      )}
    </>
  );
}

export function ProposedCalls({ calls }: { calls: readonly Json[] }) {
  return calls.map((call, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed.
    <CodeBlock key={index} text={prettyJson(call)} label={chatStrings.proposedCalls} />
  ));
}

function Labelled({ label, text }: { label: string; text: string }) {
  return (
    <div className={classes.labelled}>
      <Hint size="xs" mb={4}>
        {label}
      </Hint>
      <CodeBlock text={text} label={label} />
    </div>
  );
}

export function SourceDocuments({ documents }: { documents: readonly Document[] }) {
  if (documents.length === 0) return null;
  return (
    <div className={classes.sources}>
      <Disclosure
        summary={
          <>
            <FileText size={16} aria-hidden />
            {chatStrings.sources({ count: documents.length })}
            <span className={classes.names}>{sourceNames(documents)}</span>
          </>
        }
      >
        <ol className={classes.sourceDocumentsList}>
          {documents.map((document, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed.
            <li key={index} value={citationNumber(document)} data-uncitable={isUncitable(document, documents)}>
              <PassageHead document={document} />
              <Text size="sm" className={classes.passage}>
                {document.pageContent}
              </Text>
              {Object.keys(document.metadata).length > 0 && (
                <Disclosure summary={chatStrings.sourceMetadata}>
                  <CodeBlock text={prettyJson(document.metadata)} />
                </Disclosure>
              )}
            </li>
          ))}
        </ol>
      </Disclosure>
    </div>
  );
}

/** Whether it has no number although other passages do: then it shows none. */
function isUncitable(document: Document, documents: readonly Document[]): boolean {
  return citationNumber(document) === undefined && documents.some((one) => citationNumber(one) !== undefined);
}

/** Each file or page once. */
function sourceNames(documents: readonly Document[]): string {
  return formatList([...new Set(documents.map(sourceName))].filter(Boolean));
}

type Call = { tool: string; input: Json };

/**
 * The duration of each call in milliseconds, from the run's journal; null if unknown. A run with human input has more
 * calls than any one of its messages, which contains the last of them.
 */
export function toolDurations(steps: readonly ExecutionStep[], calls: readonly Call[]): (number | null)[] {
  const effects = steps
    .flatMap((step) => step.effects)
    .filter(({ category }) => category === "tool")
    .sort((a, b) => a.startedAt.localeCompare(b.startedAt));
  const made = Map.groupBy(effects, ({ name, input }) => keyOf(name, input));
  const counts = Map.groupBy(calls, ({ tool, input }) => keyOf(tool, input));
  for (const [key, own] of made) made.set(key, own.slice(-(counts.get(key)?.length || own.length)));
  return calls.map(({ tool, input }) => made.get(keyOf(tool, input))?.shift()?.durationMs ?? null);
}

function keyOf(name: string, input: Json): string {
  return JSON.stringify([name, input]);
}
