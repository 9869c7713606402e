import type { JsonObject } from "@weft/schema";
import { withReferences } from "./agents.ts";
import { asksForWords, type DrawStatements, onlyLogs } from "./calls.ts";
import {
  addNode,
  type Cursor,
  cloneCursor,
  type Drawer,
  functionNode,
  join,
  leaveOut,
  reportUnknown,
  scopeOf,
  settle,
  templateOf,
} from "./drawer.ts";
import { evaluate } from "./evaluate.ts";
import { type Comparison, toBranches, toComputation, toWays } from "./expressions.ts";
import { type Expression, expressionsOf, lastNameOf, type Statement, walk } from "./syntax/index.ts";
import { hasSteps } from "./tails.ts";
import { literal, operation, printValue, textIn, type Value } from "./values.ts";

type If = Statement & { kind: "if" };
type Arm = { test: Value; statement: If };

/** Draws `if`, `else if` and `else`, and what comes together behind them. */
export function drawIf(drawer: Drawer, statement: If, draw: DrawStatements): void {
  if (statement.otherwise.length === 0 && onlyLogs(statement.body)) {
    leaveOutCheck(drawer, statement);
    return;
  }
  if (!changesFlow(drawer, statement)) {
    leaveOut(drawer, statement);
    return;
  }
  const test = evaluate(drawer.evaluator, statement.test, scopeOf(drawer));
  if (drawer.cursor.isOver) return;
  const known = decidedTest(drawer, test);
  if (known !== undefined) {
    draw(drawer, known ? statement.body : statement.otherwise);
    return;
  }
  settle(drawer);
  if (test.kind === "approval") {
    drawApproval(drawer, statement, test, draw);
    return;
  }
  const ports = categoryPorts(drawer, test);
  if (ports) {
    const [yes, no] = ports;
    drawWays(drawer, statement, { test, yes, no, draw });
    return;
  }
  drawCondition(drawer, { test, statement }, draw);
}

/** Whether a branch draws a step, gives a name a value, or ends something. */
function changesFlow(drawer: Drawer, { body, otherwise, ...statement }: If): boolean {
  const inner = [...body, ...otherwise];
  if (hasSteps(drawer, { ...statement, body, otherwise })) return true;
  for (const one of walk(inner)) {
    if (/^(return|break|continue|throw)$/.test(one.kind)) return true;
    if (one.kind === "declare" && outlivesBranch(drawer)) return true;
    if (one.kind === "assign" && !isInput(drawer, one.target)) return true;
    if (one.kind === "evaluate" && one.value.kind === "call" && /^(push|append|extend)$/.test(calledName(one.value)))
      return true;
  }
  return false;
}

/** Names of Python outlive their branch. */
const outlivesBranch = ({ program }: Drawer): boolean => program.language === "python";

const calledName = ({ callee }: Expression & { kind: "call" }): string => lastNameOf(callee) ?? "";

/** What the workflow is called with may be changed by the program, but not by a flow. */
function isInput({ cursor }: Drawer, target: Expression): boolean {
  return (
    target.kind === "member" && target.object.kind === "name" && cursor.names.get(target.object.name)?.kind === "input"
  );
}

/** `if (!result.finalOutput) throw …` and checks that only log say nothing of the flow. */
function leaveOutCheck(drawer: Drawer, statement: If): void {
  const isCheckOfAnswer = [...expressionsOf({ ...statement, body: [], otherwise: [] })].some(
    (one) =>
      one.kind === "member" &&
      one.property.kind === "literal" &&
      /^(finalOutput|final_output|output_text|apiKey|OPENAI_API_KEY)$/.test(String(one.property.value)),
  );
  if (!isCheckOfAnswer && statement.body.some(({ kind }) => kind === "throw")) leaveOut(drawer, statement);
}

/** What is known of a test before the flow runs. */
function decidedTest({ cursor }: Drawer, test: Value): boolean | undefined {
  if (test.kind === "literal") return Boolean(test.value);
  // A button, a client that is there: the way on is the one the program is for.
  if (test.kind === "plumbing") return true;
  const fact = cursor.facts.get(printValue(test));
  if (fact !== undefined) return fact;
  const ways = toWays(test);
  if (ways?.length === 0) return false;
  return ways?.some((way) => way.length === 0) ? true : undefined;
}

