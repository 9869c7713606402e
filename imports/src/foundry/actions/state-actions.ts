import { isJsonObject, type Json, type JsonObject } from "@weft/schema";
import { type Exit, exitOf } from "../../drawing/index.ts";
import { anyOf, fieldOf, kindIn, objectIn, objectsIn, textIn } from "../fields.ts";
import { toLiteral } from "../power-fx/index.ts";
import type { ConvertAction, Step } from "../step.ts";
import { addFunction, type Code, codeOf, codeOfText, type Update } from "../values.ts";
import { stateCode, type Target } from "../variables.ts";

/** One variable that gets a value. */
type Assignment = { target: Target; value: Code };

/** The place that a field names. Where it names none, a finding says so. */
export function targetIn(step: Step, value: Json | undefined, field: string): Target | undefined {
  if (value === undefined || value === "") return undefined;
  const target = typeof value === "string" ? step.flow.variables.target(value) : undefined;
  if (target === undefined) {
    step.refuse(
      "foundry-variable-invalid",
      `Its ${field} names no variable, as Local.Name does. Correct it and import again.`,
    );
  }
  return target;
}

/** JavaScript of what a target's key holds once its place has the value. */
export function assignedCode({ key, rest }: Target, code: string): string {
  return rest.length === 0 ? code : `fx_assign(${stateCode(key)} ?? null, ${toLiteral(rest)}, ${code})`;
}

/** Draws a function that gives variables their values, in order. */
export function assign(step: Step, assignments: readonly Assignment[], from: readonly Exit[], part?: string): Exit[] {
  const values = new Map<string, Code>();
  const updates = new Map<string, string>();
  const before: string[] = [];
  for (const { target, value } of assignments) {
    const name = `value${updates.size === 0 ? "" : updates.size + 1}`;
    const own = updates.get(target.key) ?? name;
    updates.set(target.key, own);
    // An assignment reads what those before it wrote.
    before.push(`${stateCode(target.key)} = ${assignedCode(target, value.code)};`);
    values.set(own, { code: stateCode(target.key), sources: [...(values.get(own)?.sources ?? []), ...value.sources] });
  }
  const [only, ...others] = assignments;
  const isSingle = only !== undefined && others.length === 0;
  const single = isSingle ? { value: { ...only.value, code: assignedCode(only.target, only.value.code) } } : undefined;
  const { nodeId } = addFunction(
    step,
    {
      ...(part === undefined ? {} : { part }),
      values: single ?? Object.fromEntries(values),
      before: isSingle ? [] : before,
      updates: (reference) => [...updates].map(([key, name]): Update => ({ key, value: reference(name) })),
    },
    from,
  );
  return exitOf(nodeId);
}

const setOne =
  (readValue: (step: Step, value: Json | undefined) => Code): ConvertAction =>
  (step, from) => {
    const target = targetIn(step, anyOf(step.action, "variable", "path", "property", "target"), "variable");
    const value = readValue(step, fieldOf(step.action, "value"));
    if (target === undefined) return missingTarget(step, from);
    return assign(step, [{ target, value: asKept(step, target, value) }], from);
  };

/** A variable of messages keeps their text. */
function asKept(step: Step, target: Target, value: Code): Code {
  if (!step.flow.variables.holdsMessages(target)) return value;
  return { ...value, code: `fx_messageText(${value.code})` };
}

/** Adds a value to the end of a list. */
export const appendValue: ConvertAction = (step, from) => {
  const target = targetIn(step, anyOf(step.action, "path", "variable"), "path");
  if (target === undefined) return missingTarget(step, from);
  return drawChange(
    step,
    {
      table: target,
      change: { rows: "[...rows, item]", result: "item" },
      value: fieldOf(step.action, "value"),
      index: undefined,
    },
    from,
  );
};

export const setVariable: ConvertAction = setOne(codeOf);
export const setTextVariable: ConvertAction = setOne(codeOfText);

