import type { Json, JsonObject } from "@weft/schema";
import { type Exit, exitOf } from "../../drawing/index.ts";
import type { AgentFile } from "../agents.ts";
import { anyOf, booleanIn, fieldOf, objectIn, objectsIn, textIn } from "../fields.ts";
import { type Expression, parseExpression, pathOf, toLiteral } from "../power-fx/index.ts";
import type { ConvertAction, Step } from "../step.ts";
import {
  addFunction,
  type Code,
  codeOf,
  codeOfCondition,
  expressionOf,
  isExpression,
  referenceTo,
  shorten,
  templateOfText,
  testOf,
  type Update,
} from "../values.ts";
import { stateCode, type Target, toPath } from "../variables.ts";
import { type AgentTalk, externalLoopOf, messagesOf, talkOf } from "../workflow-facts.ts";
import { type AgentArguments, type AgentNode, agentNameIn, toAgentNode, toMissingAgent } from "./agent-node.ts";
import { addLoop } from "./control-actions.ts";
import { assignedCode, targetIn } from "./state-actions.ts";
import { ask } from "./talk-actions.ts";

/** State key of what the user said and no agent was told yet. */
export const pendingKey = "System_NextMessage";
/** State key of the conversations beside that of the run. */
export const conversationsKey = "System_Conversations";

export const invokeAgent: ConvertAction = (step, from) => {
  const talk = talkOf(step.action);
  const call = prepareCall(step, talk, from);
  const given = agentNameIn(step.action);
  const name = literalName(given);
  if (name !== undefined) {
    const agent = agentFor(step.flow.agents, given);
    return drawAgent(step, { ...call, agent, name, part: "" }, call.from);
  }
  const files = [...new Set(step.flow.agents.values())];
  if (files.length > 0) return dispatch(step, { call, files, given });
  return drawAgent(step, { ...call, agent: undefined, name: nameOfExpression(given), part: "" }, call.from);
};

/** A name as it stands, also as a constant expression. Undefined: it is computed. */
function literalName(given: string): string | undefined {
  if (!isExpression(given)) return given === "" ? "agent" : given;
  const parsed = parseExpression(given.trim().slice(1));
  const value = parsed.ok && parsed.expression.type === "literal" ? parsed.expression.value : undefined;
  return value === undefined ? undefined : String(value);
}

/** The file of the agent of a name; of any of the files where the name is computed. */
export function agentFor(agents: ReadonlyMap<string, AgentFile>, given: string): AgentFile | undefined {
  const name = literalName(given);
  return name === undefined ? agents.values().next().value : agents.get(name.toLowerCase());
}

/** `=Env.TEACHER` asks for the agent that is called TEACHER there. */
function nameOfExpression(given: string): string {
  const parsed = parseExpression(given.trim().slice(1));
  const path = parsed.ok ? pathOf(parsed.expression) : undefined;
  return path?.[0]?.toLowerCase() === "env" && path[1] !== undefined ? path[1] : shorten(given.trim().slice(1));
}

/** What an agent is called with. */
type Call = {
  talk: AgentTalk;
  /** Template of what it is told. */
  prompt: string;
  given: AgentArguments;
  /** State keys that are emptied once it has been told. */
  told: readonly string[];
  thread: Code | undefined;
  from: readonly Exit[];
};

function prepareCall(step: Step, talk: AgentTalk, from: readonly Exit[]): Call {
  const computed: Record<string, Code> = {};
  const given = readArguments(step, computed);
  const thread = talk.place === "thread" ? codeOf(step, textIn(step.action, "conversationId")) : undefined;
  const simple = thread === undefined ? simplePrompt(step, talk) : undefined;
  const promptKey = promptKeyOf(step, talk);
  if (simple === undefined || promptKey !== undefined) computed.prompt = promptCode(step, talk, thread);
  const told = [...toldKeys(step, talk), ...(promptKey === undefined ? [] : [promptKey])];
  const call = { talk, told, thread };
  if (Object.keys(computed).length === 0) return { ...call, prompt: simple ?? "", given: toTemplates(given), from };
  if (thread !== undefined) step.flow.variables.own(conversationsKey);
  const { nodeId, reference } = addFunction(
    step,
    {
      part: "input",
      values: { ...computed, ...(thread === undefined ? {} : { conversations: spokenTo(step, thread) }) },
      updates: (read) => [
        ...(promptKey === undefined ? [] : [{ key: promptKey, value: read("prompt") }]),
        ...(thread === undefined ? [] : [{ key: conversationsKey, value: read("conversations") }]),
      ],
    },
    from,
  );
  const said = computed.prompt === undefined ? (simple ?? "") : reference("prompt");
  const prompt = promptKey === undefined ? said : (toPath("$flow.state", [promptKey]) ?? said);
  return { ...call, prompt, given: toTemplates(given, reference), from: exitOf(nodeId) };
}

