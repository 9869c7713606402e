import { Alert, Badge, Group, Stack, Text, Textarea, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ModelQuestion } from "@weft/client";
import { type JsonObject, modelParameterNames } from "@weft/schema";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { agentKeys } from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import { executionQuery } from "../../api/executions.ts";
import { ConfigForm } from "../../forms/form/config-form.tsx";
import { Plus, Sparkles, X } from "../../icons/icons.gen.ts";
import { playgroundStrings as strings } from "../../strings.ts";
import { formatCost, formatDuration } from "../../ui/content/format.ts";
import { Markdown } from "../../ui/content/markdown.tsx";
import { Action, IconAction } from "../../ui/controls/actions.tsx";
import { Loaded } from "../../ui/page/notices.tsx";
import { Page } from "../../ui/page/page.tsx";
import { useRequest } from "../../ui/page/requests.ts";
import { Hint } from "../../ui/text/hint.tsx";
import classes from "./playground.module.css";
import type { PlaygroundSearch } from "./playground-search.ts";
import { type Message, messagesOf, modelOf, noMessages, withWinner } from "./playground-source.ts";
import { type Answering, type Answers, useAnswers } from "./use-answers.ts";

/** One prompt beside several models: their answers stream next to each other, with time, tokens and cost. */
export function PlaygroundPage() {
  const search = useSearch({ from: "/playground" });
  const { execution, step } = search;
  if (execution === undefined || step === undefined)
    return (
      <Frame>
        <Bench messages={noMessages} model={{}} />
      </Frame>
    );
  return (
    <Frame>
      <OfStep key={`${execution} ${step}`} execution={execution} step={step} />
    </Frame>
  );
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <Page title={strings.title} summary={strings.summary}>
      {children}
    </Page>
  );
}

/** The prompt of a step as a run sent it. */
function OfStep({ execution: id, step: nodeKey }: Required<PlaygroundSearch>) {
  const run = useQuery(executionQuery(id));
  const agentId = run.data?.agentflowId;
  const draft = useQuery({
    queryKey: [...agentKeys.one(agentId ?? ""), "draft-for-playground"],
    queryFn: ({ signal }) => client.getAgentDraft({ id: agentId ?? "" }, { signal }),
    enabled: agentId !== undefined,
    staleTime: 0,
    retry: false,
  });
  return (
    <Loaded query={run} until={240}>
      {(found) => {
        const messages = messagesOf(found, nodeKey);
        const nodeId = found.steps.find((one) => one.nodeKey === nodeKey)?.nodeId;
        if (draft.isLoading) return null;
        return (
          <>
            {messages === undefined && <Alert color="orange">{strings.noPrompt}</Alert>}
            <Bench
              messages={messages ?? noMessages}
              model={draft.data === undefined || nodeId === undefined ? {} : modelOf(draft.data.flowData, nodeId)}
              {...(draft.data !== undefined &&
                nodeId !== undefined && { winner: { agentId: found.agentflowId, nodeId } })}
            />
          </>
        );
      }}
    </Loaded>
  );
}

type BenchProps = {
  messages: readonly Message[];
  /** Of the first column. */
  model: JsonObject;
  /** Where a winner goes. */
  winner?: { agentId: string; nodeId: string };
};

type Column = { id: number; settings: JsonObject };

const mostColumns = 4;

function Bench({ messages: first, model, winner }: BenchProps) {
  const [messages, setMessages] = useState(first);
  const [columns, setColumns] = useState<readonly Column[]>([
    { id: 1, settings: model },
    { id: 2, settings: {} },
  ]);
  const answers = useAnswers();
  const said = messages.filter(({ content }) => content.trim() !== "");
  const isReady = said.some(({ role }) => role !== "system");
  const ask = () =>
    isReady && answers.ask(new Map(columns.map(({ id, settings }) => [id, toQuestion(said, settings)])));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    ask();
  };
  const add = () =>
    setColumns((now) => [
      ...now,
      { id: Math.max(...now.map(({ id }) => id)) + 1, settings: now.at(-1)?.settings ?? {} },
    ]);
  return (
    <Stack gap="lg" onKeyDown={onKeyDown}>
      <Prompt messages={messages} onChange={setMessages} />
      <Group gap="xs">
        {answers.isRunning ? (
          <Action label={strings.stop} onClick={answers.stop} />
        ) : (
          <Action icon={Sparkles} label={strings.ask} variant="filled" disabled={!isReady} onClick={ask} />
        )}
        {columns.length < mostColumns && <Action icon={Plus} label={strings.add} onClick={add} />}
        <Hint ml="auto">{strings.keys}</Hint>
      </Group>
      <div className={classes.columns}>
        {columns.map((column, index) => (
          <ColumnCard
            key={column.id}
            title={strings.column({ number: index + 1 })}
            column={column}
            answering={answers.of(column.id)}
            marks={marksOf(columns, answers, column.id)}
            onChange={(settings) =>
              setColumns((now) => now.map((one) => (one.id === column.id ? { ...one, settings } : one)))
            }
            onRemove={
              columns.length > 1 ? () => setColumns((now) => now.filter(({ id }) => id !== column.id)) : undefined
            }
            winner={winner && <Winner {...winner} settings={column.settings} messages={messages} first={first} />}
          />
        ))}
      </div>
    </Stack>
  );
}