/** An action that writes to nowhere still has its place in the flow. */
function missingTarget(step: Step, from: readonly Exit[]): Exit[] {
  const { nodeId } = addFunction(step, { values: {} }, from);
  step.refuse(
    "foundry-variable-invalid",
    "It names no variable to write to. Add one, as Local.Name, and import again.",
    nodeId,
  );
  return exitOf(nodeId);
}

export const setMultipleVariables: ConvertAction = (step, from) => {
  const rows = anyOf(step.action, "assignments", "variables");
  const assignments = (isJsonObject(rows) ? toRows(rows) : objectsIn(step.action, "assignments", "variables")).flatMap(
    (row): Assignment[] => {
      const target = targetIn(step, anyOf(row, "variable", "path", "name"), "variable");
      const value = codeOf(step, fieldOf(row, "value"));
      return target === undefined ? [] : [{ target, value: asKept(step, target, value) }];
    },
  );
  return assign(step, assignments, from);
};

function toRows(object: JsonObject): JsonObject[] {
  return Object.entries(object).map(([variable, value]) => ({ variable, value }));
}

export const resetVariable: ConvertAction = (step, from) => {
  const target = targetIn(step, anyOf(step.action, "variable", "path", "property"), "variable");
  if (target === undefined) return missingTarget(step, from);
  return assign(step, [{ target, value: { code: "null", sources: [] } }], from);
};

/** Most updates of the state that one step makes. */
const maxUpdates = 100;

export const clearAllVariables: ConvertAction = (step, from) => {
  const scope = textIn(step.action, "variables")
    .toLowerCase()
    .replace(/^=?\s*/, "");
  if (scope === "conversationhistory") {
    const exits = assign(step, [], from);
    step.warn(
      "foundry-conversation-approximated",
      "It forgets the conversation, which a flow keeps. Set the memory of the agents behind it to what they are to see.",
    );
    return exits;
  }
  const { variables, facts } = step.flow;
  for (const target of facts.targets) variables.target(target);
  const keys = scope === "allglobalvariables" ? variables.keysIn("global") : variables.keysIn("local");
  const cleared = keys.map((key) => ({ target: { key, rest: [] }, value: { code: "null", sources: [] } }));
  let exits = assign(step, cleared.slice(0, maxUpdates), from);
  for (let start = maxUpdates; start < cleared.length; start += maxUpdates) {
    exits = assign(step, cleared.slice(start, start + maxUpdates), exits, `more_${start}`);
  }
  return exits;
};

/** What text becomes of each kind of value. */
const parsers: ReadonlyMap<string, string> = new Map([
  ["any", "fx_ifError([() => fx_parseJson(given), () => given])"],
  ["string", "given === null ? null : fx_text(given)"],
  ["number", "fx_value(given)"],
  ["decimal", "fx_value(given)"],
  ["integer", "given === null ? null : fx_int(given)"],
  ["boolean", "fx_toBoolean(given)"],
  ["record", "fx_parseJson(given)"],
  ["object", "fx_parseJson(given)"],
  ["table", "fx_rows(fx_parseJson(given))"],
  ["list", "fx_rows(fx_parseJson(given))"],
  ["array", "fx_rows(fx_parseJson(given))"],
]);

export const parseValue: ConvertAction = (step, from) => {
  const target = targetIn(step, anyOf(step.action, "variable", "property", "path"), "variable");
  if (target === undefined) return missingTarget(step, from);
  const type = anyOf(step.action, "valueType", "type");
  const word = kindIn(type).toLowerCase() || (isJsonObject(type) ? "record" : "any");
  const parser = parsers.get(word);
  if (parser === undefined) {
    step.refuse(
      "foundry-value-type-unsupported",
      `The value type ${word} is not supported. Use String, Number, Boolean, Record or Table.`,
    );
  }
  const value = codeOf(step, anyOf(step.action, "value", "source"));
  const code = `((given) => ${parser ?? "given"})(fx_single(${value.code}))`;
  return assign(step, [{ target, value: { code, sources: value.sources } }], from);
};

/** What is done to the rows, and what the result variable gets. */
type TableChange = { rows: string; result: string };

