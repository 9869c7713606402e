import type { JsonObject } from "@weft/schema";
import { type AgentInput, asAgent, drawAgent, outermostValue, readInput, withReferences } from "./agents.ts";
import { drawClassification, readClassification } from "./classify.ts";
import { addNode, type Cursor, cloneCursor, type Drawer, join, scopeOf, stateKey, templateOf } from "./drawer.ts";
import { bind, evaluate } from "./evaluate.ts";
import { drawGuardrails, type Guarded } from "./guardrails.ts";
import { drawDispatch, drawHandoffs, readDispatch } from "./handoffs.ts";
import { dottedNameOf, type Expression, expressionsOf, lastNameOf, type Statement } from "./syntax/index.ts";
import { hasSteps, isSearch } from "./tails.ts";
import {
  itemsIn,
  jsonIn,
  literal,
  nothing,
  numberIn,
  printValue,
  type Scope,
  settingOf,
  settingsOf,
  textIn,
  type Value,
} from "./values.ts";

type Call = Expression & { kind: "call" };

/** Draws the statements of a function. Given from outside, as statements and calls hold each other. */
export type DrawStatements = (drawer: Drawer, statements: readonly Statement[]) => void;

const plumbing: Value = { kind: "plumbing" };
const maxDrawnFunctions = 8;

/** What a call means for a flow: draws its nodes, and returns what it gives back. Undefined for a call that computes. */
export function drawCall(drawer: Drawer, call: Call, scope: Scope, draw: DrawStatements): Value | undefined {
  const name = lastNameOf(call.callee) ?? "";
  const read = (expression: Expression | undefined) => expression && evaluate(drawer.evaluator, expression, scope);
  if (isLog(call) || makers.has(name)) return plumbing;
  if (asksPerson.test(dottedNameOf(call.callee) ?? "")) return { kind: "input" };
  if (/^(with_?)?trace$/i.test(name)) return drawTrace(drawer, call, scope, draw);
  if (/^approval_?[rR]equest\d*$/.test(name)) {
    return { kind: "approval", message: read(call.args[0]) ?? literal(""), isPositive: true };
  }
  const step = drawRun(drawer, call, read) ?? drawGuardrailCall(drawer, name, call, read);
  if (step) return step;
  if (isSearch(call)) return drawSearch(drawer, call, read);
  if (call.callee.kind === "member" && /^(push|extend|append|unshift|concat)$/.test(name)) {
    return addMessages(drawer, call.callee.object, call.args, read);
  }
  return drawFunction(drawer, call, scope, draw);
}

/** What an export makes for the SDK alone. */
const makers = new Set([
  "Runner",
  "OpenAI",
  "AsyncOpenAI",
  "RunConfig",
  "SimpleNamespace",
  "load_dotenv",
  "getenv",
  "SQLiteSession",
]);

/** Calls that ask the user of the program for words: the question of the flow. */
const asksPerson = /^(input|st\.(text_input|chat_input|text_area)|prompt|rl\.question|readline\.question)$/;

/** Whether statements ask a person for the next words: a chat in a terminal. */
export function asksForWords(statements: readonly Statement[]): boolean {
  const calls = statements.flatMap((statement) => [...expressionsOf(statement)]).filter((one) => one.kind === "call");
  return calls.some(({ callee }) => asksPerson.test(dottedNameOf(callee) ?? ""));
}

type Read = (expression: Expression | undefined) => Value | undefined;

export function isLog({ callee }: Call): boolean {
  const dotted = dottedNameOf(callee) ?? "";
  return /^(console\.\w+|print|pprint|(self\.|this\.)?_?(logger|logging|log)\.\w+|sys\.std\w+\.write|dotenv\.\w+|require)$/.test(
    dotted,
  );
}

function drawRun(drawer: Drawer, call: Call, read: Read): Value | undefined {
  if (!/^run(_sync|_streamed|Sync|Streamed)?$/.test(lastNameOf(call.callee) ?? "")) return undefined;
  const which = read(call.args[0] ?? call.named.get("starting_agent") ?? call.named.get("startingAgent"));
  const agent = asAgent(which);
  const dispatch = readDispatch(which);
  if (!agent && !dispatch) return isRunnerCall(drawer, call) ? refuseRun(drawer, call) : undefined;
  const { input, context } = readRun(call, read);
  if (!agent) return (dispatch && drawDispatch(drawer, dispatch, input, context)) ?? refuseRun(drawer, call);
  const handoffs = itemsIn(settingOf(settingsOf(agent), "handoffs"));
  if (handoffs.length > 0) return drawHandoffs(drawer, agent, input, context);
  const classification = readClassification(drawer, agent);
  if (!classification) return drawAgent(drawer, agent, input, context);
  return drawClassification(drawer, agent, classification, { input, template: classified(drawer, input.messages) });
}

