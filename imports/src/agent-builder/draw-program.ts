import { drawIf, drawWhile } from "./branches.ts";
import { assignName, beginWith, type DrawStatements, drawCall, isLog, keepMessages, onlyLogs } from "./calls.ts";
import {
  addNode,
  cloneCursor,
  type Drawer,
  functionNode,
  leaveOut,
  scopeOf,
  settle,
  stateKey,
  writeState,
} from "./drawer.ts";
import { evaluate, field } from "./evaluate.ts";
import { toComputation, toTemplate } from "./expressions.ts";
import { type Expression, lastNameOf, type Statement } from "./syntax/index.ts";
import { alwaysReturns, followTail, hasSteps, printTail } from "./tails.ts";
import { jsonIn, literal, nothing, operation, type Value } from "./values.ts";

/** Draws statements one after the other, until the program is over. */
export const drawStatements: DrawStatements = (drawer, statements) => {
  drawRest(drawer, statements, false);
};

/** Draws one branch. What other branches do in the same way is drawn once for all of them. */
const drawBranch: DrawStatements = (drawer, statements) => {
  drawRest(drawer, statements, true);
};

function drawRest(drawer: Drawer, statements: readonly Statement[], isBranch: boolean): void {
  for (const [index, statement] of statements.entries()) {
    if (drawer.cursor.isOver) return;
    const rest = statements.slice(index);
    if (isBranch && (statement.kind === "return" || hasSteps(drawer, statement))) {
      drawTail(drawer, rest);
      return;
    }
    drawStatement(drawer, passedOn(rest) ?? statement);
  }
}

/** Draws the rest of a branch, or follows the same rest of another one. */
function drawTail(drawer: Drawer, rest: readonly Statement[]): void {
  settle(drawer);
  const print = printTail(drawer, rest);
  const key = print === undefined ? undefined : `${alwaysReturns(rest) ? "" : drawer.place}|${print}`;
  const known = key === undefined ? undefined : drawer.tails.get(key);
  if (known) {
    followTail(drawer, known);
    return;
  }
  const tail = { first: undefined, asking: [], after: undefined };
  drawer.cursor.tails.push(tail);
  const [first, ...others] = rest;
  if (first) drawStatement(drawer, passedOn(rest) ?? first);
  drawRest(drawer, others, true);
  if (key !== undefined && !drawer.cursor.isOver) settle(drawer);
  if (key !== undefined && tail.first !== undefined)
    drawer.tails.set(key, { ...tail, after: cloneCursor(drawer.cursor) });
}

/** `const result = call(); return result;` is a return of the call. */
function passedOn([first, second]: readonly Statement[]): Statement | undefined {
  if (first?.kind !== "declare" || first.value.kind !== "call" || second?.kind !== "return") return undefined;
  const isSame = second.value?.kind === "name" && second.value.name === first.target.name;
  return isSame && /^(with_?)?trace$/i.test(lastNameOf(first.value.callee) ?? "")
    ? { ...second, value: first.value }
    : undefined;
}

function drawStatement(drawer: Drawer, statement: Statement): void {
  switch (statement.kind) {
    case "declare":
      declare(drawer, statement);
      return;
    case "assign":
      assign(drawer, statement);
      return;
    case "evaluate":
      effect(drawer, statement);
      return;
    case "if":
      drawIf(drawer, statement, drawBranch);
      return;
    case "while":
      drawWhile(drawer, statement, drawStatements);
      return;
    case "for":
      drawFor(drawer, statement);
      return;
    case "return":
      drawReturn(drawer, statement.value);
      return;
    case "throw":
      drawer.cursor.isOver = true;
      return;
    case "break":
    case "continue":
      leave(drawer, statement.kind);
      return;
    case "with":
      for (const value of statement.values) nameFlow(drawer, value);
      drawStatements(drawer, statement.body);
      return;
    case "try":
      attempt(drawer, statement);
      return;
    case "unknown":
      leaveOut(drawer, statement);
      return;
    default:
      return;
  }
}