const changes: ReadonlyMap<string, TableChange> = new Map([
  ["add", { rows: "[...rows, item]", result: "item" }],
  ["addfirst", { rows: "[item, ...rows]", result: "item" }],
  ["insert", { rows: "[...rows.slice(0, place), item, ...rows.slice(place)]", result: "item" }],
  ["remove", { rows: "rows.filter((row) => !isSame(row))", result: "null" }],
  ["delete", { rows: "rows.filter((row) => !isSame(row))", result: "null" }],
  [
    "addorupdate",
    { rows: "rows.some(isSame) ? rows.map((row) => (isSame(row) ? item : row)) : [...rows, item]", result: "item" },
  ],
  ["set", { rows: "rows.map((row, index) => (index === place ? item : row))", result: "item" }],
  ["update", { rows: "rows.map((row, index) => (index === place ? item : row))", result: "item" }],
  ["clear", { rows: "[]", result: "null" }],
  ["takefirst", { rows: "rows.slice(1)", result: "rows[0] ?? null" }],
  ["takelast", { rows: "rows.slice(0, -1)", result: "rows.at(-1) ?? null" }],
]);

export const editTable: ConvertAction = (step, from) => {
  const { action } = step;
  const type = anyOf(action, "changeType", "operation");
  const operation = isJsonObject(type) ? type : {};
  const word = kindIn(type)
    .toLowerCase()
    .replace(/^.*[.=]/, "")
    .replace(/(items?)?operation$/, "")
    .replace(/items?$/, "");
  const change = changes.get(word);
  const table = targetIn(step, anyOf(action, "itemsVariable", "table", "variable"), "itemsVariable");
  if (table === undefined) return missingTarget(step, from);
  if (change === undefined) {
    step.refuse(
      "foundry-table-change-unsupported",
      `The change ${word || "without a name"} is not supported. Use Add, Remove, Clear, TakeFirst or TakeLast.`,
    );
  }
  const value = anyOf(action, "value", "item", "row") ?? anyOf(operation, "value", "item", "row");
  const index = anyOf(action, "index") ?? anyOf(operation, "index");
  return change === undefined ? assign(step, [], from) : drawChange(step, { table, change, value, index }, from);
};

type Editing = { table: Target; change: TableChange; value: Json | undefined; index: Json | undefined };

function drawChange(step: Step, { table, change, value, index }: Editing, from: readonly Exit[]): Exit[] {
  const item = codeOf(step, value);
  const place = codeOf(step, index ?? 0);
  const path = toLiteral(table.rest);
  const key = textIn(step.action, "key");
  const read =
    table.rest.length === 0 ? stateCode(table.key) : `${path}.reduce(fx_field, ${stateCode(table.key)} ?? null)`;
  const before = [
    `const rows = fx_rows(${read} ?? null);`,
    `const item = ${item.code};`,
    `const isSame = (row) => fx_rows(item).some((other) => ${sameCode(key)});`,
    `const place = fx_int(${place.code});`,
  ];
  const result = targetIn(
    step,
    anyOf(step.action, "resultVariable") ?? anyOf(objectIn(step.action, "changeType"), "resultVariable"),
    "resultVariable",
  );
  const { nodeId } = addFunction(
    step,
    {
      before,
      values: {
        rows: { code: assignedCode(table, change.rows), sources: item.sources },
        ...(result === undefined ? {} : { result: { code: assignedCode(result, change.result), sources: [] } }),
      },
      updates: (reference) => [
        { key: table.key, value: reference("rows") },
        ...(result === undefined ? [] : [{ key: result.key, value: reference("result") }]),
      ],
    },
    from,
  );
  return exitOf(nodeId);
}

/** Whether a row is the one that is meant: by a field that identifies rows, or as a whole. */
function sameCode(key: string): string {
  return key === ""
    ? "fx_equal(row, other)"
    : `fx_equal(fx_field(row, ${toLiteral(key)}), fx_field(other, ${toLiteral(key)}))`;
}
