import type { WeftApiError } from "@weft/client";
import type { Finding } from "@weft/schema";
import type { DescribedTexts } from "../languages/index.ts";
import { describedAnswers, type Say } from "./map-answers.ts";

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

/** Puts the values of an English sentence into its translation; undefined for a sentence of no template. */
type SayMessage = (message: string) => string | undefined;

/** A value of these names is a sentence of ours itself, or holds what another system said. */
const sentences = /^(message|reason|problem|remedy|refusal)\d?$/;

/** A value of these names is a text that the server describes what it offers with. */
const words = /^(title|path|parameterWords)\d?$/;

const deepest = 3;
/** What is longer holds another system's words for the most part, and would take long to match. */
const longest = 4_000;

type Template = { pattern: RegExp; names: readonly string[]; literals: number; translation: string };

/**
 * Translates sentences by the templates that they were made from: `Its tool {name} takes no argument {name2}.` The one
 * with the most words of its own wins. Values stay as they are, unless their name says that they are ours.
 */
function createMatcher(translations: Readonly<Record<string, string>>, say: (text: string) => string): SayMessage {
  let templates: readonly Template[] | undefined;
  const translate = (message: string, depth: number): string | undefined => {
    const known = Object.hasOwn(translations, message) ? translations[message] : undefined;
    if (known !== undefined && !known.includes("{")) return known;
    if (message.length > longest) return undefined;
    templates ??= toTemplates(translations);
    for (const template of templates) {
      const found = template.pattern.exec(message);
      if (found) return fill(template, found, (text) => (depth < deepest ? translate(text, depth + 1) : undefined));
    }
    return undefined;
  };
  const fill = ({ names, translation }: Template, found: RegExpExecArray, inner: SayMessage): string => {
    const values = new Map(names.map((name, index) => [name, sayValue(name, found[index + 1] ?? "", inner)]));
    return translation.replaceAll(placeholder, (whole, name: string) => values.get(name) ?? whole);
  };
  const sayValue = (name: string, value: string, inner: SayMessage) => {
    if (words.test(name)) return say(value);
    return (sentences.test(name) ? inner(value) : undefined) ?? value;
  };
  return (message) => translate(message, 0);
}

const placeholder = /\{([a-z]\w*)\}/gi;

function toTemplates(translations: Readonly<Record<string, string>>): Template[] {
  return Object.entries(translations)
    .filter(([english]) => english.search(placeholder) !== -1)
    .map(([english, translation]) => ({ ...toPattern(english), translation }))
    .toSorted((a, b) => b.literals - a.literals);
}

const special = /[$()*+.?[\\\]^{|}]/g;

function toPattern(english: string): Omit<Template, "translation"> {
  const parts = english.split(placeholder);
  const literals = parts.filter((_, index) => index % 2 === 0);
  const names = parts.filter((_, index) => index % 2 === 1);
  const pattern = literals.map((literal) => literal.replaceAll(special, "\\$&")).join("(.*?)");
  return { pattern: new RegExp(`^${pattern}$`, "s"), names, literals: literals.join("").length };
}