function declare(drawer: Drawer, statement: Statement & { kind: "declare" }): void {
  const { target } = statement;
  const isState = target.name !== "" && drawer.stateNames.has(target.name);
  const value = withInput(evaluate(drawer.evaluator, statement.value, scopeOf(drawer)));
  if (drawer.cursor.isOver) return;
  if (continuesConversation(drawer, target.name, value)) return;
  if (isState && value.kind === "object") {
    declareState(drawer, target.name, value);
    return;
  }
  if (isOutside(value)) leaveOut(drawer, statement);
  const kept = /transform/i.test(target.name) && value.kind === "object" ? transformed(drawer, value) : value;
  const isList = value.kind === "list" && (isConversation(value) || isGrowing(drawer, target.name, value));
  const named = isList ? ({ kind: "history", first: [...value.items] } satisfies Value) : kept;
  if (named.kind === "history") beginConversation(drawer, named);
  if (target.name !== "") assignName(drawer, target.name, named);
  for (const [name, key] of target.fields ?? []) assignName(drawer, name, field(drawer.evaluator, named, literal(key)));
}

/** `history = result.history`: the conversation with the new messages in it. */
function continuesConversation(drawer: Drawer, name: string, value: Value): boolean {
  if (value.kind !== "messages" || drawer.cursor.names.get(name)?.kind !== "history") return false;
  keepMessages(drawer, value);
  return true;
}

/** What a workflow is called with from elsewhere is the question, wherever the program has it from. */
function withInput(value: Value): Value {
  const text = value.kind === "object" ? value.fields.get("input_as_text") : undefined;
  const isKnown = text === undefined || toTemplate(text) !== undefined || toComputation(text, false) !== undefined;
  if (value.kind !== "object" || isKnown) return value;
  return { kind: "object", fields: new Map([...value.fields, ["input_as_text", { kind: "input" }]]) };
}

/** A call outside of the flow, whose effect is lost. */
function isOutside(value: Value): boolean {
  return (
    value.kind === "unknown" ||
    (value.kind === "call" && !/^[A-Z]|[tT]ool$/.test(value.name) && value.object === undefined)
  );
}

function declareState(drawer: Drawer, name: string, value: Value & { kind: "object" }): void {
  const prefix = name === "state" ? "" : `${name}_`;
  for (const [key, initial] of value.fields) {
    const data = jsonIn(initial);
    stateKey(drawer, prefix + key, data ?? null);
    if (data === undefined) writeState(drawer, prefix + key, initial);
  }
  drawer.cursor.names.set(name, { kind: "state", prefix });
}

/** An empty list that the program adds to. */
function isGrowing(drawer: Drawer, name: string, { items }: Value & { kind: "list" }): boolean {
  return items.length === 0 && drawer.lists.has(name);
}

/** A list of messages with roles. */
function isConversation({ items }: Value & { kind: "list" }): boolean {
  return items.length > 0 && items.every((item) => item.kind === "object" && item.fields.has("role"));
}

/** What the conversation begins with is what its first agent is asked. */
function beginConversation(drawer: Drawer, { first }: Value & { kind: "history" }): void {
  const [only, ...others] = first;
  if (!only || (others.length === 0 && beginWith(drawer, only))) return;
  drawer.cursor.added.push(...first);
}

/** A Transform step: an object that is computed of what came before. */
function transformed(drawer: Drawer, value: Value): Value {
  const computation = toComputation(value, drawer.program.language === "python");
  if (computation === undefined || jsonIn(value) !== undefined) return value;
  const id = addNode(drawer, { ...functionNode(computation), id: "transform", label: "Transform" });
  return { kind: "path", path: `${id}.output.data` };
}

function assign(drawer: Drawer, statement: Statement & { kind: "assign" }): void {
  const { target } = statement;
  const value = evaluate(drawer.evaluator, statement.value, scopeOf(drawer));
  if (drawer.cursor.isOver) return;
  if (isOutside(value)) leaveOut(drawer, statement);
  if (target.kind === "name" && continuesConversation(drawer, target.name, value)) return;
  if (target.kind === "name") {
    assignName(drawer, target.name, value);
    return;
  }
  if (target.kind !== "member") {
    leaveOut(drawer, statement);
    return;
  }
  const object = evaluate(drawer.evaluator, target.object, scopeOf(drawer));
  const key = evaluate(drawer.evaluator, target.property, scopeOf(drawer));
  if (object.kind === "state" && key.kind === "literal") {
    writeState(drawer, object.prefix + String(key.value), value);
    return;
  }
  if (object.kind === "object" && key.kind === "literal" && target.object.kind === "name") {
    const fields = new Map([...object.fields, [String(key.value), value] as const]);
    assignName(drawer, target.object.name, { kind: "object", fields });
    return;
  }
  if (object.kind !== "plumbing" && object.kind !== "call") leaveOut(drawer, statement);
}

