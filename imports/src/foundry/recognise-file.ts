import type { ImportFile } from "@weft/dialects/importer";
import { isJsonObject, type JsonObject } from "@weft/schema";
import { fieldOf, textIn } from "./fields.ts";
import { type ReadFile, readFile } from "./read-yaml.ts";

export type FoundryFileKind = "workflow" | "agent" | "copilot-topic";

/**
 * What a file of Microsoft Foundry or the Agent Framework is, by its content; undefined for any other file. A workflow is
 * recognised even where its YAML has errors, so that its import can tell of them. A Copilot Studio topic is another
 * format, which the import refuses.
 */
export function isFoundryFile({ text }: ImportFile): FoundryFileKind | undefined {
  if (!/\b(kind|type)\b/i.test(text) || !telling.test(text)) return undefined;
  const read = readDocument(text);
  return read.ok ? kindOfDocument(read.value) : kindOfText(text);
}

/** Words of which every such file has one. Files without them are not parsed. */
const telling = /\b(workflow|prompt|OnConversationStart|AdaptiveDialog|beginDialog|actions|foundry_agent)\b/i;

/** Reads a file, and the workflow in it where Foundry's API wraps its text in an agent. Never throws. */
export function readDocument(text: string): ReadFile {
  const read = readFile(text);
  const definition = read.ok ? definitionOf(read.value) : undefined;
  const inner = definition === undefined ? undefined : fieldOf(definition, "workflow");
  if (!read.ok || inner === undefined || wordOf(definition && fieldOf(definition, "kind")) !== "workflow") return read;
  if (isJsonObject(inner)) return { ...read, value: { kind: "workflow", name: textIn(read.value, "name"), ...inner } };
  const wrapped = readFile(typeof inner === "string" ? inner : "");
  return wrapped.ok ? { ...wrapped, value: { name: textIn(read.value, "name"), ...wrapped.value } } : wrapped;
}

/** As `isFoundryFile`, of a file that has been read. */
export function kindOfDocument(document: JsonObject): FoundryFileKind | undefined {
  const kind = wordOf(fieldOf(document, "kind"));
  if (kind === "adaptivedialog" || isJsonObject(fieldOf(document, "beginDialog"))) return "copilot-topic";
  if (kind === "prompt" || wordOf(fieldOf(document, "type")) === "foundry_agent") return "agent";
  const trigger = fieldOf(document, "trigger");
  const hasActions = Array.isArray(fieldOf(document, "actions"));
  if (kind === "workflow" || wordOf(isJsonObject(trigger) && fieldOf(trigger, "kind")) === "onconversationstart")
    return "workflow";
  if (hasActions && (kind === "" || kind === "onconversationstart") && isListOfActions(document)) return "workflow";
  return hasAgentDefinition(document) ? "agent" : undefined;
}

function isListOfActions(document: JsonObject): boolean {
  const actions = fieldOf(document, "actions");
  return (
    Array.isArray(actions) &&
    actions.some((action) => isJsonObject(action) && typeof fieldOf(action, "kind") === "string")
  );
}

/** The JSON of Foundry's API, at whatever depth it keeps the definition. */
function hasAgentDefinition(document: JsonObject): boolean {
  const definition = definitionOf(document);
  return definition !== undefined && wordOf(fieldOf(definition, "kind")) === "prompt";
}

/** `definition`, or that of `versions.latest`. */
export function definitionOf(document: JsonObject): JsonObject | undefined {
  const versions = fieldOf(document, "versions");
  const latest = isJsonObject(versions) ? fieldOf(versions, "latest") : undefined;
  for (const holder of [document, latest]) {
    const definition = isJsonObject(holder) ? fieldOf(holder, "definition") : undefined;
    if (isJsonObject(definition)) return definition;
  }
  return undefined;
}

/** For a file that is not readable as a whole: the line that says what it is. */
export function kindOfText(text: string): FoundryFileKind | undefined {
  const start = text.slice(0, 200_000);
  if (/^["']?kind["']?[ \t]*:[ \t]*["']?AdaptiveDialog\b/im.test(start)) return "copilot-topic";
  if (
    /^["']?kind["']?[ \t]*:[ \t]*["']?workflow\b/im.test(start) ||
    /^[ \t]*["']?kind["']?[ \t]*:[ \t]*["']?OnConversationStart\b/im.test(start)
  )
    return "workflow";
  return /^["']?kind["']?[ \t]*:[ \t]*["']?prompt\b/im.test(start) ? "agent" : undefined;
}

function wordOf(value: unknown): string {
  return typeof value === "string" ? value.trim().toLowerCase() : "";
}