type Ways = { test: Value; yes: Cursor["exits"]; no: Cursor["exits"]; draw: DrawStatements };

function drawWays(drawer: Drawer, { body, otherwise }: If, { test, yes, no, draw }: Ways): void {
  const before = drawer.cursor;
  const ends: Cursor[] = [];
  const outer = drawer.place;
  for (const [statements, exits, outcome] of [
    [body, yes, true],
    [otherwise, no, false],
  ] as const) {
    if (exits.length === 0) continue;
    drawer.cursor = { ...cloneCursor(before), exits: [...exits] };
    drawer.cursor.facts.set(printValue(test), outcome);
    drawer.place = `${outer}/${before.exits[0]?.nodeId}`;
    draw(drawer, statements);
    ends.push(drawer.cursor);
  }
  drawer.place = outer;
  join(drawer, ends);
}

function drawApproval(drawer: Drawer, statement: If, test: Value & { kind: "approval" }, draw: DrawStatements): void {
  const question = templateOf(drawer, withReferences(drawer, test.message), "the question of an approval");
  showBefore(drawer);
  const config: JsonObject = { question: question.trim() === "" ? "Do you want to proceed?" : question };
  const id = addNode(drawer, { type: "human-input", id: "user_approval", label: "User approval", config });
  const text =
    "The exported program approves everything at this point. The question to a person is restored; check its words and both ways out.";
  drawer.drawing.report(id).warn("agent-builder-approval-restored", text);
  const [proceed, reject] = ["proceed", "reject"].map((port) => [{ nodeId: id, port }]);
  const [yes = [], no = []] = test.isPositive ? [proceed, reject] : [reject, proceed];
  drawWays(drawer, statement, { test: literal(id), yes, no, draw });
}

/** A person who is to approve an answer has to see it. */
function showBefore({ cursor, drawing, modelNodes, shown }: Drawer): void {
  for (const { nodeId, port } of cursor.exits) {
    const isWords =
      port === "out" && modelNodes.has(nodeId) && drawing.node(nodeId).config.structuredOutput === undefined;
    if (isWords) shown.add(nodeId);
  }
}

/** The exits of a Classify step that a test on its category takes, and the others. */
function categoryPorts({ cursor }: Drawer, test: Value): [Cursor["exits"], Cursor["exits"]] | undefined {
  const chosen = chosenCategories(test);
  if (!chosen || !cursor.exits.every(({ nodeId, port }) => nodeId === chosen.nodeId && port !== "out"))
    return undefined;
  const takes = ({ port }: Cursor["exits"][number]) => chosen.ids.has(port) !== chosen.isNegated;
  return [cursor.exits.filter(takes), cursor.exits.filter((exit) => !takes(exit))];
}

type Chosen = { nodeId: string; ids: Set<string>; isNegated: boolean };

function chosenCategories(test: Value): Chosen | undefined {
  if (test.kind !== "operation") return undefined;
  const [first, second] = test.args;
  if (test.operator === "or") {
    const parts = test.args.map(chosenCategories);
    const [one] = parts;
    const isSame = one && parts.every((part) => part?.nodeId === one.nodeId && !part.isNegated);
    return isSame ? { ...one, ids: new Set(parts.flatMap((part) => [...(part?.ids ?? [])])) } : undefined;
  }
  if (test.operator !== "equal" && test.operator !== "different") return undefined;
  const category = [first, second].find((side) => side?.kind === "category");
  const name = textIn([first, second].find((side) => side?.kind === "literal"));
  if (category?.kind !== "category" || name === undefined) return undefined;
  const id = category.ids.get(name);
  return {
    nodeId: category.nodeId,
    ids: new Set(id === undefined ? [] : [id]),
    isNegated: test.operator === "different",
  };
}

