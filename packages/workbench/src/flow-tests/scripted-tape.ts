import { AsyncLocalStorage } from "node:async_hooks";
import { RunFailure } from "@weft/engine";
import type { ChatModel, ModelAnswer } from "@weft/engine/ports/chat-model";
import type { RunEffect } from "@weft/engine/ports/effect-recorder";
import { integrationCredentialTypes } from "@weft/integrations";
import {
  type CredentialType,
  httpCredentialTypes,
  type Json,
  type JsonObject,
  toJsonObject,
  WeftError,
} from "@weft/schema";
import type { Script, ScriptedAnswer } from "./scripted-answer.ts";
import { type ConfigOf, isOwnCode, type Tape } from "./tape.ts";

type ScriptedTapeOptions = {
  configOf: ConfigOf;
  /** The answers for one message of a case. */
  scriptOf(position: { caseName: string; turn: number }): Script;
};

/**
 * Answers every effect with what the test says. Tools are the real ones up to the call, and models up to the request, so
 * arguments, schemas and approvals are checked as in a run. An answer that is missing or left over fails the case.
 */
export function createScriptedTape({ configOf, scriptOf }: ScriptedTapeOptions): Tape {
  const said = new AsyncLocalStorage<ScriptedAnswer>();
  let problems: string[] = [];
  let left = new Map<string, ScriptedAnswer[]>();
  let caseName: string | undefined;

  function endTurn(): void {
    for (const [step, answers] of left) {
      if (answers.length > 0) problems.push(`${step} asked for ${answers.length} fewer answers than the test has.`);
    }
    left = new Map();
  }

  function fail(message: string): never {
    problems.push(message);
    throw new RunFailure({ code: "answer-missing", message, retryable: false }, { isFinal: true });
  }

  function next({ nodeId, category, name }: RunEffect): ScriptedAnswer {
    return left.get(nodeId)?.shift() ?? fail(`The test has no answer for ${nodeId}, which asks ${category} ${name}.`);
  }

  const model: ChatModel = {
    id: "scripted/model",
    async answer() {
      const answer = said.getStore();
      if (answer === undefined) return fail("A model was asked outside of a step.");
      return toModelAnswer(answer) ?? fail(`A model cannot answer ${JSON.stringify(answer)}.`);
    },
  };

  return {
    begin(position) {
      endTurn();
      if (position.caseName !== caseName) problems = [];
      caseName = position.caseName;
      left = new Map(Object.entries(scriptOf(position)).map(([step, answers]) => [step, [...answers]]));
    },
    end() {
      endTurn();
      return problems;
    },
    recorder: {
      async perform(effect, make) {
        if (isOwnCode(effect)) return make();
        const answer = next(effect);
        if (effect.category === "model") return said.run(answer, make);
        return toValue(effect, answer, configOf) ?? fail(`${effect.name} cannot answer ${JSON.stringify(answer)}.`);
      },
    },
    wrapResolvers: ({ tools }) => ({
      tools: {
        resolve: (reference, context) =>
          tools.resolve(reference, { ...context, readCredential: async () => anyCredential }),
      },
      models: { resolve: async () => model },
    }),
  };
}

/** Tools are built with any credential, since none of them is called. */
const anyCredential = Object.fromEntries(
  [...Object.values<CredentialType>(httpCredentialTypes), ...integrationCredentialTypes].flatMap(({ fields }) =>
    fields.map(({ name }) => [name, "scripted"]),
  ),
);

const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

function toModelAnswer(answer: ScriptedAnswer): ModelAnswer | undefined {
  if ("error" in answer) throw new WeftError("flow-node-failed", { params: { reason: answer.error } });
  if ("calls" in answer) {
    const toolCalls = answer.calls.map(({ tool, arguments: args }, index) => ({
      id: `call-${index + 1}`,
      name: tool,
      arguments: JSON.stringify(args),
    }));
    return { text: "", toolCalls, finishReason: "tool-calls", usage };
  }
  const text = "text" in answer ? answer.text : "json" in answer ? JSON.stringify(answer.json) : undefined;
  return text === undefined ? undefined : { text, toolCalls: [], finishReason: "stop", usage };
}

/** What the effect gives its step; undefined where such an answer is none for it. */
function toValue(effect: RunEffect, answer: ScriptedAnswer, configOf: ConfigOf): Json | undefined {
  if ("value" in answer) return answer.value;
  if ("error" in answer) return toFailure(effect, answer.error);
  switch (effect.category) {
    case "tool":
      return "text" in answer ? { content: answer.text } : undefined;
    case "http":
      return toHttpAnswer(effect, answer, configOf);
    case "retrieval":
      return toPassages(answer);
    case "flow":
      return "text" in answer ? { text: answer.text, runId: "run-of-the-other-agent" } : undefined;
    default:
      return undefined;
  }
}

function toFailure({ category, name }: RunEffect, reason: string): Json {
  if (category === "tool") return { content: reason, isError: true };
  throw new WeftError("flow-node-failed", { params: { reason: `${name}: ${reason}` } });
}

function toHttpAnswer({ name, nodeId }: RunEffect, answer: ScriptedAnswer, configOf: ConfigOf): JsonObject | undefined {
  if (!("data" in answer) && !("text" in answer)) return undefined;
  const { status, data } = "data" in answer ? answer : { status: 200, data: answer.text };
  const { failOnErrorStatus = true } = toJsonObject(configOf(nodeId));
  if (status < 400 || !failOnErrorStatus) return { status, statusText: "", headers: {}, data };
  const said = typeof data === "string" ? data : JSON.stringify(data);
  throw new WeftError("flow-node-failed", {
    params: { reason: `${name} answered ${status}. ${said}` },
    upstream: { status },
    retryable: status === 429 || status >= 500,
  });
}

function toPassages(answer: ScriptedAnswer): Json | undefined {
  const passages = "passages" in answer ? answer.passages : "text" in answer ? [answer.text] : undefined;
  return passages?.map((pageContent, index) => ({ id: `passage-${index + 1}`, pageContent, metadata: {} }));
}
