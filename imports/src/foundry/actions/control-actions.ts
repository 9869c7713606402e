import { isJsonObject, type Json, type JsonObject } from "@weft/schema";
import { type Exit, exitOf } from "../../drawing/index.ts";
import { anyOf, fieldOf, objectsIn, textIn } from "../fields.ts";
import { toLiteral } from "../power-fx/index.ts";
import { type ConvertAction, type OpenLoop, type Step, silent } from "../step.ts";
import { addFunction, codeOf, codeOfCondition, testOf, type Update } from "../values.ts";
import { endings } from "../workflow-facts.ts";
import { assignedCode, targetIn } from "./state-actions.ts";

/** Most branches of a condition node. */
const maxBranches = 50;

type Branch = { id: string; title: string; condition: Json | undefined; actions: Json[] };

export const conditionGroup: ConvertAction = (step, from) => {
  const branches = objectsIn(step.action, "conditions").map((condition, index): Branch => {
    const title = textIn(condition, "displayName") || textIn(condition, "id");
    return {
      id: `branch-${index + 1}`,
      title: title.slice(0, 500),
      condition: anyOf(condition, "condition", "when"),
      actions: listOf(fieldOf(condition, "actions")),
    };
  });
  for (const name of ["else", "default"]) {
    if (fieldOf(step.action, name) === undefined) continue;
    step.refuse(
      "foundry-field-invalid",
      `A group of conditions has no field ${name}. Call it elseActions and import again.`,
    );
  }
  return drawBranches(step, { branches, otherwise: listOf(fieldOf(step.action, "elseActions")) }, from);
};

export const ifAction: ConvertAction = (step, from) => {
  const branch = {
    id: "branch-1",
    title: "Then",
    condition: fieldOf(step.action, "condition"),
    actions: listOf(anyOf(step.action, "then", "actions")),
  };
  return drawBranches(step, { branches: [branch], otherwise: listOf(anyOf(step.action, "else", "elseActions")) }, from);
};

/** A list of actions, also within an object that has one. */
function listOf(value: Json | undefined): Json[] {
  if (Array.isArray(value)) return value;
  const inner = isJsonObject(value) ? fieldOf(value, "actions") : undefined;
  return Array.isArray(inner) ? inner : [];
}

type Group = { branches: readonly Branch[]; otherwise: Json[] };

/** The first branch that holds is taken. All that end, and the way past all of them, go on together. */
function drawBranches(step: Step, { branches, otherwise }: Group, from: readonly Exit[]): Exit[] {
  if (branches.length === 0) return step.flow.list(otherwise, from);
  if (branches.some(({ condition }) => condition === undefined || condition === "")) {
    step.refuse(
      "foundry-condition-missing",
      "One of its branches has no condition and is never taken. Enter one and import again.",
    );
  }
  const { nodes, last } = drawDecision(step, branches, from);
  const ends = branches.flatMap(({ id, actions }, index) =>
    step.flow.list(actions, exitOf(nodes[Math.floor(index / maxBranches)] ?? last, id)),
  );
  return [...ends, ...step.flow.list(otherwise, exitOf(last, "else"))];
}

/** Condition nodes one behind the other, as many as it takes. */
function drawDecision(step: Step, branches: readonly Branch[], from: readonly Exit[]) {
  const tests = branches.map(({ condition }) => testOf(step, condition));
  const isNative = tests.every((test) => test !== undefined);
  const computed = isNative ? undefined : drawChoice(step, branches, from);
  const rows = branches.map(({ id, title }, index): JsonObject => {
    const test = computed === undefined ? tests[index] : chosen(computed.reference, id);
    return { id, title, ...(test ?? chosen("", id)) };
  });
  const nodes: string[] = [];
  let exits = computed?.exits ?? from;
  for (let start = 0; start < rows.length; start += maxBranches) {
    const config = { branches: rows.slice(start, start + maxBranches) };
    const part = start > 0 ? `more_${nodes.length + 1}` : "";
    const id = step.add({ type: "condition", config, part }, exits);
    nodes.push(id);
    exits = exitOf(id, "else");
  }
  return { nodes, last: nodes.at(-1) ?? "" };
}