/** One condition node for an `if` and every `else if` that compares alike. */
function drawCondition(drawer: Drawer, first: Arm, draw: DrawStatements): void {
  const arms = armsOf(drawer, first);
  const tests = arms.map(({ test, statement }) => waysOf(drawer, { test, line: statement.line }));
  const branches: JsonObject[] = [];
  const exits: string[][] = [];
  for (const [index, ways] of tests.entries()) {
    const own = toBranches(index === 0 ? "if" : `else-if-${index}`, titleOf(ways), ways);
    exits.push(own.map(({ id }) => String(id)));
    branches.push(...own);
  }
  const id = addNode(drawer, { type: "condition", id: "if_else", label: "If / else", config: { branches } });
  const before = drawer.cursor;
  const outer = drawer.place;
  const ends: Cursor[] = [];
  drawer.place = `${outer}/${id}`;
  for (const [index, { test, statement }] of arms.entries()) {
    drawer.cursor = { ...cloneCursor(before), exits: (exits[index] ?? []).map((port) => ({ nodeId: id, port })) };
    drawer.cursor.facts.set(printValue(test), true);
    draw(drawer, statement.body);
    ends.push(drawer.cursor);
  }
  drawer.cursor = { ...cloneCursor(before), exits: [{ nodeId: id, port: "else" }] };
  for (const { test } of arms) drawer.cursor.facts.set(printValue(test), false);
  draw(drawer, arms.at(-1)?.statement.otherwise ?? []);
  ends.push(drawer.cursor);
  drawer.place = outer;
  join(drawer, ends);
}

/** The `else if`s that one condition node can decide, too. */
function armsOf(drawer: Drawer, first: Arm): Arm[] {
  const arms = [first];
  const isNative = (value: Value) => toWays(value) !== undefined;
  while (arms.length < 20 && isNative(first.test)) {
    const [next, ...others] = arms.at(-1)?.statement.otherwise ?? [];
    if (next?.kind !== "if" || others.length > 0 || onlyLogs(next.body)) break;
    if (expressionHasCalls(next)) break;
    const test = evaluate(drawer.evaluator, next.test, scopeOf(drawer));
    if (test.kind === "approval" || decidedTest(drawer, test) !== undefined || !isNative(test)) break;
    arms.push({ test, statement: next });
  }
  return arms;
}

/** A call in a test might draw a node before the condition, which may come too early. */
function expressionHasCalls(statement: If): boolean {
  return [...expressionsOf({ ...statement, body: [], otherwise: [] })].some(({ kind }) => kind === "call");
}

/** Draws a condition on a test where no statement asks it, such as `test ? one : other`. */
export function drawChoice(drawer: Drawer, test: Value, [yes, no]: [() => void, () => void]): void {
  settle(drawer);
  const known = decidedTest(drawer, test);
  if (known !== undefined) {
    (known ? yes : no)();
    return;
  }
  const ways = waysOf(drawer, { test, line: 0 });
  const branches = toBranches("if", titleOf(ways), ways);
  const id = addNode(drawer, { type: "condition", id: "if_else", label: "If / else", config: { branches } });
  const before = drawer.cursor;
  const ends = [yes, no].map((draw, index) => {
    const exits =
      index === 0
        ? branches.map((branch) => ({ nodeId: id, port: String(branch.id) }))
        : [{ nodeId: id, port: "else" }];
    drawer.cursor = { ...cloneCursor(before), exits };
    drawer.cursor.facts.set(printValue(test), index === 0);
    draw();
    return drawer.cursor;
  });
  join(drawer, ends);
}

/** How a test holds: compared by the condition itself, or computed by a function before it. */
function waysOf(drawer: Drawer, { test, line }: { test: Value; line: number }): Comparison[][] {
  const ways = toWays(test);
  if (ways) return ways;
  const computation = toComputation(operation("truth", test), drawer.program.language === "python");
  if (!computation) {
    reportUnknown(drawer, test.kind === "unknown" ? { ...test, line: test.line || line } : test, "a test");
    return [[{ type: "string", left: "", operation: "is-not-empty", right: "" }]];
  }
  const id = addNode(drawer, { ...functionNode(computation), id: "test", label: "Test" });
  return [[{ type: "boolean", left: `{{ ${id}.output.data }}`, operation: "equal", right: true }]];
}

