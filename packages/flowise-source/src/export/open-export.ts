import { readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { FlowiseSource } from "../flowise-source.ts";
import { FlowiseSourceError } from "../flowise-source-error.ts";
import { rowsOfPage, toFlowiseRow, toIsoDate } from "../flowise-tables.ts";

/** The table of each list's rows, and their type if they name none. */
const lists: Readonly<Record<string, { table: string; type?: string }>> = {
  AgentFlow: { table: "chat_flow", type: "MULTIAGENT" },
  AgentFlowV2: { table: "chat_flow", type: "AGENTFLOW" },
  AssistantFlow: { table: "chat_flow", type: "ASSISTANT" },
  ChatFlow: { table: "chat_flow", type: "CHATFLOW" },
  AssistantCustom: { table: "assistant", type: "CUSTOM" },
  AssistantOpenAI: { table: "assistant", type: "OPENAI" },
  AssistantAzure: { table: "assistant", type: "AZURE" },
  ChatMessage: { table: "chat_message" },
  ChatMessageFeedback: { table: "chat_message_feedback" },
  CustomTemplate: { table: "custom_template" },
  DocumentStore: { table: "document_store" },
  DocumentStoreFileChunk: { table: "document_store_file_chunk" },
  Execution: { table: "execution" },
  Tool: { table: "tool" },
  Variable: { table: "variable" },
};

/** A row's position in the file, and its sort keys. */
type Entry = { startByte: number; sizeBytes: number; type: string | undefined; order: readonly (string | number)[] };

/**
 * Reads an `ExportData.json`, of any size: once to index the rows, and each row again on request. Rejects if there is
 * no such file, or if it is not an export.
 */
export async function openExport(
  path: string,
): Promise<Pick<FlowiseSource, "kind" | "workspaces" | "rows" | "count" | "close">> {
  const file = await open(path).catch((cause: Error) => {
    throw new FlowiseSourceError(`${path} cannot be read: ${cause.message}`, { cause });
  });
  try {
    const tables = await readEntries(path, file);
    return { kind: "export", workspaces: [], ...createReader(file, tables), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

const chunkBytes = 1 << 20;

async function readEntries(path: string, file: FileHandle): Promise<Map<string, Entry[]>> {
  const tables = new Map<string, Entry[]>();
  const chunks = file.createReadStream({ autoClose: false, start: 0, highWaterMark: chunkBytes });
  const outcome = await readJsonLists(chunks, ({ list, startByte, bytes }) => {
    const { table, type } = lists[list] ?? {};
    if (table === undefined) return;
    const row = parseRow(bytes);
    if (row === undefined) throw new FlowiseSourceError(`${path} is damaged at byte ${startByte}, in ${list}.`);
    const order = orderOf(table, row);
    const entries = tables.get(table) ?? [];
    tables.set(table, entries);
    entries.push({ startByte, sizeBytes: bytes.length, type, order });
  }).catch((cause: Error) => {
    if (cause instanceof FlowiseSourceError) throw cause;
    throw new FlowiseSourceError(`${path} cannot be read: ${cause.message}`, { cause });
  });
  if (outcome === "cut-short") throw new FlowiseSourceError(`${path} is cut short. Export again.`);
  if (outcome === "not-an-object" || tables.size === 0) {
    throw new FlowiseSourceError(
      `${path} is not an export of Flowise: it has none of its lists. Name an ExportData.json.`,
    );
  }
  for (const entries of tables.values()) entries.sort(compare);
  return tables;
}

/** Undefined if the text is not JSON. */
function parseRow(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** In the databases' order: oldest first, questions before answers; chunks by their position in the store. */
function orderOf(table: string, row: Record<string, unknown>): (string | number)[] {
  const id = String(row.id);
  if (table === "document_store_file_chunk") {
    return [String(row.storeId), String(row.docId), Number(row.chunkNo) || 0, id];
  }
  return [toIsoDate(row.createdDate) ?? "", row.role === "userMessage" ? 0 : 1, id];
}

function compare(a: Entry, b: Entry): number {
  for (const [at, left] of a.order.entries()) {
    const right = b.order[at] ?? left;
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

function createReader(file: FileHandle, tables: ReadonlyMap<string, readonly Entry[]>) {
  function readRow({ startByte, sizeBytes, type }: Entry) {
    const bytes = Buffer.alloc(sizeBytes);
    for (let read = 0; read < sizeBytes; ) {
      const count = readSync(file.fd, bytes, read, sizeBytes - read, startByte + read);
      if (count === 0) throw new FlowiseSourceError("The export was changed while it was read.");
      read += count;
    }
    const row = parseRow(bytes);
    return { ...row, type: row?.type ?? type };
  }

  return {
    async *rows(table, { workspace } = {}) {
      refuseWorkspace(workspace);
      const entries = tables.get(table) ?? [];
      const size = rowsOfPage(table);
      for (let start = 0; start < entries.length; start += size) {
        const page = entries.slice(start, start + size);
        yield page.map((entry) => toFlowiseRow(table, readRow(entry)));
      }
    },
    async count(table, { workspace } = {}) {
      refuseWorkspace(workspace);
      return tables.get(table)?.length ?? 0;
    },
  } satisfies Pick<FlowiseSource, "rows" | "count">;
}

function refuseWorkspace(workspace: string | undefined): void {
  if (workspace !== undefined) {
    throw new FlowiseSourceError("An export holds one workspace, without its name: leave the workspace out.");
  }
}

/** An object in a list of a JSON document's root: `{"list": [item, …], …}`. */
type JsonItem = { list: string; startByte: number; bytes: Buffer };

/**
 * Yields the objects of all lists in a document's root, one at a time, so that the document need not fit into memory.
 * The contents of objects are not validated. Other values in the root are skipped.
 */
export async function readJsonLists(
  chunks: AsyncIterable<Buffer>,
  take: (item: JsonItem) => void,
): Promise<"complete" | "not-an-object" | "cut-short"> {
  const scanner = new Scanner(take);
  for await (const chunk of chunks) {
    scanner.add(chunk);
    if (!scanner.isObject) return "not-an-object";
  }
  return scanner.isComplete ? "complete" : "cut-short";
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
/** White space, and the byte order mark that some programs prepend. */
const space = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/** Depth 1 is the root, whose keys are the names of lists; depth 2 is a list. */
class Scanner {
  isObject = true;
  isComplete = false;
  readonly #take: (item: JsonItem) => void;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isInList = false;
  #name = "";
  #chunkStart = 0;
  /** The key or item being collected. */
  #pieces: Buffer[] | undefined;
  #pieceStart = 0;
  #itemStart = 0;

  constructor(take: (item: JsonItem) => void) {
    this.#take = take;
  }

  add(chunk: Buffer): void {
    this.#pieceStart = 0;
    for (let at = 0; at < chunk.length && this.isObject; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#isInText) this.#readText(byte, chunk, at);
      else this.#readStructure(byte, chunk, at);
    }
    this.#pieces?.push(chunk.subarray(this.#pieceStart));
    this.#chunkStart += chunk.length;
  }

  #readText(byte: number, chunk: Buffer, at: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) {
      this.#isInText = false;
      if (this.#depth === 1) this.#name = this.#collected(chunk, at).toString("utf8").slice(1, -1);
    }
  }

  #readStructure(byte: number, chunk: Buffer, at: number): void {
    if (this.#depth === 0 && byte !== openBrace) this.isObject = space.has(byte);
    else if (byte === quote) {
      this.#isInText = true;
      if (this.#depth === 1) this.#collect(at);
    } else if (byte === openBrace || byte === openBracket) this.#enter(byte, at);
    else if (byte === closeBrace || byte === closeBracket) this.#leave(chunk, at);
  }

  #enter(byte: number, at: number): void {
    if (this.#depth === 1) this.#isInList = byte === openBracket;
    if (this.#depth === 2 && this.#isInList && byte === openBrace) this.#collect(at);
    this.#depth += 1;
  }

  #leave(chunk: Buffer, at: number): void {
    this.#depth -= 1;
    if (this.#depth === 0) this.isComplete = true;
    if (this.#depth !== 2 || this.#pieces === undefined) return;
    const startByte = this.#itemStart;
    this.#take({ list: this.#name, startByte, bytes: this.#collected(chunk, at) });
  }

  #collect(at: number): void {
    this.#pieces = [];
    this.#pieceStart = at;
    this.#itemStart = this.#chunkStart + at;
  }

  #collected(chunk: Buffer, at: number): Buffer {
    const last = chunk.subarray(this.#pieceStart, at + 1);
    const all = this.#pieces?.length ? Buffer.concat([...this.#pieces, last]) : last;
    this.#pieces = undefined;
    return all;
  }
}