function toQuestion(messages: readonly Message[], settings: JsonObject): ModelQuestion {
  const names: readonly string[] = modelParameterNames;
  const parts = Object.groupBy(Object.entries(settings), ([name]) => (names.includes(name) ? "parameters" : "model"));
  return {
    messages: [...messages],
    model: Object.fromEntries(parts.model ?? []),
    parameters: Object.fromEntries(parts.parameters ?? []),
  };
}

/** What is best about an answer, once all have ended. */
function marksOf(columns: readonly Column[], answers: Answers, column: number): string[] {
  const ended = columns.flatMap(({ id }) => {
    const { answer } = answers.of(id);
    return answer === undefined ? [] : [{ id, durationMs: answer.durationMs, cost: answer.costDollars }];
  });
  if (answers.isRunning || ended.length < 2) return [];
  const fastest = Math.min(...ended.map(({ durationMs }) => durationMs));
  const costs = ended.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  const own = ended.find(({ id }) => id === column);
  const isCheapest = costs.length === ended.length && own?.cost === Math.min(...costs) && new Set(costs).size > 1;
  return [...(own?.durationMs === fastest ? [strings.fastest] : []), ...(isCheapest ? [strings.cheapest] : [])];
}

function Prompt({
  messages,
  onChange,
}: {
  messages: readonly Message[];
  onChange(messages: readonly Message[]): void;
}) {
  return (
    <Stack gap="sm" className={classes.prompt}>
      {messages.map(({ role, content }, index) => (
        <Textarea
          // biome-ignore lint/suspicious/noArrayIndexKey: messages are neither added nor moved
          key={index}
          label={strings.roles[role]}
          autosize
          minRows={role === "system" ? 3 : 2}
          maxRows={12}
          maxLength={200_000}
          value={content}
          onChange={(event) => onChange(messages.with(index, { role, content: event.currentTarget.value }))}
        />
      ))}
    </Stack>
  );
}

/** The settings of a model, as a step has them. */
const modelForm: object = {
  type: "object",
  properties: {
    model: {
      type: "object",
      title: strings.model,
      widget: "model-settings",
      properties: {
        provider: { type: "string", title: "Provider", widget: "model-provider" },
        model: { type: "string", title: "Model", widget: "model" },
        credential: { type: "string", title: "Credential", widget: "credential" },
        temperature: { type: "number", title: "Temperature", minimum: 0, maximum: 2 },
        maxTokens: { type: "integer", title: "Longest answer (tokens)", minimum: 1 },
      },
    },
  },
};

type CardProps = {
  title: string;
  column: Column;
  answering: Answering;
  marks: readonly string[];
  onChange(settings: JsonObject): void;
  onRemove: (() => void) | undefined;
  winner: ReactNode;
};

function ColumnCard({ title, column, answering, marks, onChange, onRemove, winner }: CardProps) {
  const { text, isRunning, answer, problem } = answering;
  return (
    <section className={classes.column} aria-label={title}>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {title}
        </Title>
        {onRemove && <IconAction icon={X} label={strings.remove({ column: title })} onClick={onRemove} iconSize={16} />}
      </Group>
      <ConfigForm
        schema={modelForm}
        value={{ model: column.settings }}
        onChange={({ model }) =>
          onChange(typeof model === "object" && model !== null && !Array.isArray(model) ? model : {})
        }
      />
      <div className={classes.answer} aria-busy={isRunning}>
        {text === "" && problem === undefined && <Hint>{isRunning ? strings.waiting : strings.nothing}</Hint>}
        {text !== "" && <Markdown text={text} isGrowing={isRunning} />}
        {problem !== undefined && (
          <Alert color="red" variant="light" p="sm" role="alert">
            {problem}
          </Alert>
        )}
      </div>
      {answer !== undefined && (
        <Group gap="xs" justify="space-between">
          <Group gap={6}>
            <Text size="xs" c="dimmed">
              {[
                formatDuration(answer.durationMs),
                strings.tokens({ count: answer.usage.totalTokens }),
                ...(answer.costDollars === null ? [] : [formatCost(answer.costDollars)]),
              ].join(" · ")}
            </Text>
            {marks.map((mark) => (
              <Badge key={mark} size="xs" variant="light" color="green" tt="none">
                {mark}
              </Badge>
            ))}
          </Group>
          {winner}
        </Group>
      )}
    </section>
  );
}

type WinnerProps = {
  agentId: string;
  nodeId: string;
  settings: JsonObject;
  messages: readonly Message[];
  first: readonly Message[];
};

/** Takes the model of a column, and the instructions, into the agent's draft, and opens it at the step. */
function Winner({ agentId, nodeId, settings, messages, first }: WinnerProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const textOf = (list: readonly Message[]) => list.find(({ role }) => role === "system")?.content ?? "";
  const use = useRequest(
    async () => {
      const { flowData } = await client.getAgentDraft({ id: agentId });
      const changed = withWinner(flowData, nodeId, {
        model: settings,
        instructions: textOf(messages),
        was: textOf(first),
      });
      if (changed === undefined) throw new Error(strings.noStep);
      await client.saveAgentDraft({ id: agentId }, { flowData: changed });
    },
    {
      isLoud: true,
      done: strings.used,
      async next() {
        await queries.invalidateQueries({ queryKey: agentKeys.all });
        await navigate({ to: "/agents/$agentId", params: { agentId }, search: { step: nodeId } });
      },
    },
  );
  return <Action size="xs" label={strings.use} runs={use} />;
}
