import type { IncomingHttpHeaders } from "node:http";
import type { AnswerStep, ScriptStep } from "./script-step.ts";

/** How one vendor's API looks on the wire. */
export type WireFormat<Request> = {
  /** Path of the base URL that a client is given, as `/v1`; empty for the root. */
  basePath: string;
  /** Whether a POST to this path, below the base, asks for an answer. */
  isAnswerPath(path: string): boolean;
  /** Undefined when the body cannot be read. */
  parse(body: Buffer, headers: IncomingHttpHeaders): Request | undefined;
  /** Whether the answer is to be a stream. */
  wantsStream(request: Request, path: string): boolean;
  /** An answer in one piece, as JSON. */
  render(step: AnswerStep): object;
  renderStream(step: AnswerStep): WireStream;
  streamType: string;
  /** The body of a refusal. */
  toError(message: string): object;
  /** What else is answered at paths below the base, by GET. */
  pages?: Readonly<Record<string, ScriptStep>>;
};

/** `events` tell the answer, `end` that it is complete. */
export type WireStream = { events: WireEvent[]; end: WireEvent[] };
export type WireEvent = string | Uint8Array;

export function parseJsonBody<Request>(body: Buffer): Request | undefined {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** The pieces that a text is sent in: so many, or a word each. */
export function splitText(text: string, pieces: number | undefined): string[] {
  if (text === "") return [];
  if (pieces === undefined) return text.match(/\s*\S+\s*$|\s*\S+/g) ?? [text];
  const size = Math.max(1, Math.ceil(text.length / pieces));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}

/** A scripted call's arguments as an object, for vendors that send no text. */
export function toArgumentObject(args: Record<string, unknown> | string): Record<string, unknown> {
  return typeof args === "string" ? (JSON.parse(args) as Record<string, unknown>) : args;
}