/** A statement that is a call: of a step, of the conversation, or of something outside. */
function effect(drawer: Drawer, statement: Statement & { kind: "evaluate" }): void {
  const { value: expression } = statement;
  if (expression.kind === "literal" || (expression.kind === "call" && isLog(expression))) return;
  const value = evaluate(drawer.evaluator, expression, scopeOf(drawer));
  if (value.kind === "messages") keepMessages(drawer, value);
  const isDone = value.kind !== "unknown" && value.kind !== "call";
  if (!isDone && !/^(main|load_dotenv|config|run|serve|listen)$/.test(calledName(expression)))
    leaveOut(drawer, statement);
}

function calledName(expression: Expression): string {
  return expression.kind === "call" ? (lastNameOf(expression.callee) ?? "") : "";
}

/** A loop over the messages of a run only looks at them. */
function drawFor(drawer: Drawer, statement: Statement & { kind: "for" }): void {
  const source = evaluate(drawer.evaluator, statement.source, scopeOf(drawer));
  if (source.kind === "messages" || source.kind === "plumbing" || !hasSteps(drawer, statement)) {
    if (source.kind !== "messages" && !onlyLogs(statement.body)) leaveOut(drawer, statement);
    return;
  }
  const text = `Line ${statement.line} of the program: a loop over a list in which agents run. Its steps are drawn once; put them into an iteration.`;
  drawer.drawing.report(null).refuse("agent-builder-code-unknown", text);
  drawStatements(drawer, statement.body);
}

function attempt(drawer: Drawer, { body, handlers, line, lastLine }: Statement & { kind: "try" }): void {
  if (computeAttempt(drawer, { body, handlers })) return;
  drawStatements(drawer, body);
  if (handlers.every(onlyLogs)) return;
  const text = `Lines ${line} to ${lastLine} of the program: what it does after an error is not taken over. Connect the error outputs of the steps, if the flow needs it.`;
  drawer.drawing.report(null).warn("agent-builder-code-unknown", text);
}

/** A value that is computed in one way or, if that fails, in another: both ways stand in one function. */
function computeAttempt(drawer: Drawer, { body, handlers }: Pick<Statement & { kind: "try" }, "body" | "handlers">) {
  const [handler = [], ...others] = handlers;
  const tried = onlyAssignment(body);
  const instead = handler.filter((statement) => !onlyLogs([statement]));
  const caught = onlyAssignment(instead);
  const isSimple = caught?.name === tried?.name || instead.length === 0;
  if (tried === undefined || others.length > 0 || !isSimple || body.some((one) => hasSteps(drawer, one))) return false;
  const before = drawer.cursor.names.get(tried.name) ?? nothing;
  const value = evaluate(drawer.evaluator, tried.value, scopeOf(drawer));
  const otherwise = caught === undefined ? before : evaluate(drawer.evaluator, caught.value, scopeOf(drawer));
  assignName(drawer, tried.name, operation("attempt", value, otherwise));
  return true;
}

/** The name and the value of the only statement, where it gives a name a value. */
function onlyAssignment(statements: readonly Statement[]): { name: string; value: Expression } | undefined {
  const [only, ...others] = statements;
  if (only?.kind !== "assign" || only.target.kind !== "name" || others.length > 0) return undefined;
  return { name: only.target.name, value: only.value };
}

function leave(drawer: Drawer, kind: "break" | "continue"): void {
  settle(drawer);
  const ways = kind === "break" ? drawer.frame.breaks : drawer.frame.continues;
  ways?.push(cloneCursor(drawer.cursor));
  drawer.cursor.isOver = true;
}

function nameFlow(drawer: Drawer, value: Expression): void {
  if (!/^(with_?)?trace$/i.test(calledName(value))) return;
  const first = value.kind === "call" ? (value.args[0] ?? value.named.get("workflow_name")) : undefined;
  if (drawer.name === "" && first?.kind === "literal" && typeof first.value === "string")
    drawer.name = first.value.slice(0, 200);
}

function drawReturn(drawer: Drawer, expression: Expression | undefined): void {
  if (!expression) {
    drawer.frame.giveBack(nothing);
    return;
  }
  drawer.lastCall = expression;
  const value = evaluate(drawer.evaluator, expression, scopeOf(drawer));
  drawer.lastCall = undefined;
  if (!drawer.cursor.isOver) drawer.frame.giveBack(value);
}

/** The call of a workflow's step inside of the evaluation of an expression. */
export function createSteps(current: () => Drawer) {
  return {
    call: (call: Expression & { kind: "call" }, scope: Parameters<typeof drawCall>[2]) =>
      drawCall(current(), call, scope, drawStatements),
  };
}