const words: Readonly<Record<string, string>> = { equal: "is", "not-equal": "is not", smaller: "<", larger: ">" };

function titleOf(ways: readonly Comparison[][]): string {
  const [first, ...others] = ways.flat();
  if (!first || others.length > 0) return "";
  const name = /([\w-]+) \}\}$/.exec(first.left)?.[1] ?? "";
  const sign = words[first.operation] ?? first.operation.replaceAll("-", " ");
  return `${name} ${sign} ${first.right}`.trim().slice(0, 200);
}

/** Draws `while`: a condition that is tried again after the body, so often as a loop may go back. */
export function drawWhile(drawer: Drawer, statement: Statement & { kind: "while" }, draw: DrawStatements): void {
  settle(drawer);
  if (asksForWords(statement.body)) {
    drawTurn(drawer, statement, draw);
    return;
  }
  keepAssigned(drawer, statement.body);
  const test = evaluate(drawer.evaluator, statement.test, scopeOf(drawer));
  const isEndless = test.kind === "literal" && Boolean(test.value);
  const nodeBefore = drawer.nodeCount();
  const ways = isEndless ? [] : waysOf(drawer, { test, line: statement.line });
  const leaving: Cursor[] = [];
  const head = isEndless
    ? addNode(drawer, { ...functionNode({ code: "return null;", variables: [] }), id: "again", label: "Again" })
    : addNode(drawer, {
        type: "condition",
        id: "while",
        label: "While",
        config: { branches: toBranches("while", titleOf(ways), ways) },
      });
  const target = drawer.nodeAt(nodeBefore) ?? head;
  if (!isEndless) {
    leaving.push({ ...cloneCursor(drawer.cursor), exits: [{ nodeId: head, port: "else" }] });
    drawer.cursor.exits = toBranches("while", "", ways).map(({ id }) => ({ nodeId: head, port: String(id) }));
  }
  const outer = drawer.frame;
  const continues: Cursor[] = [];
  drawer.frame = { giveBack: (value) => outer.giveBack(value), breaks: leaving, continues };
  draw(drawer, statement.body);
  drawer.frame = outer;
  join(drawer, [drawer.cursor, ...continues]);
  if (!drawer.cursor.isOver) leaving.push(drawLoop(drawer, target));
  join(drawer, leaving);
}

/** A loop that asks for the next message is a chat: each of its rounds is a run of the flow. */
function drawTurn(drawer: Drawer, { body, line }: Statement & { kind: "while" }, draw: DrawStatements): void {
  const text = `Line ${line} of the program: the loop that asks for the next message is left out, since a chat does that. Check that one round of it is what a message should do.`;
  drawer.drawing.report(null).warn("agent-builder-chat-loop", text);
  const outer = drawer.frame;
  const ways: Cursor[] = [];
  drawer.frame = { giveBack: (value) => outer.giveBack(value), breaks: ways, continues: ways };
  draw(drawer, body);
  drawer.frame = outer;
  join(drawer, [drawer.cursor, ...ways]);
}

function drawLoop(drawer: Drawer, target: string): Cursor {
  const config = { target, times: 100, reply: "never" };
  const id = addNode(drawer, { type: "loop", id: "loop", label: "Loop", config });
  const text =
    "The loop of the program is bounded: it goes back at most 100 times. Check its condition and that number.";
  drawer.drawing.report(id).warn("agent-builder-while-unverified", text);
  return cloneCursor(drawer.cursor);
}

/** Names from before the loop that its body gives new values live in the state. */
function keepAssigned(drawer: Drawer, body: readonly Statement[]): void {
  for (const statement of body) {
    const name =
      statement.kind === "assign" && statement.target.kind === "name"
        ? statement.target.name
        : statement.kind === "declare"
          ? statement.target.name
          : "";
    const value = drawer.cursor.names.get(name);
    if (value && !drawer.shared.has(name) && value.kind !== "history" && value.kind !== "state") drawer.found.add(name);
    if (statement.kind === "if") keepAssigned(drawer, [...statement.body, ...statement.otherwise]);
  }
}
