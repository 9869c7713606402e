import { type Json, type JsonObject, toJsonList } from "@weft/schema";
import { parseLenientJson } from "../agentflow-v2/index.ts";
import { type ClassicScope, type Exit, toLiteral } from "../flowise-classic/index.ts";
import { addHelper, placesOf, type StepScope } from "./step.ts";
import { toAuthorCode, toValueTemplate, type ValuePlaces } from "./values.ts";

export type DeclaredState = { state: JsonObject; reducers: Map<string, "replace" | "append"> };

/** The state that a state component declares. */
export function toState(scope: ClassicScope | undefined): DeclaredState {
  const declared: DeclaredState = { state: {}, reducers: new Map() };
  if (scope === undefined) return declared;
  const { node, settings, report } = scope;
  const tab = settings.text(`selectedStateTab_${node.id}`) || settings.text("stateMemory");
  ignoreTabs(scope, ["stateMemory", "stateMemoryUI", "stateMemoryCode"]);
  if (tab === "stateMemoryCode") {
    const read = readStateCode(settings.text("stateMemoryCode"));
    if (read === undefined) {
      report.refuse(
        "state-code",
        "The code of its state does more than replace a value or add to a list, and is not run here. Declare the state in the table.",
      );
    }
    return read ?? declared;
  }
  for (const row of settings.rows("stateMemoryUI")) {
    declare(declared, row.text("key"), { how: row.text("type"), preset: row.text("defaultValue") });
  }
  for (const row of settings.rows("stateMemory")) {
    declare(declared, row.text("Key"), { how: row.text("Operation"), preset: row.text("Default Value") });
  }
  return declared;
}

/** Marks the tabs of a setting as read, and those that copies of other components left behind. */
export function ignoreTabs({ node, ignore }: ClassicScope, keys: readonly string[]): void {
  ignore(...keys, ...Object.keys(node.inputs).filter((key) => /^selected\w*Tab_/.test(key)));
}

function declare(
  { state, reducers }: DeclaredState,
  key: string,
  { how, preset }: { how: string; preset: Json },
): void {
  if (key === "" || key === "messages" || key === "__proto__") return;
  const isList = how.toLowerCase() === "append";
  reducers.set(key, isList ? "append" : "replace");
  state[key] = isList ? toList(preset) : preset;
}

function toList(preset: Json): Json[] {
  return toJsonList(typeof preset === "string" ? parseLenientJson(preset) : preset);
}

// linear: code has 20,000 characters at most
const entry =
  /(?:(?<![\w$])(?<plain>[\w$]+)|"(?<quoted>[^"\n]+)")\s*:\s*\{\s*value\s*:\s*(?:null|\([^()\n]*\)\s*=>\s*(?<reducer>[^\n]{1,200}?(?<=\S)))\s*,\s*default\s*:\s*\(\)\s*=>\s*(?<preset>[^\n]{1,2000}?(?<=\S))\s*(?:,\s*)?\}\s*,?/g;

/** Code that is an object of reducers, each of which replaces or concatenates; undefined for any other. */
function readStateCode(code: string): DeclaredState | undefined {
  const declared: DeclaredState = { state: {}, reducers: new Map() };
  const body = code.slice(0, maxCodeCharacters).replaceAll(commentOrText, (_, text: string = "") => text);
  for (const { groups = {} } of body.matchAll(entry)) {
    // Without a reducer the newest value counts.
    const how = groups.reducer === undefined ? "replace" : toReducer(groups.reducer);
    const preset = parseLenientJson((groups.preset ?? "").replace(/^\((.*)\)$/s, "$1"));
    if (how === undefined || preset === undefined) return undefined;
    declare(declared, groups.plain ?? groups.quoted ?? "", { how, preset });
  }
  const rest = body.replaceAll(entry, "").trim();
  return /^(?:return\s*)?\(?\{\s*\}\)?;?$/.test(rest) ? declared : undefined;
}

