import { asToolInput, isJsonObject, type Json, type JsonObject, parseJson } from "@weft/schema";

// Columns of messages from another server: JSON text of lists whose entries have the members that clients read here,
// and possibly more. Damaged values, and those that are not lists, become empty.

export function sourceDocuments(text: string | null): string {
  return toListText(text, toDocument);
}

export function usedTools(text: string | null): string {
  return toListText(text, toUsedTool);
}

export function fileAnnotations(text: string | null): string {
  return toListText(text, (entry) => ({
    ...entry,
    filePath: textOf(entry.filePath),
    fileName: textOf(entry.fileName),
  }));
}

export function agentReasoning(text: string | null): string {
  return toListText(text, (entry) => ({
    ...entry,
    agentName: textOf(entry.agentName),
    messages: listOf(entry.messages).map(textOf),
    nodeName: textOf(entry.nodeName),
    nodeId: textOf(entry.nodeId),
    usedTools: listOf(entry.usedTools).filter(isJsonObject).map(toUsedTool),
    sourceDocuments: listOf(entry.sourceDocuments).filter(isJsonObject).map(toDocument),
    state: isJsonObject(entry.state) ? entry.state : {},
  }));
}

export function fileUploads(text: string | null): string {
  return toListText(text, ({ size, ...entry }) => ({
    ...entry,
    data: textOf(entry.data),
    type: textOf(entry.type),
    name: textOf(entry.name),
    mime: textOf(entry.mime),
    ...(typeof size === "number" && { size: Math.round(size) }),
  }));
}

function toDocument(entry: JsonObject): JsonObject {
  const metadata = isJsonObject(entry.metadata) ? entry.metadata : {};
  return { ...entry, pageContent: textOf(entry.pageContent), metadata };
}

function toUsedTool({ error, ...entry }: JsonObject): JsonObject {
  return {
    ...entry,
    tool: textOf(entry.tool),
    toolInput: asToolInput(entry.toolInput ?? {}),
    toolOutput: textOf(entry.toolOutput),
    ...(error !== undefined && error !== null && error !== "" && { error: textOf(error) }),
  };
}

/** Most columns of most messages are empty. */
function toListText(text: string | null, toEntry: (entry: JsonObject) => JsonObject): string {
  if (text === null || text === "" || text === "[]") return "[]";
  return JSON.stringify(listOf(parseJson(text)).filter(isJsonObject).map(toEntry));
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
