import { withReferences } from "./agents.ts";
import { drawChoice } from "./branches.ts";
import { answerIn } from "./calls.ts";
import { addNode, type Drawer, latestRuns, readState, reportUnknown, settle, templateOf } from "./drawer.ts";
import { toComputation, toTemplate } from "./expressions.ts";
import { printValue, type Value } from "./values.ts";

/** Ends the flow with what the program returns. */
export function endFlow(drawer: Drawer, returned: Value): void {
  const value = stateAsObject(drawer, decided(drawer, returned));
  const [test, yes, no] = value.kind === "operation" && value.operator === "choose" ? value.args : [];
  if (test && yes && no) {
    drawChoice(drawer, test, [() => endFlow(drawer, yes), () => endFlow(drawer, no)]);
    return;
  }
  settle(drawer);
  const run = answerIn(value) ?? runOfPath(drawer, value);
  if (run) endWithRun(drawer, run);
  else if (value.kind === "input") {
    const text =
      "The program gives back on one way what it was asked. The flow ends there without an answer; add a reply, if it needs one.";
    drawer.drawing.report(null).warn("agent-builder-returns-input", text);
  } else if (value.kind === "object") endWithObject(drawer, value);
  else if (isNothing(value)) endWithLatest(drawer);
  else endWithText(drawer, value);
  drawer.cursor.isOver = true;
}

/** An object that the program fills step by step, as what the state holds of it. */
function stateAsObject(drawer: Drawer, value: Value): Value {
  if (value.kind !== "state") return value;
  const keys = [...drawer.state.keys()].filter((key) => value.prefix !== "" && key.startsWith(value.prefix));
  const fields = keys.map((key) => [key.slice(value.prefix.length), readState(drawer, key)] as const);
  return { kind: "object", fields: new Map(fields) };
}

function isNothing(value: Value): boolean {
  return (
    (value.kind === "literal" && value.value === null) ||
    /^(plumbing|messages|history|state|function|class)$/.test(value.kind)
  );
}

/** A choice between two values that the way to here has decided. */
function decided({ cursor }: Drawer, value: Value): Value {
  if (value.kind !== "operation") return value;
  const [test, yes, no] = value.args;
  if (value.operator === "choose" && test && yes && no) {
    const outcome = cursor.facts.get(printValue(test));
    return outcome === undefined ? value : outcome ? yes : no;
  }
  // `(test and yes) or no`, as Python programs choose.
  const [pair, otherwise] = value.args;
  if (value.operator !== "or" || pair?.kind !== "operation" || pair.operator !== "and" || !otherwise) return value;
  const outcome = pair.args[0] && cursor.facts.get(printValue(pair.args[0]));
  return outcome === undefined ? value : ((outcome ? pair.args[1] : otherwise) ?? value);
}

function runOfPath({ modelNodes }: Drawer, value: Value): (Value & { kind: "run" }) | undefined {
  const id = value.kind === "path" ? /^([\w-]+)(?:\.output\.json)?$/.exec(value.path)?.[1] : undefined;
  return id !== undefined && modelNodes.has(id) ? { kind: "run", nodeIds: [id], text: value, data: value } : undefined;
}

/** Where the program returns nothing, the words of the last agent are the answer. */
function endWithLatest(drawer: Drawer): void {
  for (const [run, exits] of latestRuns(drawer)) {
    const own = run.kind === "run" ? run.nodeIds : [];
    const silent = exits.filter(({ nodeId }) => !own.includes(nodeId));
    if (run.kind !== "run" || silent.length === 0) continue;
    drawer.cursor.exits = silent;
    endWithRun(drawer, { ...run });
    for (const id of own) drawer.returned.delete(id);
  }
}

/** An agent that stands last, or that was shown before, has given its answer; another one is repeated. */
function endWithRun(drawer: Drawer, { nodeIds, text, data }: Value & { kind: "run" }): void {
  const { cursor, drawing, returned, shown } = drawer;
  const isLast =
    cursor.exits.length > 0 && cursor.exits.every(({ nodeId, port }) => port === "out" && nodeIds.includes(nodeId));
  for (const id of nodeIds) returned.add(id);
  const isStructured = data.kind === "path" && data.path.endsWith(".output.json");
  const isDecision = nodeIds.some((id) => drawing.node(id).type === "condition-agent");
  if (isLast || isStructured || isDecision || (nodeIds.length > 0 && nodeIds.every((id) => shown.has(id)))) return;
  endWithText(drawer, text);
}

function endWithText(drawer: Drawer, value: Value): void {
  const message = templateOf(drawer, withReferences(drawer, value), "the answer");
  if (message === "") return;
  addNode(drawer, { type: "direct-reply", id: "end", label: "End", config: { message } });
}

/** One text is the answer; several fields are an answer of data. */
function endWithObject(drawer: Drawer, value: Value & { kind: "object" }): void {
  const fields = [...value.fields].filter(([, item]) => !/^(history|messages|plumbing|state)$/.test(item.kind));
  const [only] = fields;
  if (fields.length === 1 && only && isWords(drawer, only[1])) {
    endWithText(drawer, only[1]);
    return;
  }
  if (fields.length === 0) return;
  const computation = toComputation({ kind: "object", fields: new Map(fields) }, drawer.program.language === "python");
  if (computation === undefined) {
    reportUnknown(drawer, value, "the answer");
    return;
  }
  addNode(drawer, { type: "custom-function", id: "end", label: "End", config: { ...computation } });
}

function isWords(drawer: Drawer, value: Value): boolean {
  if (value.kind === "literal") return typeof value.value === "string";
  return (
    value.kind === "text" ||
    value.kind === "run" ||
    runOfPath(drawer, value) !== undefined ||
    toTemplate(value) !== undefined
  );
}
