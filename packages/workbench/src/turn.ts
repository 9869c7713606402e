import { type Json, type JsonObject, type RunEvent, toJsonObject, type Wait } from "@weft/schema";

/** A call of a tool that was made, and what the tool said. */
export type ToolCall = { tool: string; arguments: Json; result: string; isError: boolean };

/** What came of one message to an agent. */
export type Turn = {
  status: "completed" | "failed" | "waiting" | "cancelled";
  /** The answer; what is asked, of a run that waits, or what it waits for; else empty. */
  text: string;
  /** A person is asked. */
  asks?: true;
  /** The answer as data, where the answering node has a schema for it. */
  json?: Json;
  /** Why it failed, or was refused before it began. */
  error?: { code: string; message: string };
  tools: ToolCall[];
  /** Ids of the steps that ended, in the order in which they did; those of a sub-flow once for each item. */
  steps: string[];
  /** The requests of HTTP steps, as the trace shows them. */
  requests: { request: string; body: Json }[];
  /** The flow's state at the end. */
  state: JsonObject;
  warnings: { code: string; message: string }[];
  /** What the API answered; a stream is not kept. */
  body: Json;
};

/** The API's answer to a message. */
export type Answer = { ok: boolean; body: Json };

/** Reads a turn off the events of its run: those before it, of a run that waited, and its own. */
export function toTurn(answer: Answer, before: readonly RunEvent[], events: readonly RunEvent[]): Turn {
  return {
    ...outcomeOf(answer, events),
    tools: toolCallsOf(events),
    steps: events.flatMap(stepEndedBy),
    requests: events.flatMap(requestOf),
    state: stateOf([...before, ...events]),
    warnings: events.flatMap((event) =>
      event.type === "run-warned" ? [{ code: event.code, message: event.message }] : [],
    ),
    body: answer.body,
  };
}

function outcomeOf(
  { ok, body }: Answer,
  events: readonly RunEvent[],
): Pick<Turn, "status" | "text" | "json" | "error" | "asks"> {
  const end = events.at(-1);
  switch (end?.type) {
    case "run-completed":
      return { status: "completed", text: end.text, ...(end.json === undefined ? {} : { json: end.json }) };
    case "run-suspended": {
      const waits = waitsOf(events);
      const asked = waits.filter(({ asks }) => asks !== false);
      const text = (asked.length > 0 ? asked : waits).map((wait) => wait.text).join("\n\n");
      return { status: "waiting", text, ...(asked.length > 0 ? { asks: true } : {}) };
    }
    case "run-cancelled":
      return { status: "cancelled", text: "" };
    case "run-failed":
      return { status: "failed", text: "", error: { code: end.error.code, message: end.error.message } };
    default:
      return { status: "failed", text: "", error: ok ? unfinished : toError(body) };
  }
}

const unfinished = { code: "internal", message: "The run did not come to an end." };

/** A refusal of the API: nothing was run. */
function toError(body: Json): { code: string; message: string } {
  const { code = "internal", message = "The message was refused." } = toJsonObject(body);
  return { code: String(code), message: String(message) };
}

function waitsOf(events: readonly RunEvent[]): Wait[] {
  const over = new Set(events.flatMap((event) => (event.type === "node-resumed" ? [event.waitId] : [])));
  const begun = events.flatMap((event) => (event.type === "node-suspended" ? [event.wait] : []));
  return begun.filter(({ waitId }) => !over.has(waitId));
}

/** In the order in which the calls began. */
function toolCallsOf(events: readonly RunEvent[]): ToolCall[] {
  const calls = new Map<string, ToolCall>();
  for (const event of events) {
    if (event.type === "effect-started" && event.category === "tool") {
      const call = { tool: event.name, arguments: event.input, result: "", isError: false };
      calls.set(`${event.nodeKey}:${event.effectKey}`, call);
    }
    if (event.type !== "effect-finished") continue;
    const call = calls.get(`${event.nodeKey}:${event.effectKey}`);
    if (call) Object.assign(call, resultOf(event.outcome));
  }
  return [...calls.values()];
}

/** A step that is tried again has not ended. */
function stepEndedBy(event: RunEvent): string[] {
  if (event.type === "node-completed") return [event.nodeId];
  return event.type === "node-failed" && event.next.type !== "retry" ? [event.nodeId] : [];
}

function requestOf(event: RunEvent): Turn["requests"] {
  if (event.type !== "effect-started" || event.category !== "http") return [];
  const { body = null } = toJsonObject(event.input);
  return [{ request: event.name, body }];
}

type Outcome = Extract<RunEvent, { type: "effect-finished" }>["outcome"];

export function resultOf(outcome: Outcome): Pick<ToolCall, "result" | "isError"> {
  if (!outcome.ok) return { result: outcome.error.message, isError: true };
  const { content, isError } = toJsonObject(outcome.value);
  return { result: typeof content === "string" ? content : JSON.stringify(outcome.value), isError: isError === true };
}

function stateOf(events: readonly RunEvent[]): JsonObject {
  return Object.assign({}, ...events.map((event) => (event.type === "node-completed" ? event.state : undefined)));
}
