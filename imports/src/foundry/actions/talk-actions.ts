import { type FlowNode, isJsonObject, type Json, type JsonObject } from "@weft/schema";
import { type Exit, exitOf } from "../../drawing/index.ts";
import { anyOf, booleanIn, fieldOf, kindIn, numberIn, objectIn, objectsIn, textIn } from "../fields.ts";
import { toLiteral } from "../power-fx/index.ts";
import { type ConvertAction, type Step, silent } from "../step.ts";
import { addFunction, codeOf, renderText, textOf, type Update } from "../values.ts";
import { type Target, toPath } from "../variables.ts";
import { addLoop } from "./control-actions.ts";
import { assign, assignedCode, targetIn } from "./state-actions.ts";

export const sendActivity: ConvertAction = (step, from) => {
  const value = anyOf(step.action, "activity", "message", "text");
  if (isJsonObject(value) && anyOf(value, "attachments", "suggestedActions") !== undefined) {
    step.warn("foundry-attachments-lost", "Its attachments and suggested actions are left out; its text is shown.");
  }
  return say(step, { value, part: "" }, from);
};

/** Draws a message to the user. */
function say(step: Step, { value, part }: { value: Json | undefined; part: string }, from: readonly Exit[]): Exit[] {
  const { template, from: exits } = renderText(step, { value, part: `${part === "" ? "" : `${part}_`}text` }, from);
  if (textOf(value).trim() === "")
    step.warn("foundry-text-missing", "It has no text to show. Enter one, or remove it.");
  return exitOf(step.add({ type: "direct-reply", part, config: { message: template } }, exits));
}

/** What a person's words are checked for: JavaScript over `words` that gives a value, or blank for what does not fit. */
type Entity = { check?: string; options?: { label: string; value: string }[]; otherAnswers?: boolean };

const numbersCode = String.raw`(words.match(/-?\d+(?:[.,]\d+)?/g) ?? []).map((digits) => Number(digits.replace(",", ".")))`;

const entities: ReadonlyMap<string, Entity> = new Map<string, Entity>([
  ["string", {}],
  ["text", {}],
  ["number", { check: `${numbersCode}[0] ?? null` }],
  ["integer", { check: `${numbersCode}.map(Math.trunc)[0] ?? null` }],
  ["age", { check: `${numbersCode}[0] ?? null` }],
  ["money", { check: `${numbersCode}[0] ?? null` }],
  ["percentage", { check: `${numbersCode}[0] ?? null` }],
  ["temperature", { check: `${numbersCode}[0] ?? null` }],
  [
    "boolean",
    {
      check:
        "/^(y|yes|yep|yeah|ok|okay|sure|true|1|ja|oui|si)\\b/i.test(words) ? true : /^(n|no|nope|false|0|nein|non)\\b/i.test(words) ? false : null",
    },
  ],
  ["email", { check: String.raw`words.match(/[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+/)?.[0] ?? null` }],
  ["url", { check: String.raw`words.match(/https?:\/\/[^\s<>"]+/i)?.[0] ?? null` }],
  ["phonenumber", { check: String.raw`words.match(/\+?\d[\d\s()./-]{4,}\d/)?.[0] ?? null` }],
  ["datetime", { check: "fx_ifError([() => fx_dateTimeValue(words), () => null])" }],
  ["date", { check: "fx_ifError([() => fx_dateValue(words), () => null])" }],
  ["datetimenotimezone", { check: "fx_ifError([() => fx_dateTimeValue(words), () => null])" }],
]);

function entityOf(step: Step): Entity {
  const entity = fieldOf(step.action, "entity");
  const choices = choicesIn(step.action);
  if (choices.length > 0) return { options: choices, otherAnswers: booleanIn(step.action, "allowFreeText") ?? false };
  const definition = isJsonObject(entity) ? objectIn(entity, "definition") : {};
  const items = isJsonObject(entity) ? [...objectsIn(entity, "items"), ...objectsIn(definition, "items")] : [];
  if (items.length > 0) return closedList(items);
  const kind = kindIn(entity);
  const word = kind.replace(/(Prebuilt)?Entity$/i, "").toLowerCase();
  const known = entities.get(word === "" ? "string" : word);
  if (known !== undefined) return known;
  step.warn(
    "foundry-entity-approximated",
    `The entity ${kind} is not known, so any text is taken as the answer. Check the answer in the steps behind it.`,
  );
  return {};
}

