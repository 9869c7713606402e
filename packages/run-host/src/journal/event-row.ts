import type { RunEvent } from "@weft/schema";
import type { RunEventRow } from "../run-tables.ts";

/**
 * How an event is stored: the one place that writes the text of a row and restores the event from it.
 *
 * 1. What a row's columns say, its text leaves out, and so it does with ids that follow from others of the event.
 * 2. An event is restored exactly, with its fields in their order, except that an id that was left out may move.
 * 3. A text that names its `type` is from before, holds the whole event, and is read as it stands.
 * 4. Equal events have equal texts, so that the text tells whether an event was written.
 */
export const eventColumns = ["runId", "seq", "at", "type", "event"] as const satisfies readonly (keyof RunEventRow)[];

export function toEventRow(runId: string, event: RunEvent): RunEventRow {
  const { seq, at, type } = event;
  return { runId, seq, at, type, event: JSON.stringify(withoutCopies(event)) };
}

/** Throws where the text cannot be read, which names the event. */
export function fromEventRow({ runId, seq, at, type, event }: RunEventRow): RunEvent {
  const body = parseBody(event, `Event ${seq} of run ${runId} cannot be read`);
  if (body.type !== undefined) return body as RunEvent;
  const restored: EventBody = { type, ...body, seq, at };
  if (nodeTypes.has(type)) restored.nodeId ??= nodeIdIn(restored.nodeKey ?? "");
  if (type === "run-started") restored.sessionId ??= restored.chatId;
  return restored as RunEvent;
}

/** As far as it matters here. Absent in the text: `undefined`. */
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

/** The node that a key addresses, unless its id has a `/` or `#` itself. */
function nodeIdIn(nodeKey: string): string {
  return nodeKey.slice(nodeKey.lastIndexOf("/") + 1, nodeKey.lastIndexOf("#"));
}

function parseBody(text: string, problem: string): EventBody {
  try {
    return JSON.parse(text) as EventBody;
  } catch (cause) {
    throw new Error(problem, { cause });
  }
}