function chosen(left: string, right: string) {
  return { match: "all", conditions: [{ type: "string", left, operation: "equal", right }] };
}

/** A function that says which branch is taken. It evaluates no condition behind the first that holds. */
function drawChoice(step: Step, branches: readonly Branch[], from: readonly Exit[]) {
  const codes = branches.map(({ condition }) => codeOfCondition(step, condition));
  const code = branches.reduceRight(
    (rest, { id }, index) => `${codes[index]?.code ?? "false"} ? ${toLiteral(id)} :\n    ${rest}`,
    '"else"',
  );
  const sources = codes.flatMap((one) => one.sources);
  const { nodeId, reference } = addFunction(step, { part: "decide", values: { branch: { code, sources } } }, from);
  return { reference: reference("branch"), exits: exitOf(nodeId) };
}

/** How often a loop goes back at most: all that a loop node takes. */
const maxPasses = 1_000;

export const foreach: ConvertAction = (step, from) => {
  const given = anyOf(step.action, "items", "source", "itemsSource");
  if (given === undefined)
    step.refuse("foundry-items-missing", "It names no items to go through. Enter them and import again.");
  const items = codeOf(step, given);
  const value = targetIn(step, anyOf(step.action, "value", "itemName") ?? "Local.item", "value");
  const index = targetIn(step, anyOf(step.action, "index", "indexName"), "index");
  const rowsKey = step.flow.variables.own(`${step.id}_rows`);
  const nextKey = step.flow.variables.own(`${step.id}_next`);
  const begin = addFunction(
    step,
    {
      before: [
        `const rows = fx_rows(${items.code}).map(fx_single);`,
        `if (rows.length > ${maxPasses}) throw new Error("A loop takes at most ${maxPasses} items. Divide the list.");`,
      ],
      values: { rows: { code: "rows", sources: items.sources }, next: { code: "0", sources: [] } },
      updates: (reference) => [
        { key: rowsKey, value: reference("rows") },
        { key: nextKey, value: reference("next") },
      ],
    },
    from,
  );
  const written = [
    ...(value === undefined ? [] : [{ target: value, code: "fx_rows(state.rows)[state.next] ?? null", name: "value" }]),
    ...(index === undefined ? [] : [{ target: index, code: "isItem ? state.next : null", name: "index" }]),
  ];
  const item = addFunction(
    step,
    {
      part: "item",
      before: [
        `const state = { rows: $flow.state[${toLiteral(rowsKey)}], next: $flow.state[${toLiteral(nextKey)}] };`,
        "const isItem = state.next < fx_rows(state.rows).length;",
      ],
      values: {
        isItem: { code: "isItem", sources: [] },
        next: { code: "state.next + 1", sources: [] },
        ...Object.fromEntries(
          written.map(({ name, target, code }) => [name, { code: assignedCode(target, code), sources: [] }]),
        ),
      },
      updates: (reference) => [
        { key: nextKey, value: reference("next") },
        ...written.map(({ name, target }): Update => ({ key: target.key, value: reference(name) })),
      ],
    },
    exitOf(begin.nodeId),
  );
  const condition = { type: "boolean", left: item.reference("isItem"), operation: "equal", right: true };
  const more = step.add(
    {
      type: "condition",
      part: "more",
      config: { branches: [{ id: "item", title: "Next item", match: "all", conditions: [condition] }] },
    },
    exitOf(item.nodeId),
  );
  return drawBody(step, { itemId: item.nodeId, moreId: more, keys: written.map(({ target }) => target.key) });
};

type Drawn = { itemId: string; moreId: string; keys: readonly string[] };