/** What an agent is run with, and the context that its instructions read. */
function readRun(call: Call, read: Read): { input: AgentInput; context: Value } {
  const given = call.named.get("input") ?? call.args[1];
  const asked = read(given);
  // A conversation that the program puts together elsewhere is that of the flow.
  const isHistory = asked?.kind === "unknown" && /history|messages|items|conversation|thread/i.test(nameIn(given));
  const input = isHistory ? { usesHistory: true, messages: [] } : readInput(asked);
  const options = settingsOf(read(call.args[2]));
  return { input, context: read(call.named.get("context")) ?? options.get("context") ?? nothing };
}

/** `runner.run(…)`, or `run(agent, input)` of the SDK. */
function isRunnerCall({ program }: Drawer, { callee, args }: Call): boolean {
  if (callee.kind === "name") return args.length > 1 && !program.functions.has(callee.name);
  return callee.kind === "member" && /runner/i.test(lastNameOf(callee.object) ?? "");
}

/** A run that is lost must not be lost in silence. */
function refuseRun({ drawing }: Drawer, { line }: Call): Value {
  const text = `Line ${line} of the program runs an agent that only the program knows. Add that agent by hand, and connect it.`;
  drawing.report(null).refuse("agent-builder-code-unknown", text);
  return plumbing;
}

function nameIn(expression: Expression | undefined): string {
  return expression?.kind === "name" ? expression.name : "";
}

function classified(drawer: Drawer, messages: readonly Value[]): string {
  const last = messages.at(-1);
  if (!last) return drawer.cursor.hasAsked ? "" : templateOf(drawer, drawer.question, "the question");
  const content = settingsOf(last).get("content") ?? last;
  const text = content.kind === "list" ? (settingsOf(content.items.at(-1)).get("text") ?? literal("")) : content;
  return templateOf(drawer, withReferences(drawer, text), "what is classified");
}

/** `withTrace(name, async () => { … })`: the function is drawn in place. */
function drawTrace(drawer: Drawer, call: Call, scope: Scope, draw: DrawStatements): Value {
  const title = textIn(call.args[0] && evaluate(drawer.evaluator, call.args[0], scope));
  if (drawer.name === "" && title !== undefined) drawer.name = title.slice(0, 200);
  const last = call.args.at(-1);
  if (last?.kind !== "function") return plumbing;
  return drawInPlace(drawer, call, () => draw(drawer, last.body));
}

/**
 * Draws the body of what is called, and gives back what it returns. Several returns meet behind it, unless the program
 * returns what the call gives back: then each of them ends the program.
 */
function drawInPlace(drawer: Drawer, call: Call, draw: () => void): Value {
  const outer = drawer.frame;
  if (drawer.lastCall === call) {
    draw();
    if (!drawer.cursor.isOver) outer.giveBack(nothing);
    return nothing;
  }
  const ways: { cursor: Cursor; value: Value }[] = [];
  const slot = `returned_${drawer.drawn.length}`;
  drawer.frame = {
    giveBack(value) {
      ways.push({ cursor: cloneCursor(drawer.cursor), value });
      drawer.cursor.isOver = true;
    },
  };
  draw();
  drawer.frame = outer;
  if (!drawer.cursor.isOver) ways.push({ cursor: drawer.cursor, value: nothing });
  for (const { cursor, value } of ways) {
    drawer.cursor = cursor;
    assignName(drawer, slot, value);
  }
  join(
    drawer,
    ways.map(({ cursor }) => cursor),
  );
  const value = drawer.cursor.names.get(slot) ?? nothing;
  if (value.kind === "different") drawer.found.add(slot);
  drawer.cursor.names.delete(slot);
  return value;
}