const maxCodeCharacters = 20_000;

/** A comment, or a text in quotes, in which `//` begins none. */
// linear: a comment ends with the text at the latest
const commentOrText = /("(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

function toReducer(code: string): "replace" | "append" | undefined {
  if (/^\w+\.concat\(\w+\)$|^\[\s*\.\.\.\w+\s*,\s*(?:\.\.\.)?\w+\s*\]$/.test(code)) return "append";
  return /^\w+$|^\w+\s*(?:\?\?|\|\|)\s*\w+$|^\w+\s*\?\s*\w+\s*:\s*\w+$/.test(code) ? "replace" : undefined;
}

/** The state update of a step: rows of its config, or code that runs after it. */
export type StateUpdates = { config: JsonObject; code: string };

/** `own` gives the template of a part of the step's output. */
export function toUpdates(scope: StepScope, own: NonNullable<ValuePlaces["own"]>): StateUpdates {
  const { node, settings } = scope;
  const tab = settings.text(`selectedUpdateStateMemoryTab_${node.id}`) || settings.text("updateStateMemory");
  ignoreTabs(scope, ["updateStateMemory", "updateStateMemoryUI", "updateStateMemoryCode"]);
  if (tab === "updateStateMemoryCode") return { config: {}, code: settings.text("updateStateMemoryCode") };
  const places = placesOf(scope, own);
  const updateState = settings
    .rows("updateStateMemoryUI")
    .filter((row) => !["", "messages", "__proto__"].includes(row.text("key")))
    .map((row) => ({
      key: row.text("key"),
      value: toValue(scope, { source: row.text("value"), template: row.template("value"), places }),
      ...(scope.plan.reducers.get(row.text("key")) === "append" ? { how: "append" } : {}),
    }));
  return { config: updateState.length === 0 ? {} : { updateState }, code: "" };
}

/** A value as a form holds it: a reference, or a text. What refers to nothing stays a text, with a warning. */
export function toValue(
  { report }: StepScope,
  { source, template, places }: { source: string; template: string; places: ValuePlaces },
): string {
  const reference = toValueTemplate(source, places);
  if (reference !== undefined) return reference;
  if (/^\s*\$(?:flow|vars)\./.test(source)) {
    report.warn(
      "value-unknown",
      `${source.trim().slice(0, 200)} has no value here and is kept as text. Choose another value.`,
    );
    return toLiteral(source);
  }
  return template;
}

/**
 * Adds the step that works out with code what the state becomes. `output` is what the code reads as `$flow.output`. Only
 * values that the code names change, or all where it names none.
 */
export function drawStateCode(
  scope: StepScope,
  { code, output, from }: { code: string; output: string; from: readonly Exit[] },
): Exit {
  const all = [...scope.plan.reducers.keys()];
  const named = all.filter((key) => code.includes(key));
  const keys = named.length > 0 ? named : all;
  const { variables, code: body } = toAuthorCode(code, { output, hasHistory: scope.conversion.hasHistory });
  const rows = keys.map((key) => [key, scope.plan.reducers.get(key) === "append"]);
  const config = {
    variables,
    code: `const given = await (async () => {\n${body}\n})();\n${merge(JSON.stringify(rows))}`,
    updateState: keys.map((key, index) => ({ key, value: `{{ output.data[${index}] }}` })),
  };
  return addHelper(scope, { name: "state", label: "Update state", type: "custom-function", config, from });
}

/** A list that comes back as it was is not appended to itself. */
const merge = (rows: string) => `const next = typeof given === "string" ? JSON.parse(given) : (given ?? {});
return ${rows}.map(([key, isList]) => {
  const before = $flow.state[key] ?? (isList ? [] : "");
  const value = next[key];
  if (value === undefined || value === null) return before;
  if (!isList || JSON.stringify(value) === JSON.stringify(before)) return value;
  return [].concat(before, value);
});`;