function drawBody(step: Step, { itemId, moreId, keys }: Drawn): Exit[] {
  const loop: OpenLoop = { breaks: [], continues: [] };
  step.flow.loops.push(loop);
  const ends = step.flow.list(listOf(fieldOf(step.action, "actions")), exitOf(moreId, "item"));
  step.flow.loops.pop();
  const again = [...ends, ...loop.continues];
  // A body whose end is not reached goes back to nothing.
  if (step.flow.leads(itemId, again)) addLoop(step, { part: "again", target: itemId }, again);
  const left = loop.breaks.length === 0 ? [] : leave(step, keys, loop.breaks);
  return [...exitOf(moreId, "else"), ...left];
}

/** After a break the item and its index are blank, as they are after the last item. */
function leave(step: Step, keys: readonly string[], breaks: readonly Exit[]): Exit[] {
  if (keys.length === 0) return [...breaks];
  const { nodeId } = addFunction(
    step,
    {
      part: "left",
      values: { blank: { code: "null", sources: [] } },
      updates: (reference) => keys.map((key) => ({ key, value: reference("blank") })),
    },
    breaks,
  );
  return exitOf(nodeId);
}

/** Goes back to a node that leads to the exits. */
export function addLoop(
  step: Step,
  { part, target, times = maxPasses, fallback }: { part: string; target: string; times?: number; fallback?: string },
  from: readonly Exit[],
): string {
  const config = { target, times, ...(fallback === undefined ? silent : { fallback }) };
  return step.add({ type: "loop", part, config }, from);
}

/** Outside of a loop these do nothing. */
const leaveLoop =
  (exitsOf: (loop: OpenLoop) => Exit[]): ConvertAction =>
  (step, from) => {
    const loop = step.flow.loops.at(-1);
    if (loop === undefined) {
      step.warn("foundry-loop-missing", "It stands outside of a Foreach, where it does nothing. Remove it.");
      return [...from];
    }
    exitsOf(loop).push(...from);
    return [];
  };

export const breakLoop: ConvertAction = leaveLoop(({ breaks }) => breaks);
export const continueLoop: ConvertAction = leaveLoop(({ continues }) => continues);

export const endRun: ConvertAction = (step) => {
  if (step.kind.toLowerCase() === "endconversation") {
    step.warn(
      "foundry-end-conversation",
      "In Foundry the next message begins a new conversation; here it continues the session. Begin a new chat where that matters.",
    );
  }
  return [];
};

/** Forwards by an edge; backwards by a loop, which ends after 1,000 passes. */
export const gotoAction: ConvertAction = (step, from) => {
  const target = textIn(step.action, "actionId", "target");
  const entry = step.flow.entries.get(target);
  if (target === step.id || target === "") {
    step.refuse("foundry-goto-unresolved", "It names no other action to go to. Enter its id as actionId.");
    return [];
  }
  const passed = step.flow.passed.get(target);
  if (passed !== undefined && endings.has(passed)) return [];
  if (entry === undefined && passed !== undefined) {
    step.refuse(
      "foundry-goto-unresolved",
      `It goes back to ${target}, which has no step of its own. Go to the action behind it.`,
    );
    return [];
  }
  if (entry === undefined) {
    step.flow.jumps.push({ step, target, from });
    step.flow.forward.set(target, [...(step.flow.forward.get(target) ?? []), ...from]);
    return [];
  }
  if (from.length === 0) return [];
  if (!step.flow.leads(entry, from)) {
    step.flow.drawing.connect(from, entry);
    return [];
  }
  const fallback = `The flow went back to ${target.replaceAll(/[{}]/g, "")} ${maxPasses} times and stopped.`;
  const id = addLoop(step, { part: "", target: entry, fallback }, from);
  step.warn(
    "foundry-goto-bounded",
    `It goes back to ${target} at most ${maxPasses} times; Foundry has no such limit. Lower it where a run can go astray.`,
    id,
  );
  return [];
};