/** Gives a name a value: in the state where several ways give it different ones. */
export function assignName(drawer: Drawer, name: string, value: Value): void {
  const { cursor, shared } = drawer;
  if (!shared.has(name)) {
    cursor.names.set(name, value);
    return;
  }
  const data = jsonIn(value);
  const isFirst = data !== undefined && !drawer.state.has(name) && drawer.frame.breaks === undefined;
  const key = stateKey(drawer, name, isFirst ? data : null);
  const answer = answerIn(value);
  if (!isFirst) cursor.pending.set(key, answer?.text ?? value);
  const path: Value = { kind: "path", path: `$flow.state.${key}` };
  cursor.names.set(name, answer ? { kind: "run", nodeIds: [], text: path, data: path } : path);
}

/** The run whose answer a value is: itself, or an object that passes its text on. */
export function answerIn(value: Value): (Value & { kind: "run" }) | undefined {
  if (value.kind === "run") return value;
  const text = value.kind === "object" ? value.fields.get("output_text") : undefined;
  if (text === undefined) return undefined;
  if (text.kind === "run") return text;
  const nodeIds = text.kind === "path" && /^[\w-]+$/.test(text.path) ? [text.path] : [];
  const data = value.kind === "object" ? value.fields.get("output_parsed") : undefined;
  return { kind: "run", nodeIds, text, data: data ?? text };
}

/** Draws a function of the program where it is called, if agents run in it. */
function drawFunction(drawer: Drawer, call: Call, scope: Scope, draw: DrawStatements): Value | undefined {
  if (call.callee.kind !== "name" && call.callee.kind !== "function" && call.callee.kind !== "member") return undefined;
  const name = lastNameOf(call.callee) ?? "";
  const definition = drawer.program.functions.get(name);
  const isOwn = call.callee.kind !== "member" || /^(self|this)$/.test(dottedNameOf(call.callee.object) ?? "");
  if (!definition || !isOwn || drawer.drawn.includes(name) || drawer.drawn.length >= maxDrawnFunctions)
    return undefined;
  if (!hasSteps(drawer, definition)) return undefined;
  const names = new Map<string, Value>();
  const args = call.args.map((arg) => evaluate(drawer.evaluator, arg, scope));
  const parameters = definition.value.parameters.filter((parameter) => parameter.name !== "self");
  for (const [index, parameter] of parameters.entries()) {
    const named = call.named.get(parameter.name);
    const initial = parameter.initial && evaluate(drawer.evaluator, parameter.initial, scope);
    const value = args[index] ?? (named && evaluate(drawer.evaluator, named, scope)) ?? initial ?? nothing;
    bind(drawer.evaluator, parameter, value, names);
  }
  const outer = drawer.cursor.names;
  drawer.cursor.names = names;
  drawer.drawn.push(name);
  const value = drawInPlace(drawer, call, () => draw(drawer, definition.value.body));
  drawer.drawn.pop();
  drawer.cursor.names = new Map(outer);
  return value;
}

/** Messages that the program adds to the conversation: those of a run, or some of its own. */
function addMessages(drawer: Drawer, list: Expression, args: readonly Expression[], read: Read): Value | undefined {
  const target = evaluate(drawer.evaluator, list, scopeOf(drawer));
  if (target.kind !== "history") return undefined;
  for (const arg of args) {
    const value = read(arg) ?? nothing;
    // What an empty conversation is given first is what its first agent is asked.
    if (target.first.length === 0 && value.kind === "object" && beginWith(drawer, value)) target.first.push(value);
    else keepMessages(drawer, value);
  }
  return plumbing;
}

/** Makes the words of a first message the question. False where they are none, or where another one came first. */
export function beginWith(drawer: Drawer, message: Value): boolean {
  const content = settingsOf(message).get("content");
  const [only] = content?.kind === "list" ? content.items : [];
  const text = content?.kind === "list" ? settingsOf(only).get("text") : content;
  if (!text || text.kind === "plumbing" || drawer.cursor.hasAsked || drawer.cursor.added.length > 0) return false;
  const [single] = text.kind === "text" && text.parts.length === 1 ? text.parts : [];
  drawer.question = withReferences(drawer, single === undefined || typeof single === "string" ? text : single);
  return true;
}

export function keepMessages(drawer: Drawer, value: Value): void {
  const inner = value.kind === "spread" ? value.value : value;
  if (inner.kind === "messages") {
    for (const id of inner.of) drawer.pushed.add(id);
    drawer.cursor.hasAsked = true;
    drawer.cursor.tails = [];
  } else if (inner.kind === "list") for (const item of inner.items) keepMessages(drawer, item);
  else if (inner.kind === "object") {
    drawer.cursor.added.push(inner);
    if (!drawer.frame.breaks) return;
    const text =
      "The program adds a message of its own to the conversation in a loop. Agents of the next round do not hear it; put it into their instructions.";
    drawer.drawing.report(null).warn("agent-builder-message-left-out", text);
  }
}

