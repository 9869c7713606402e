import { Loader, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Json } from "@weft/client";
import { CircleCheck, CircleX, Wrench } from "lucide-react";
import { useState } from "react";
import { executionQuery } from "../api/executions.ts";
import { chatStrings } from "../strings/chat.ts";
import { formatDuration } from "../trace/format-time.ts";
import { toolDurations } from "../trace/tool-durations.ts";
import { CodeBlock } from "./code-block.tsx";
import type { ToolCall } from "./conversation.ts";
import { Disclosure } from "./disclosure.tsx";
import { prettyJson, prettyText } from "./pretty-json.ts";
import classes from "./tool-calls.module.css";

type Props = { calls: readonly ToolCall[]; executionId: string | undefined; isGoingOn: boolean };

/** The tool calls of an answer: name, arguments, result and duration, which comes from the run's journal. */
export function ToolCalls({ calls, executionId = "", isGoingOn }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({ ...executionQuery(executionId), enabled: isOpen && !isGoingOn && executionId !== "" });
  if (calls.length === 0) return null;
  const durations = data === undefined ? [] : toolDurations(data, calls);
  return (
    <ul className={classes.list} aria-label={chatStrings.tools(calls.length)}>
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

/** Calls that a person is asked to allow. */
export function ProposedCalls({ calls }: { calls: readonly Json[] }) {
  return calls.map((call, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed.
    <CodeBlock key={index} text={prettyJson(call)} label={chatStrings.proposedCalls} />
  ));
}

function Labelled({ label, text }: { label: string; text: string }) {
  return (
    <div className={classes.labelled}>
      <Text size="xs" c="dimmed" mb={4}>
        {label}
      </Text>
      <CodeBlock text={text} label={label} />
    </div>
  );
}
