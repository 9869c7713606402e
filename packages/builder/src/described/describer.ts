import type { WeftApiError } from "@weft/client";
import type { Finding } from "@weft/schema";
import type { DescribedTexts } from "../languages/index.ts";
import { describedAnswers, type Say } from "./map-answers.ts";
import { createMatcher, type SayMessage } from "./match-messages.ts";

const findingOperations = ["listAgentFindings", "listAgentDraftFindings", "readFlow", "importFlow"] as const;

const runOperations = ["listExecutions", "getExecution"] as const;

/** The operations whose answers have texts to translate. */
export type Described =
  | keyof typeof describedAnswers
  | (typeof findingOperations)[number]
  | (typeof runOperations)[number];

/** Says in the reader's language what the server wrote in English; what has no translation stays as it is. */
export type Describer = {
  /** A copy of the answer of an operation. */
  sayAnswer(operation: Described, answer: unknown): unknown;
  /** Changes the error itself: callers know it by its class. */
  sayError(error: Pick<WeftApiError, "message" | "errors">): void;
};

/** A finding in the reader's language. */
export type DescribedFinding = Finding & {
  /** The sentence as the server wrote it, by which a flow recognises what an import left out. */
  readonly written?: string;
  /** The sentence without the name of its node. */
  readonly own?: string;
};

/** `texts` have as keys the English text, or `text @component` where it means something else there. */
export function createDescriber({ texts, messages }: DescribedTexts): Describer {
  const find = (key: string) => (Object.hasOwn(texts, key) ? texts[key] : undefined);
  const say: Say = (text, context) => find(`${text} @${context}`) ?? find(text) ?? text;
  const sayMessage = createMatcher(messages, (text) => find(text) ?? text);
  return {
    sayAnswer(operation, answer) {
      if (isOneOf(runOperations, operation)) return sayFailures(answer as Failing, sayMessage);
      if (!isOneOf(findingOperations, operation)) return (describedAnswers[operation] as AnswerMap)(answer, say);
      const sayAll = (findings: readonly Finding[]) => findings.map((finding) => sayFinding(finding, say, sayMessage));
      if (Array.isArray(answer)) return sayAll(answer);
      const { findings } = answer as { findings: Finding[] };
      return { ...(answer as object), findings: sayAll(findings) };
    },
    sayError(error) {
      error.message = sayMessage(error.message) ?? error.message;
      for (const item of error.errors) item.message = sayMessage(item.message) ?? item.message;
    },
  };
}

type AnswerMap = (answer: unknown, say: Say) => unknown;

function isOneOf<Name extends string>(names: readonly Name[], operation: string): operation is Name {
  return (names as readonly string[]).includes(operation);
}

/** A list of runs, a run, a step or a call of it. */
type Failing = {
  error?: { message: string } | null;
  data?: readonly Failing[];
  steps?: readonly Failing[];
  effects?: readonly Failing[];
};

function sayFailures(failing: Failing, sayMessage: SayMessage): Failing {
  const { error, data, steps, effects } = failing;
  const sayAll = (inner: readonly Failing[]) => inner.map((one) => sayFailures(one, sayMessage));
  return {
    ...failing,
    ...(error && { error: { ...error, message: sayMessage(error.message) ?? error.message } }),
    ...(data && { data: sayAll(data) }),
    ...(steps && { steps: sayAll(steps) }),
    ...(effects && { effects: sayAll(effects) }),
  };
}

function sayFinding(finding: Finding, say: Say, sayMessage: SayMessage): DescribedFinding {
  const { message, fix } = finding;
  const own = ofNode.exec(message)?.[1];
  return {
    ...finding,
    message: sayMessage(message) ?? message,
    written: message,
    ...(own !== undefined && { own: sayMessage(own) ?? own }),
    ...(fix && { fix: { ...fix, title: say(fix.title, "") } }),
  };
}

/** Findings of nodes begin with its name. One that has quotes itself is not told apart: its sentence is shown whole. */
const ofNode = /^Node "[^"]*": (.+)$/s;