function drawSearch(drawer: Drawer, call: Call, read: Read): Value {
  const store = textIn(read(call.args[0] ?? call.named.get("vector_store_id"))) ?? "";
  const options = settingsOf(read(call.args[1]));
  const query = read(call.named.get("query")) ?? options.get("query");
  const most = numberIn(read(call.named.get("max_num_results")) ?? options.get("max_num_results"));
  const template = query ? templateOf(drawer, withReferences(drawer, query), "what is searched for") : "{{ question }}";
  const topK = most === undefined ? {} : { topK: Math.min(Math.max(1, Math.trunc(most)), 100) };
  const config: JsonObject = {
    stores: [{ storeId: "", ...topK }],
    query: template.trim() === "" ? "{{ question }}" : template,
    returnSourceDocuments: false,
    reply: "never",
  };
  const id = addNode(drawer, { type: "retriever", id: "file_search", label: "File search", config });
  if (template.trim() === "") {
    const text = "The program searches for nothing here. It searches for the question instead; check the query.";
    drawer.drawing.report(id).warn("agent-builder-query-missing", text);
  }
  drawer.drawing.ask("document-store", store || "the files", { nodeId: id, path: "stores.0.storeId" });
  return { kind: "path", path: `${id}.output.documents`, schema: { type: "array" } };
}

/** The helpers of an export around its guardrails, in either language and every version of them. */
function drawGuardrailCall(drawer: Drawer, name: string, call: Call, read: Read): Value | undefined {
  switch (name.toLowerCase().replaceAll("_", "")) {
    case "runandapplyguardrails":
      return guardObject(
        guard(
          drawer,
          read(call.args[0] ?? call.named.get("input_text")),
          read(call.args[1] ?? call.named.get("config")),
        ),
      );
    case "runguardrails": {
      // The script library takes the text first, the Python library a context before it.
      const isPython = drawer.program.language === "python";
      const config = isPython ? call.args[3] : call.args[1];
      return guardObject(guard(drawer, read(isPython ? call.args[1] : call.args[0]), read(config)));
    }
    case "instantiateguardrails":
    case "loadconfigbundle":
      return read(call.args[0]);
    case "guardrailshastripwire":
      return fieldOfGuard(read(call.args[0]), "hasTripwire");
    case "getguardrailcheckedtext":
    case "getguardrailsafetext":
      return fieldOfGuard(read(call.args[0]), "safeText");
    case "buildguardrailfailoutput":
      return fieldOfGuard(read(call.args[0]), "failOutput");
    default:
      return undefined;
  }
}

function fieldOfGuard(value: Value | undefined, name: string): Value | undefined {
  const inner = value?.kind === "operation" ? value.args[0] : value;
  return inner?.kind === "object" ? inner.fields.get(name) : undefined;
}

function guard(drawer: Drawer, text: Value | undefined, config: Value | undefined): Guarded {
  const value = text ?? drawer.question;
  const template = templateOf(drawer, value, "what is checked");
  const guarded = drawGuardrails(drawer, config ?? outermostValue(drawer, "guardrails"), { value, template });
  // What hides personal data hides it from the agents after it, too.
  const isQuestion = value.kind === "input" || printValue(value) === printValue(drawer.question);
  if (guarded.safe !== value && isQuestion) {
    drawer.question = guarded.safe;
    drawer.masked = guarded.safe;
  }
  return guarded;
}

function guardObject({ tripped, safe, failed }: Guarded): Value {
  const passed: Value = { kind: "object", fields: new Map([["safe_text", safe]]) };
  const fields: [string, Value][] = [
    ["hasTripwire", tripped],
    ["safeText", safe],
    ["failOutput", failed],
    ["passOutput", passed],
  ];
  const snake = fields.map(([name, value]): [string, Value] => [
    name.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return { kind: "object", fields: new Map([...fields, ...snake]) };
}

/** Whether statements do nothing but write a log, or throw. */
export function onlyLogs(statements: readonly Statement[]): boolean {
  return statements.every(
    (statement) =>
      statement.kind === "throw" ||
      statement.kind === "nothing" ||
      (statement.kind === "evaluate" &&
        [...expressionsOf(statement)].every((one) => one.kind !== "call" || isLog(one))),
  );
}