/** In a loop with the user an agent is told its messages once; the state holds them until then. */
function promptKeyOf(step: Step, talk: AgentTalk): string | undefined {
  const isTold = externalLoopOf(step.action) === undefined || (talk.place === "main" && !talk.sends);
  return isTold ? undefined : step.flow.variables.own(`${step.id}_prompt`);
}

function toldKeys(step: Step, { speaks, tellsQuestion }: AgentTalk): string[] {
  return step.flow.facts.keepsQuestion && speaks && tellsQuestion ? [pendingKey] : [];
}

type Given = Map<string, { template: string } | { computed: string }>;

/** The arguments of the call. Those that no reference says are computed. */
function readArguments(step: Step, computed: Record<string, Code>): Given {
  const given: Given = new Map();
  const input = objectIn(step.action, "input");
  const listed = objectsIn(input, "parameters").map((row): [string, Json] => [
    textIn(row, "name"),
    fieldOf(row, "value") ?? null,
  ]);
  const extra = textIn(input, "additionalInstructions");
  const rows = [...Object.entries(objectIn(input, "arguments")), ...listed];
  if (extra !== "") rows.push(["Additional instructions", extra]);
  for (const [name, value] of rows) {
    const template = typeof value === "string" ? templateOfText(step, value) : undefined;
    if (template !== undefined) given.set(name, { template });
    else {
      const key = `argument${given.size + 1}`;
      computed[key] = codeOf(step, value);
      given.set(name, { computed: key });
    }
  }
  return given;
}

function toTemplates(given: Given, reference?: (name: string) => string): AgentArguments {
  return new Map(
    [...given].map(([name, one]) => [name, "template" in one ? one.template : (reference?.(one.computed) ?? "")]),
  );
}

/** What an agent is told where references alone say it. */
function simplePrompt(step: Step, talk: AgentTalk): string | undefined {
  const { facts } = step.flow;
  if (talk.place === "main" && !talk.sends) {
    if (facts.keepsQuestion) return `{{ $flow.state.${pendingKey} }}`;
    return facts.first.has(step.action) ? "{{ question }}" : "";
  }
  const mustAdd = talk.place === "main" && (facts.keepsQuestion || facts.first.has(step.action));
  return mustAdd ? undefined : templateOfMessages(step, messagesOf(step.action));
}

/** A message of one reference or text as a template. */
function templateOfMessages(step: Step, value: Json | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  const source = expressionOf(value);
  if (source === undefined) return value.includes("{{") ? undefined : value;
  const parsed = parseExpression(source);
  if (!parsed.ok || parsed.isRepaired) return undefined;
  const inner = unwrapMessage(parsed.expression);
  if (inner.type === "literal") return String(inner.value).includes("{{") ? undefined : String(inner.value);
  return referenceTo(step, inner);
}

/** `[UserMessage(x)]` says x. */
function unwrapMessage(expression: Expression): Expression {
  const [item, ...others] = expression.type === "table" ? expression.items : [];
  if (item !== undefined && others.length === 0) return unwrapMessage(item);
  const [arg] =
    expression.type === "call" && /^(user|agent|system)?message(text)?$/i.test(expression.name) ? expression.args : [];
  return arg ?? expression;
}

function promptCode(step: Step, talk: AgentTalk, thread: Code | undefined): Code {
  const messages = codeOf(step, messagesOf(step.action));
  if (thread !== undefined) {
    const code = `fx_transcript([...fx_thread(${stateCode(conversationsKey)} ?? null, ${thread.code}), ...fx_messages(${messages.code}, "User")])`;
    return { code: `${code} || fx_lastMessage($flow).Text`, sources: [...thread.sources, ...messages.sources] };
  }
  if (talk.place !== "main") return { code: `fx_messageText(${messages.code})`, sources: messages.sources };
  const { facts } = step.flow;
  const first = facts.first.has(step.action) ? '$flow.input ?? ""' : '""';
  const pending = facts.keepsQuestion ? `${stateCode(pendingKey)} ?? ""` : first;
  return { code: `fx_toldOnce(${pending}, fx_messageText(${messages.code}))`, sources: messages.sources };
}

