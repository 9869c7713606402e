import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { zstdCompress, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { isLargeJson, jsonPieces, type RunEvent } from "@weft/schema";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { RunEventRow } from "../run-tables.ts";

/**
 * How an event is stored: the one place that writes the text of a row and restores the event from it.
 *
 * 1. What a row's columns say, its text leaves out, and so it does with ids that follow from others of the event.
 * 2. An event is restored exactly, with its fields in their order, except that an id that was left out may move.
 * 3. A text that names its `type` is from before, holds the whole event, and is read as it stands.
 * 4. A text over 4 KB is packed where that makes it shorter: `z`, its bytes in eight digits, and zstd as base64. JSON
 *    begins with `{`. Reading never unpacks more than the digits say.
 * 5. Equal events have equal texts in one process, so that the text tells whether an event was written.
 */
export const eventColumns = ["runId", "seq", "at", "type", "event"] as const satisfies readonly (keyof RunEventRow)[];

export function toEventRow(runId: string, event: RunEvent): RunEventRow {
  const { seq, at, type } = event;
  const text = JSON.stringify(withoutCopies(event));
  return { runId, seq, at, type, event: searchedTypes.has(type) ? text : pack(text) };
}

/**
 * Like `toEventRow`, one after the other; a long one is written in pieces and packed in another thread, without
 * blocking.
 */
export async function toEventRows(runId: string, events: readonly RunEvent[]): Promise<RunEventRow[]> {
  const rows: RunEventRow[] = [];
  for (const event of events) {
    const { seq, at, type } = event;
    const isPlain = searchedTypes.has(type) || !isLargeJson(event);
    rows.push(isPlain ? toEventRow(runId, event) : { runId, seq, at, type, event: await packInPieces(event) });
  }
  return rows;
}

async function packInPieces(event: RunEvent): Promise<string> {
  let text = "";
  for (const piece of jsonPieces(withoutCopies(event))) {
    text += piece;
    await setImmediate();
  }
  const bytes = Buffer.from(text);
  return isPackable(bytes) ? shorter(text, bytes, await compress(bytes)) : text;
}

/** Throws if the text cannot be read; the error names the event. */
export function fromEventRow({ runId, seq, at, type, event }: RunEventRow): RunEvent {
  const body = parseBody(event, `Event ${seq} of run ${runId} cannot be read`);
  if (body.type !== undefined) return body as RunEvent;
  const restored: EventBody = { type, ...body, seq, at };
  if (nodeTypes.has(type)) restored.nodeId ??= nodeIdIn(restored.nodeKey ?? "");
  if (type === "run-started") restored.sessionId ??= restored.chatId;
  return restored as RunEvent;
}

/**
 * Whether a text, of an event unless another column is named, has more bytes than this, packed or not. Reads only its
 * start.
 */
export function isLongerThan(bytes: number, column: "event" | "message" = "event"): RawBuilder<SqlBool> {
  const event = sql.ref(column);
  const size = sql`substr(${event}, 1, ${sql.lit(headLength)})`;
  return sql`(octet_length(${event}) > ${bytes} or ${size} between ${headOf(bytes + 1)} and ${headOf(10 ** digits - 1)})`;
}

const minBytes = 4 * 1_024;
const mark = "z";
/** Limits what can be packed, and so unpacked, to 100 MB. */
const digits = 8;
const headLength = mark.length + digits;
/** Prefixes sort by size. */
const headOf = (bytes: number) => `${mark}${String(bytes).padStart(digits, "0")}`;
/** Events whose text is queried. */
const searchedTypes: ReadonlySet<string> = new Set<RunEvent["type"]>(["node-resumed"]);

const compress = promisify(zstdCompress);

/** Compresses a long text if that makes it shorter. */
export function pack(text: string): string {
  // A character has three bytes at most.
  if (text.length * 3 <= minBytes) return text;
  const bytes = Buffer.from(text);
  return isPackable(bytes) ? shorter(text, bytes, zstdCompressSync(bytes)) : text;
}

const isPackable = ({ length }: Buffer) => length > minBytes && length < 10 ** digits;

function shorter(text: string, bytes: Buffer, compressed: Buffer): string {
  const packed = `${headOf(bytes.length)}${compressed.toString("base64")}`;
  return packed.length < bytes.length ? packed : text;
}

export function unpack(text: string): string {
  if (!text.startsWith(mark)) return text;
  const size = Number(text.slice(mark.length, headLength));
  const bytes = zstdDecompressSync(Buffer.from(text.slice(headLength), "base64"), { maxOutputLength: size });
  if (bytes.length !== size) throw new Error(`It has ${bytes.length} bytes and not ${size}.`);
  return bytes.toString();
}

/** The relevant part of an event. Absent in the text: `undefined`. */
type EventBody = {
  [name: string]: unknown;
  type?: string | undefined;
  nodeKey?: string | null | undefined;
  nodeId?: string | undefined;
  chatId?: string | undefined;
  sessionId?: string | undefined;
};

/** Events that always have a `nodeId`. */
const nodeTypes: ReadonlySet<string> = new Set<RunEvent["type"]>([
  "node-started",
  "node-completed",
  "node-failed",
  "node-suspended",
  "node-resumed",
]);

function withoutCopies(event: RunEvent): EventBody {
  const body: EventBody = { ...event, type: undefined, seq: undefined, at: undefined };
  if (nodeTypes.has(event.type) && body.nodeId === nodeIdIn(body.nodeKey ?? "")) body.nodeId = undefined;
  if (event.type === "run-started" && event.sessionId === event.chatId) body.sessionId = undefined;
  return body;
}

/** The node that a key addresses, unless its id itself has a `/` or `#`. */
function nodeIdIn(nodeKey: string): string {
  return nodeKey.slice(nodeKey.lastIndexOf("/") + 1, nodeKey.lastIndexOf("#"));
}

function parseBody(text: string, problem: string): EventBody {
  try {
    return JSON.parse(unpack(text)) as EventBody;
  } catch (cause) {
    throw new Error(problem, { cause });
  }
}
