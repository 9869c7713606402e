import { basename } from "node:path";
import { createIdSource } from "@weft/database";
import type { GraphNode } from "@weft/engine";
import {
  type Json,
  type JsonObject,
  parseJsonObject,
  type RunEvent,
  type RunEventOf,
  toJsonObject,
  toMoment,
} from "@weft/schema";
import { readConfig, systemClock } from "@weft/server";
import { openWorkbench, type Workbench } from "../open-workbench.ts";
import { readFlowFile } from "../read-flow-file.ts";
import { resultOf, type Turn } from "../turn.ts";
import { createAnswerPrinter } from "./answer-printer.ts";
import { exitCodes, oneFile, readArguments, type Shell, UsageError } from "./arguments.ts";

const options = {
  input: { type: "string" },
  form: { type: "string" },
  var: { type: "string", multiple: true },
  chat: { type: "string" },
  answer: { type: "string", multiple: true },
  stream: { type: "boolean" },
  json: { type: "boolean" },
} as const;

type Values = ReturnType<typeof readArguments<typeof options>>["values"];

/** Runs a flow once, as the server would: the answer goes to standard output, its steps to standard error. */
export async function runFlow(args: string[], shell: Shell): Promise<number> {
  const { values, positionals } = readArguments(args, options);
  const ids = createIdSource(systemClock.now);
  const chatId = values.chat ?? ids.uuid();
  const message = { ...readMessage(values), chatId };
  const { path, text, compiled } = await readFlowFile(oneFile(positionals));
  const answers = createAnswerPrinter((piece) => shell.stdout.write(piece));
  const steps = createStepPrinter(compiled.graph.nodes, (line) => {
    answers.endLine();
    shell.stderr.write(line);
  });
  const observer = {
    committed(runId: string, events: Parameters<typeof steps>[1]) {
      answers.committed(events);
      steps(runId, events);
    },
    delta: answers.delta,
  };
  const workbench = await openWorkbench({
    config: readConfig(shell.env),
    clock: systemClock,
    ids,
    hooks: { observer },
  });
  try {
    const agentId = await workbench.addAgent({ name: basename(path), flowData: text });
    const ending = cancelOnInterrupt(shell, () => workbench.cancel(agentId, chatId));
    const turn = await converse(workbench, agentId, { message, answers: values.answer ?? [] });
    ending();
    return report(
      shell,
      turn,
      values.json ? (body) => shell.stdout.write(`${JSON.stringify(body, null, 2)}\n`) : answers,
    );
  } finally {
    await workbench.close();
  }
}

/** Throws `UsageError` unless there is exactly one input. */
function readMessage({ input, form, var: variables = [], stream, json }: Values): JsonObject {
  if ((input === undefined) === (form === undefined)) throw new UsageError("Give either --input or --form.");
  if (stream && json) throw new UsageError("Choose --stream or --json.");
  return {
    ...(input === undefined ? {} : { question: input }),
    ...(form === undefined ? {} : { form: readForm(form) }),
    ...(variables.length === 0 ? {} : { overrideConfig: { vars: Object.fromEntries(variables.map(readVariable)) } }),
    ...(stream ? { streaming: true } : {}),
  };
}

function readForm(text: string): JsonObject {
  const form = parseJsonObject(text);
  if (form) return form;
  throw new UsageError(`--form takes a JSON object, such as '{"city":"Berlin"}'.`);
}

function readVariable(text: string): [string, string] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  throw new UsageError("--var takes NAME=VALUE.");
}

/** The first Ctrl-C cancels the run, and with it the command; the next one ends the shell. */
function cancelOnInterrupt(shell: Shell, cancelRun: () => Promise<void>): () => void {
  const cancel = () => {
    cancelRun().catch(() => undefined);
  };
  shell.once("SIGINT", cancel);
  return () => shell.off("SIGINT", cancel);
}

/** Sends the message, and further answers while the run waits for one. */
async function converse(
  workbench: Workbench,
  agentId: string,
  { message, answers }: { message: JsonObject; answers: readonly string[] },
): Promise<Turn> {
  const { question: _question, form: _form, ...rest } = message;
  let turn = await workbench.ask(agentId, message);
  for (const answer of answers) {
    if (turn.status !== "waiting") break;
    turn = await workbench.ask(agentId, { ...rest, humanInput: toHumanInput(answer) });
  }
  return turn;
}

/** A text is an approval with a comment. */
function toHumanInput(answer: string): JsonObject {
  if (answer === "approve") return { type: "proceed" };
  return answer === "reject" ? { type: "reject" } : { type: "proceed", feedback: answer };
}

function report(
  { stderr }: Shell,
  turn: Turn,
  printed: ((body: Json) => void) | { finish(text: string): void },
): number {
  if (typeof printed === "function") printed(turn.body);
  else if (turn.text !== "") printed.finish(turn.text);
  switch (turn.status) {
    case "completed":
      return exitCodes.done;
    case "waiting":
      if (!turn.asks) {
        stderr.write("The run waits for longer than this command does. Give the step a shorter wait to test it.\n");
        return exitCodes.waiting;
      }
      stderr.write('The run waits for a person: --answer approve, --answer reject or --answer "…" goes on.\n');
      return exitCodes.waiting;
    case "cancelled":
      stderr.write("The run was cancelled.\n");
      return exitCodes.failed;
    case "failed":
      stderr.write(`The run failed (${turn.error?.code}): ${turn.error?.message}\n`);
      return exitCodes.failed;
  }
}

/** What ends the wait of a step. */
function waitedForIn({ wait: { asks, until, signal } }: RunEventOf<"node-suspended">): string {
  const signals = signal === undefined ? [] : [`the signal ${signal}`];
  const moments = until === undefined ? [] : [toMoment(until)];
  return [...(asks === false ? [] : ["a person"]), ...moments, ...signals].join(" or ");
}

const shownCharacters = 120;

/** Prints each step of a run as a line once it is done. Child runs are one step of it. */
type StepPrinter = (runId: string, events: readonly RunEvent[]) => void;

function createStepPrinter(nodes: ReadonlyMap<string, GraphNode>, write: (line: string) => void): StepPrinter {
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
        return `… ${labelOf(event.nodeId)} waits for ${waitedForIn(event)}`;
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

/** Collects facts about running steps. */
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
  const { usage } = toJsonObject(outcome.ok ? outcome.value : {});
  return Number(toJsonObject(usage).totalTokens ?? 0);
}

function shorten(text: string): string {
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}…`;
}

/** Output of models and tools must not move a terminal's cursor. */
function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