function spokenTo(step: Step, thread: Code): Code {
  const messages = codeOf(step, messagesOf(step.action));
  return {
    code: `fx_withMessages(${stateCode(conversationsKey)} ?? {}, ${thread.code}, fx_messages(${messages.code}, "User"))`,
    sources: [],
  };
}

/** One node for each agent of the files, chosen by the name that is computed. */
function dispatch(
  step: Step,
  { call, files, given }: { call: Call; files: readonly AgentFile[]; given: string },
): Exit[] {
  const name = addFunction(step, { part: "name", values: { name: codeOf(step, given) } }, call.from);
  const branches = files.slice(0, 50).map((file, index) => ({
    id: `agent-${index + 1}`,
    title: file.names[0] ?? "",
    match: "any",
    conditions: file.names
      .slice(0, 50)
      .map((one) => ({ type: "string", left: name.reference("name"), operation: "equal", right: one })),
  }));
  const id = step.add({ type: "condition", part: "agent", config: { branches } }, exitOf(name.nodeId));
  const ends = files.slice(0, 50).flatMap((agent, index) => {
    const part = index === 0 ? "" : `agent_${index + 1}`;
    return drawAgent(step, { ...call, agent, name: agent.names[0] ?? "agent", part }, exitOf(id, `agent-${index + 1}`));
  });
  addFunction(
    step,
    {
      part: "unknown",
      before: ['fx_error("There is no agent named " + fx_text($name) + ". Import its file too.");'],
      variables: [{ name: "name", value: name.reference("name") }],
      values: {},
    },
    exitOf(id, "else"),
  );
  return ends;
}

type Drawing = Call & { agent: AgentFile | undefined; name: string; part: string };

function drawAgent(step: Step, call: Drawing, from: readonly Exit[]): Exit[] {
  const { talk, part, agent } = call;
  const output = objectIn(step.action, "output");
  const isLoop = externalLoopOf(step.action) !== undefined;
  const autoSend = booleanIn(output, "autoSend") ?? true;
  const outcome = readOutcome(step, output, agent);
  const told = agent === undefined ? call.told.filter((key) => key !== pendingKey) : call.told;
  const updateState = [...told.map((key): Update => ({ key, value: "" })), ...outcome.updates];
  const node = toNode(step, call);
  const config = {
    ...node.config,
    ...(talk.speaks || isLoop ? {} : { responseRole: "none" }),
    reply: autoSend && !isLoop ? "always" : "never",
    ...(updateState.length === 0 ? {} : { updateState }),
  };
  const id = step.add({ type: node.type, part, config }, from);
  node.finish(id);
  const exits = drawOutcome(step, { id, part, outcome, thread: call.thread });
  return isLoop ? drawExternalLoop(step, { id, part, autoSend }, exits) : exits;
}

function toNode(step: Step, { agent, name, prompt, given, talk }: Drawing): AgentNode {
  if (talk.place === "thread") warnOfThread(step);
  if (agent === undefined) {
    return toMissingAgent(step, name, { given, prompt: promptOfMissing(step, prompt, talk) });
  }
  step.flow.called.add(agent);
  const node = toAgentNode(step, agent, given);
  const isOff = talk.place !== "main" && externalLoopOf(step.action) === undefined;
  return { ...node, config: { ...node.config, prompt, ...(isOff ? { memory: { type: "off" } } : {}) } };
}

/** An agent of the workspace does not see the conversation of the run. It is told what has been said. */
function promptOfMissing(step: Step, prompt: string, talk: AgentTalk): string {
  const isLoop = externalLoopOf(step.action) !== undefined;
  if (!isLoop && (talk.place !== "main" || talk.sends)) return prompt;
  const { keepsQuestion, hasLoops, first } = step.flow.facts;
  return !isLoop && !keepsQuestion && !hasLoops && first.has(step.action)
    ? "{{ question }}"
    : "{{ question }}\n\n{{ chat_history }}";
}

export function warnOfThread(step: Step): void {
  step.warn(
    "foundry-conversation-approximated",
    "It takes part in a conversation of its own. The flow keeps the messages of that conversation in its state and sends them as one text; check what the agent is told.",
  );
}

/** What becomes of an answer: updates that references say, and values that a function computes. */
type Outcome = { updates: Update[]; computed: { target: Target; code: string }[] };