/** Choices as texts, or as objects with a value and a label. */
function choicesIn(action: JsonObject): { label: string; value: string }[] {
  const choices = anyOf(action, "choices", "options");
  if (!Array.isArray(choices)) return [];
  return choices.flatMap((choice) => {
    const label = isJsonObject(choice)
      ? textIn(choice, "label", "displayName", "title", "value")
      : textOf(choice).trim();
    const value = isJsonObject(choice) ? textIn(choice, "value", "id") : label;
    return label === "" ? [] : [{ label: label.slice(0, 200), value: (value || label).slice(0, 200) }];
  });
}

/** The options by their names, and a check that knows their other names too. */
function closedList(items: readonly JsonObject[]): Entity {
  const options = items.flatMap((item) => {
    const label = textIn(item, "displayName", "title", "id");
    return label === ""
      ? []
      : [{ label: label.slice(0, 200), value: (textIn(item, "id", "value") || label).slice(0, 200) }];
  });
  const names = items.map((item, index) => {
    const synonyms = anyOf(item, "synonyms");
    const others = Array.isArray(synonyms) ? synonyms.map((name) => textOf(name)) : [];
    return [options[index]?.value ?? "", ...others, textIn(item, "displayName"), textIn(item, "id")].filter(
      (name) => name !== "",
    );
  });
  const code = `(${toLiteral(names)}.find((names) => names.some((name) => name.toLowerCase() === words.toLowerCase())) ?? [null])[0]`;
  return { options, otherAnswers: true, check: code };
}

const defaultRepeats = 2;

export const question: ConvertAction = (step, from) => {
  const { action } = step;
  const target = targetIn(step, answerField(action), "variable");
  const entity = entityOf(step);
  const prompt = anyOf(action, "prompt", "question", "text");
  const asking = skipIfKnown(step, target, from);
  const { template, from: exits } = renderText(step, { value: prompt, part: "text" }, asking.ask);
  const id = ask(
    step,
    { part: "", question: template, entity, ...(entity.check === undefined ? { target } : {}) },
    exits,
  );
  if (entity.check === undefined) return [...asking.skip, ...exitOf(id, "proceed")];
  return [...asking.skip, ...checkAnswer(step, { id, entity, target })];
};

/** Where the answer goes, as one of the runtimes calls it. */
function answerField(action: JsonObject): Json | undefined {
  return anyOf(action, "variable", "property") ?? anyOf(objectIn(action, "output"), "property", "response", "variable");
}

/** Passes a question by whose variable has a value, where the action says so. */
function skipIfKnown(
  step: Step,
  target: Target | undefined,
  from: readonly Exit[],
): { ask: readonly Exit[]; skip: Exit[] } {
  const mode = textIn(step.action, "skipQuestionMode").toLowerCase();
  const mayskip =
    mode.startsWith("skip") || mode.startsWith("alwaysskip") || booleanIn(step.action, "alwaysPrompt") === false;
  const left = target && toPath("$flow.state", [target.key, ...target.rest]);
  if (!mayskip || mode === "alwaysask" || left === undefined || booleanIn(step.action, "alwaysPrompt") === true) {
    return { ask: from, skip: [] };
  }
  const condition = { type: "string", left, operation: "is-empty", right: "" };
  const branches = [{ id: "ask", title: "Not answered yet", match: "all", conditions: [condition] }];
  const id = step.add({ type: "condition", part: "known", config: { branches } }, from);
  return { ask: exitOf(id, "ask"), skip: exitOf(id, "else") };
}

/** Most options of one question. */
const maxOptions = 50;

type Asking = { part: string; question: string; entity?: Entity; target?: Target | undefined };

