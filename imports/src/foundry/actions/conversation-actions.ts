import { isJsonObject, type Json } from "@weft/schema";
import { type Exit, exitOf } from "../../drawing/index.ts";
import { anyOf, booleanIn, fieldOf, numberIn, textIn } from "../fields.ts";
import { toLiteral } from "../power-fx/index.ts";
import type { ConvertAction, Step } from "../step.ts";
import { addFunction, type Code, codeOf, codeOfText, isExpression } from "../values.ts";
import { stateCode, type Target } from "../variables.ts";
import { conversationsKey, pendingKey, warnOfThread } from "./agent-actions.ts";
import { assignedCode, targetIn } from "./state-actions.ts";

const conversations = `(${stateCode(conversationsKey)} ?? {})`;

type Written = { code: Code; messages: string; target?: Target | undefined };

export const createConversation: ConvertAction = (step, from) => {
  const target = targetIn(step, anyOf(step.action, "conversationId", "variable"), "conversationId");
  step.flow.variables.own(conversationsKey);
  const id = `fx_newConversation(${conversations})`;
  const { nodeId } = addFunction(
    step,
    {
      values: {
        id: { code: target === undefined ? id : assignedCode(target, id), sources: [] },
        conversations: { code: `fx_withMessages(${conversations}, ${id}, [])`, sources: [] },
      },
      updates: (reference) => [
        ...(target === undefined ? [] : [{ key: target.key, value: reference("id") }]),
        { key: conversationsKey, value: reference("conversations") },
      ],
    },
    from,
  );
  return exitOf(nodeId);
};

export const addConversationMessage: ConvertAction = (step, from) => {
  const message = fieldOf(step.action, "message");
  const inner = isJsonObject(message) ? message : {};
  const role = /^(assistant|agent)$/i.test(textIn(step.action, "role") || textIn(inner, "role")) ? "Agent" : "User";
  const content = fieldOf(step.action, "content") ?? anyOf(inner, "content", "text");
  const target = typeof message === "string" && content !== undefined ? targetIn(step, message, "message") : undefined;
  const text = codeOfContent(step, content ?? message);
  return write(step, { code: text, messages: `fx_messages(${text.code}, ${toLiteral(role)})`, target }, from);
};

export const copyConversationMessages: ConvertAction = (step, from) => {
  const source = conversationIn(step, "sourceConversationId");
  const all = fieldOf(step.action, "messages");
  const messages =
    source === undefined ? codeOf(step, all) : { ...source, code: `fx_thread(${conversations}, ${source.code})` };
  return write(step, { code: messages, messages: `fx_messages(${messages.code}, "User")` }, from);
};

/** Parts of a message, each a text with `{expression}` in it; or an expression that gives messages. */
function codeOfContent(step: Step, content: Json | undefined): Code {
  if (!Array.isArray(content)) return isExpression(content) ? codeOf(step, content) : codeOfText(step, content ?? "");
  const parts = content.map((part) =>
    codeOfText(step, isJsonObject(part) ? (anyOf(part, "value", "text") ?? "") : part),
  );
  return {
    code: `[${parts.map(({ code }) => code).join(", ")}].join("\\n")`,
    sources: parts.flatMap(({ sources }) => sources),
  };
}

/** Adds messages to a conversation. Those of the run's own conversation are told to the next agent. */
function write(step: Step, { code, messages, target }: Written, from: readonly Exit[]): Exit[] {
  const fields = ["conversationId", "targetConversationId"];
  const id = conversationIn(step, ...fields);
  const isMain = /^=?\s*System\./i.test(textIn(step.action, ...fields)) || id === undefined;
  const pending = `fx_toldOnce(${stateCode(pendingKey)} ?? "", fx_messageText(${messages}))`;
  const thread = `fx_withMessages(${conversations}, ${id?.code ?? "null"}, ${messages})`;
  const key = isMain ? pendingKey : conversationsKey;
  step.flow.variables.own(key);
  warnOfThread(step);
  const { nodeId } = addFunction(
    step,
    {
      values: {
        messages: { code: isMain ? pending : thread, sources: code.sources },
        ...(target === undefined
          ? {}
          : { message: { code: assignedCode(target, `${messages}[0] ?? null`), sources: [] } }),
      },
      updates: (reference) => [
        { key, value: reference("messages") },
        ...(target === undefined ? [] : [{ key: target.key, value: reference("message") }]),
      ],
    },
    from,
  );
  return exitOf(nodeId);
}

function conversationIn(step: Step, ...fields: readonly string[]): Code | undefined {
  const given = anyOf(step.action, ...fields);
  if (given === undefined || given === "") return undefined;
  return codeOf(step, isExpression(given) ? given : `=${typeof given === "string" ? given : "Blank()"}`);
}

export const retrieveConversationMessages: ConvertAction = (step, from) => {
  const output = fieldOf(step.action, "output");
  const field = isJsonObject(output) ? anyOf(output, "messages", "message") : output;
  const target = targetIn(step, anyOf(step.action, "messages", "message", "variable") ?? field, "messages");
  const id = conversationIn(step, "conversationId");
  const isOne = /message$/i.test(step.kind);
  const limit = numberIn(step.action, "limit", "count");
  const isNewestFirst =
    /^(desc|newest)/i.test(textIn(step.action, "sortOrder")) || booleanIn(step.action, "newestFirst") === true;
  for (const field of ["messageAfter", "messageBefore", "messageId"]) {
    if (fieldOf(step.action, field) === undefined) continue;
    step.warn(
      "foundry-conversation-approximated",
      `Its ${field} is left out, since messages have no ids here. Pick the message in the steps behind it.`,
    );
  }
  warnOfThread(step);
  const list = `fx_thread(${conversations}, ${id?.code ?? "null"})`;
  const sorted = isNewestFirst ? `${list}.toReversed()` : list;
  const all = limit === undefined ? sorted : `${sorted}.slice(0, ${Math.max(0, Math.trunc(limit))})`;
  const code = isOne ? `fx_last(${list})` : all;
  const { nodeId } = addFunction(
    step,
    {
      values: {
        messages: { code: target === undefined ? code : assignedCode(target, code), sources: id?.sources ?? [] },
      },
      updates: (reference) => (target === undefined ? [] : [{ key: target.key, value: reference("messages") }]),
    },
    from,
  );
  return exitOf(nodeId);
};
