import { parsePath } from "@weft/engine/template";
import type { JsonObject } from "@weft/schema";
import type { ClassicNode, Exit } from "../../flowise-classic/index.ts";
import { toAnswerFields, toQuestion } from "../ask.ts";
import { titleOf, toPlainName, type Wire } from "../sequence.ts";
import { ignoreTabs } from "../state.ts";
import { addHelper, addStep, placesOf, type StepConverter, type StepScope, type Way } from "../step.ts";
import { toAuthorCode, toReference, toValueTemplate, type ValuePlaces } from "../values.ts";

/** Goes on where its rules, or its code, lead. */
const seqCondition: StepConverter = {
  draw(scope) {
    const add = (config: Parameters<typeof addStep>[2], from: StepScope["from"]) =>
      addStep({ ...scope, from }, "condition", config);
    return { ways: drawDecision(scope, { from: scope.from, add }), answers: false };
  },
};

/** Asks a model, and goes on by what it said. Nothing of it joins the conversation. */
const seqConditionAgent: StepConverter = {
  draw(scope) {
    const asked = addStep(scope, "llm", {
      ...toQuestion(scope),
      ...toAnswerFields(scope, "conditionAgentStructuredOutput"),
      responseRole: "none",
    });
    const ways = drawDecision(scope, {
      from: [asked],
      add: (config, from) => addHelper(scope, { name: "branch", label: "Branch", type: "condition", config, from }),
      own: (path) => toReference([asked.id, "output", ...path]),
      output: `{{ ${asked.id}.output }}`,
    });
    return { ways, answers: false };
  },
};

/** Goes back to a step by its name. When it has been there often enough, the last message is the answer. */
const seqLoop: StepConverter = {
  draw(scope) {
    const { plan, settings, report } = scope;
    const wanted = settings.text("loopToName");
    const target = [plan.start, ...plan.sequence.steps].find(
      (step) => toPlainName(titleOf(step)) === toPlainName(wanted),
    );
    if (target === undefined) {
      report.refuse(
        "loop-target-missing",
        `It goes back to "${wanted.slice(0, 200)}", and no step has that name. Correct the name.`,
        "target",
      );
    }
    const exit = addStep(scope, "loop", {
      target: plan.stepIds.get(target?.id ?? "") ?? "",
      times: Math.max(5, Math.floor(mostSteps / stepsBetween(scope, target?.id))),
      fallback: lastSaid,
    });
    return { ways: [exit], answers: true };
  },
};

const lastSaid = "{{ $flow.runtimeChatHistory[-1].content }}";

/** Steps that a run made at most. */
const mostSteps = 25;

/** How many steps one round of a loop has. */
function stepsBetween({ plan, node }: StepScope, target: string | undefined): number {
  const { from, steps } = plan.sequence;
  const reached = new Set(target === undefined ? [] : [target]);
  for (const step of steps) if (reached.has(step.id)) for (const wire of from(step)) reached.add(wire.target);
  const leading = new Set([node.id]);
  for (const step of steps.toReversed()) if (from(step).some((wire) => leading.has(wire.target))) leading.add(step.id);
  return Math.max(1, [...reached].filter((id) => leading.has(id) && id !== node.id).length);
}

/** Ends its way: what was said last is the answer. */
const seqEnd: StepConverter = { draw: () => ({ ways: [], answers: true }) };

export const branches: Readonly<Record<string, StepConverter>> = { seqCondition, seqConditionAgent, seqLoop, seqEnd };

/** One rule: the first that holds names the branch. */
type Rule = { variable: string; operation: string; value: string; output: string };

/** The branch for values that match no rule. */
const end = "End";
const elsePort = "else";

type Decision = {
  /** Where the decision begins. */
  from: readonly Exit[];
  /** Adds the native condition. */
  add: (config: JsonObject, from: readonly Exit[]) => Exit;
  own?: ValuePlaces["own"];
  /** The value of `$flow.output` in code. */
  output?: string;
};

/** Draws what leads to the branches of a component: its table of rules, or its code. */
function drawDecision(scope: StepScope, decision: Decision): readonly Way[] {
  const { node, settings } = scope;
  const tab = settings.text(`selectedConditionFunctionTab_${node.id}`) || presetTab(scope);
  ignoreTabs(scope, ["condition", "conditionUI", "conditionFunction"]);
  if (tab === "conditionFunction") return drawCode(scope, decision, settings.text("conditionFunction"));
  const rules = settings.rows("conditionUI").map((row) => ({
    variable: row.text("variable"),
    operation: row.text("operation"),
    value: row.text("value"),
    output: row.text("output"),
  }));
  const places = placesOf(scope, decision.own);
  const branches = rules.map((rule, index) => toBranch(rule, { id: String(index), places }));
  const isNative = branches.length <= maxBranches && branches.every((branch) => branch !== undefined);
  if (isNative) return drawTable(scope, decision, { rules, branches });
  return drawCode(scope, decision, toRuleCode(rules), stepsNamedIn(rules, places));
}

const maxBranches = 50;

/** Exports without a chosen tab have one of the two. */
function presetTab({ settings }: StepScope): string {
  return settings.rows("conditionUI").length === 0 && settings.text("conditionFunction") !== ""
    ? "conditionFunction"
    : "conditionUI";
}

function drawTable(
  { node }: StepScope,
  { add, from }: Decision,
  { rules, branches }: { rules: readonly Rule[]; branches: readonly (JsonObject | undefined)[] },
): Way[] {
  const { id } = add({ branches: branches.flatMap((branch) => branch ?? []) }, from);
  const ports = rules.map(({ output }, index) => ({ label: output, port: String(index) }));
  return [...ports, { label: end, port: elsePort }].map(({ label, port }) => ({
    id,
    port,
    takes: leadsTo(node, label),
  }));
}