/** Draws a question in words, which keeps the answer as the user's latest words and in a variable. */
export function ask(step: Step, { part, question: text, entity = {}, target }: Asking, from: readonly Exit[]): string {
  const { options = [], otherAnswers = false } = entity;
  if (options.length > maxOptions) {
    step.warn(
      "foundry-options-cut",
      `It offers ${options.length} options; the first ${maxOptions} are shown. Shorten the list.`,
    );
  }
  const choice =
    options.length === 0
      ? { answer: "text" }
      : { answer: "choice", options: options.slice(0, maxOptions), otherAnswers };
  const updates: Update[] = [];
  if (target !== undefined && target.rest.length === 0) updates.push({ key: target.key, value: "{{ output.value }}" });
  if (step.flow.facts.readsLastMessage) {
    updates.push({ key: step.flow.variables.target("System.LastMessageText")?.key ?? "", value: "{{ output.text }}" });
  }
  const updateState = updates.filter(({ key }) => key !== "");
  const config = {
    question: text.trim() === "" && !isSpokenBefore(step, from) ? "Please answer." : text,
    ...choice,
    // As in Foundry: the user just goes on talking.
    takesMessages: true,
    ...silent,
    ...(updateState.length === 0 ? {} : { updateState }),
  };
  return step.add({ type: "human-input", part, config }, from);
}

/** Whether the user has just been told something: then nothing needs to be asked in words. */
function isSpokenBefore({ flow: { drawing } }: Step, from: readonly Exit[]): boolean {
  const isSpoken = ({ type, config }: FlowNode) => type === "direct-reply" || config.reply === "always";
  return from.length > 0 && from.every(({ nodeId }) => isSpoken(drawing.node(nodeId)));
}

type Checking = { id: string; entity: Entity; target: Target | undefined };

/** Asks again until the words fit, as often as the action says, and takes the default after that. */
function checkAnswer(step: Step, { id, entity, target }: Checking, part = ""): Exit[] {
  const { action } = step;
  const named = (name: string) => (part === "" ? name : `${part}_${name}`);
  const check = addFunction(
    step,
    {
      part: named("check"),
      variables: [{ name: "words", value: `{{ ${id}.output.value }}` }],
      before: ["const words = fx_text($words).trim();", `const value = ${entity.check ?? "words"};`],
      values: {
        fits: { code: "value !== null", sources: [] },
        value: { code: target === undefined ? "value" : keep(target), sources: [] },
      },
      updates: (reference) => (target === undefined ? [] : [{ key: target.key, value: reference("value") }]),
    },
    exitOf(id, "proceed"),
  );
  const condition = { type: "boolean", left: check.reference("fits"), operation: "equal", right: true };
  const branches = [{ id: "fits", title: "The answer fits", match: "all", conditions: [condition] }];
  const decision = step.add({ type: "condition", part: named("fits"), config: { branches } }, exitOf(check.nodeId));
  const invalid = anyOf(action, "invalidPrompt", "unrecognizedPrompt");
  const told =
    invalid === undefined
      ? exitOf(decision, "else")
      : say(step, { value: invalid, part: named("invalid") }, exitOf(decision, "else"));
  const times = Math.min(1_000, Math.max(0, Math.trunc(numberIn(action, "repeatCount") ?? defaultRepeats)));
  const again = addLoop(step, { part: named("again"), target: id, times }, told);
  return [...exitOf(decision, "fits"), ...takeDefault(step, target, exitOf(again))];
}

/** A value that does not fit leaves the variable as it was. */
function keep(target: Target): string {
  const before = `($flow.state[${toLiteral(target.key)}] ?? null)`;
  return `value === null ? ${before} : ${assignedCode(target, "value")}`;
}

function takeDefault(step: Step, target: Target | undefined, from: readonly Exit[]): Exit[] {
  const value = codeOf(step, anyOf(step.action, "defaultValue", "default"));
  const exits = target === undefined ? [...from] : assign(step, [{ target, value }], from, "default");
  const response = fieldOf(step.action, "defaultValueResponse");
  return response === undefined ? exits : say(step, { value: response, part: "default_response" }, exits);
}

export const requestExternalInput: ConvertAction = (step, from) => {
  const target = targetIn(step, answerField(step.action), "variable");
  for (const field of ["timeout", "requiredFields"]) {
    if (fieldOf(step.action, field) === undefined) continue;
    step.warn(
      "foundry-request-approximated",
      `Its ${field} is left out: the run waits for any words, as long as it takes. Check them in the steps behind it.`,
    );
  }
  const prompt = anyOf(step.action, "prompt", "message", "question");
  const { template, from: exits } = renderText(step, { value: prompt, part: "text" }, from);
  return exitOf(ask(step, { part: "", question: template, target }, exits), "proceed");
};