function readOutcome(step: Step, output: JsonObject, agent: AgentFile | undefined): Outcome {
  const outcome: Outcome = { updates: [], computed: [] };
  const messages = targetIn(step, anyOf(output, "messages", "result"), "output.messages");
  const object = targetIn(
    step,
    fieldOf(output, "responseObject") ?? fieldOf(objectIn(output, "format"), "object"),
    "output.responseObject",
  );
  if (messages?.rest.length === 0) outcome.updates.push({ key: messages.key, value: "{{ output }}" });
  else if (messages) outcome.computed.push({ target: messages, code: "fx_text($answer)" });
  if (object === undefined) return outcome;
  const hasFields =
    agent?.outputSchema !== undefined && !Object.hasOwn(objectIn(agent.outputSchema, "properties"), "json");
  if (hasFields && object.rest.length === 0) outcome.updates.push({ key: object.key, value: "{{ output.json }}" });
  // An answer that is not JSON leaves the variable as it was.
  else
    outcome.computed.push({
      target: object,
      code: `fx_ifError([() => JSON.parse($answer), () => ${readTarget(object)}])`,
    });
  return outcome;
}

function readTarget({ key, rest }: Target): string {
  return rest.length === 0
    ? `${stateCode(key)} ?? null`
    : `${toLiteral(rest)}.reduce(fx_field, ${stateCode(key)} ?? null)`;
}

type DrawnAgent = { id: string; part: string; outcome: Outcome; thread: Code | undefined };

function drawOutcome(step: Step, { id, part, outcome, thread }: DrawnAgent): Exit[] {
  const { computed } = outcome;
  if (computed.length === 0 && thread === undefined) return exitOf(id);
  const values: Record<string, Code> = {};
  const updates: [key: string, name: string][] = [];
  for (const [index, { target, code }] of computed.entries()) {
    values[`value${index + 1}`] = { code: assignedCode(target, code), sources: [] };
    updates.push([target.key, `value${index + 1}`]);
  }
  if (thread !== undefined) {
    const code = `fx_withMessages(${stateCode(conversationsKey)} ?? {}, ${thread.code}, fx_messages($answer, "Agent"))`;
    values.conversations = { code, sources: [] };
    updates.push([conversationsKey, "conversations"]);
  }
  const { nodeId } = addFunction(
    step,
    {
      part: part === "" ? "answer" : `${part}_answer`,
      variables: [{ name: "answer", value: `{{ ${id} }}` }],
      values,
      updates: (reference) => updates.map(([key, name]) => ({ key, value: reference(name) })),
    },
    exitOf(id),
  );
  return exitOf(nodeId);
}

/** While its condition holds the user is asked, with the agent's answer, and the agent hears what the user says. */
function drawExternalLoop(
  step: Step,
  { id, part, autoSend }: { id: string; part: string; autoSend: boolean },
  from: readonly Exit[],
): Exit[] {
  const named = (name: string) => (part === "" ? name : `${part}_${name}`);
  const when = externalLoopOf(step.action);
  const test = testOf(step, when);
  let exits = from;
  let conditions: JsonObject = { ...(test ?? {}) };
  if (test === undefined) {
    const decision = addFunction(step, { part: named("when"), values: { holds: codeOfCondition(step, when) } }, from);
    exits = exitOf(decision.nodeId);
    conditions = {
      match: "all",
      conditions: [{ type: "boolean", left: decision.reference("holds"), operation: "equal", right: true }],
    };
  }
  const branches = [{ id: "talk", title: "Goes on talking", ...conditions }];
  const goes = step.add({ type: "condition", part: named("goes_on"), config: { branches } }, exits);
  const human = ask(step, { part: named("reply"), question: `{{ ${id} }}` }, exitOf(goes, "talk"));
  const again = addLoop(step, { part: named("again"), target: id }, exitOf(human, "proceed"));
  const ends = [...exitOf(goes, "else"), ...exitOf(again)];
  if (!autoSend) return ends;
  const shown = step.add(
    { type: "direct-reply", part: named("shown"), config: { message: `{{ ${id} }}` } },
    exitOf(goes, "else"),
  );
  return [...exitOf(shown), ...exitOf(again)];
}

/** Draws the step that keeps the question until an agent is told it. */
export function keepQuestion(step: Step, from: readonly Exit[]): Exit[] {
  const values = { text: { code: '$flow.input ?? ""', sources: [] } };
  step.flow.variables.own(pendingKey);
  const { nodeId } = addFunction(
    step,
    { values, updates: (reference) => [{ key: pendingKey, value: reference("text") }] },
    from,
  );
  return exitOf(nodeId);
}