/** The code gives the name of a branch. One that no way leaves from ends the run. */
function drawCode(
  scope: StepScope,
  { add, from, output }: Decision,
  code: string,
  named: readonly JsonObject[] = [],
): Way[] {
  const { node, conversion } = scope;
  const { variables, code: body } = toAuthorCode(code, { output, hasHistory: conversion.hasHistory });
  const decided = addHelper(scope, {
    name: "decide",
    label: "Decide",
    type: "custom-function",
    config: { variables: [...variables, ...named], code: body },
    from,
  });
  const names = [...new Set(node.outputs.map(({ label }) => label))].filter((label) => label !== "" && label !== end);
  const branches = names.slice(0, maxBranches).map((label, index) => ({
    id: String(index),
    title: label.slice(0, 500),
    conditions: [{ type: "string", left: `{{ ${decided.id} }}`, operation: "equal", right: label }],
  }));
  const { id } = add({ branches }, [decided]);
  const ports = branches.map(({ id: port }, index) => ({ label: names[index] ?? end, port }));
  return [...ports, { label: end, port: elsePort }].map(({ label, port }) => ({
    id,
    port,
    takes: leadsTo(node, label),
  }));
}

/** Whether a way leaves from the branch of a label. */
function leadsTo({ id, outputs }: ClassicNode, label: string): (wire: Wire) => boolean {
  const handle = outputs.find((output) => output.label === label)?.handle;
  const plain = `${id}-output-${toCamelCase(label)}-`;
  return (wire) => (handle === undefined ? wire.handle.startsWith(plain) : wire.handle === handle);
}

function toCamelCase(label: string): string {
  const [first = "", ...rest] = label.trim().toLowerCase().split(/\s+/);
  return [first, ...rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))].join("");
}

const textOperations: Readonly<Record<string, string>> = {
  Contains: "contains",
  "Start With": "starts-with",
  "End With": "ends-with",
  Is: "equal",
};

/**
 * The native branch of a rule, where it means the same. What is missing, empty, 0 or false makes every rule false except
 * Is Empty. So only rules are native that hold for texts alone; the others are left to code, which sees what kind of value
 * there is.
 */
function toBranch(rule: Rule, { id, places }: { id: string; places: ValuePlaces }): JsonObject | undefined {
  const { variable, value } = rule;
  const operation = Object.hasOwn(textOperations, rule.operation) ? textOperations[rule.operation] : undefined;
  const left = toValueTemplate(variable, places);
  const holdsForText = value !== "" && !["0", "false"].some((falsy) => falsy.includes(value)) && !value.includes("{{");
  if (left === undefined || operation === undefined || !holdsForText) return undefined;
  return {
    id,
    title: rule.output.slice(0, 500),
    conditions: [{ type: "string", left, operation, right: value }],
  };
}

/** The rules as code that gives the name of a branch. */
function toRuleCode(rules: readonly Rule[]): string {
  const rows = rules.map(({ variable, operation, value, output }) => {
    const texts = [operation, value, output].map((text) => JSON.stringify(text));
    return `  [${[toLeft(variable), ...texts].join(", ")}],`;
  });
  return `${readFunction}\nconst rules = [\n${rows.join("\n")}\n];\n${judge}`;
}

function toLeft(variable: string): string {
  const [root = "", ...rest] = parsePath(variable.trim()) ?? [];
  if (root === "$flow" || root === "$vars") return `read(${root}, ${JSON.stringify(rest)})`;
  return /^\$[A-Za-z_]\w*$/.test(root)
    ? `read(typeof ${root} === "undefined" ? null : ${root}, ${JSON.stringify(rest)})`
    : "null";
}

/** The last messages of steps that rules name, as values of the code. */
function stepsNamedIn(rules: readonly Rule[], { step }: ValuePlaces): JsonObject[] {
  const ids = new Set(rules.map(({ variable }) => (parsePath(variable.trim())?.[0] ?? "").replace("$", "")));
  return [...ids].flatMap((id) => {
    const value = step(id)?.([]);
    return value === undefined ? [] : [{ name: id, value }];
  });
}

const readFunction = `const read = (value, path) =>
  path.reduce((at, name) => (Array.isArray(at) && /^-?\\d+$/.test(name) ? at.at(Number(name)) : at?.[name]), value);`;

const judge = `const text = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));
const numbers = (left, right, compare) =>
  !Number.isNaN(Number(left)) && String(right).trim() !== "" && !Number.isNaN(Number(right)) && compare(Number(left), Number(right));
const operations = {
  "Contains": (left, right) => text(left).includes(right),
  "Not Contains": (left, right) => !text(left).includes(right),
  "Start With": (left, right) => text(left).startsWith(right),
  "End With": (left, right) => text(left).endsWith(right),
  "Is": (left, right) => text(left) === right,
  "Is Not": (left, right) => text(left) !== right,
  "Is Not Empty": () => true,
  "Greater Than": (left, right) => numbers(left, right, (a, b) => a > b),
  "Less Than": (left, right) => numbers(left, right, (a, b) => a < b),
  "Equal To": (left, right) => numbers(left, right, (a, b) => a === b),
  "Not Equal To": (left, right) => numbers(left, right, (a, b) => a !== b),
  "Greater Than or Equal To": (left, right) => numbers(left, right, (a, b) => a >= b),
  "Less Than or Equal To": (left, right) => numbers(left, right, (a, b) => a <= b),
};
const holds = ([left, operation, right]) =>
  operation === "Is Empty" ? !left : Boolean(left) && Boolean(operations[operation]?.(left, right));
return rules.find(holds)?.[3] ?? "End";`;
