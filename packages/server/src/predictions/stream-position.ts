import { WeftError } from "@weft/schema";

/**
 * How far a client has read a stream: the event `seq`, and `progress` more. After an event that begins or ends the run
 * that counts further frames of this event; after any other it counts the characters (UTF-16 code units) of the answer's
 * message that is being written, and `frameToCome` for each frame of the event that comes after this one. Neither kind of
 * event can be the other, so an id has one meaning.
 */
export type StreamPosition = { seq: number; progress: number };

/** More than any message has characters. */
export const frameToCome = 10 ** 12;

/** Id of a frame: `<executionId>:<seq>`, or `<executionId>:<seq>.<progress>`. Source: contract "Stream". */
export function toEventId(runId: string, { seq, progress }: StreamPosition): string {
  return progress === 0 ? `${runId}:${seq}` : `${runId}:${seq}.${progress}`;
}

/** Reads the id of a frame of this run. Throws `parameters-invalid`. */
export function parseEventId(text: string, runId: string): StreamPosition {
  const [, id, seq, progress = "0"] = /^(.{1,100}):([1-9]\d{0,14})(?:\.(\d{1,15}))?$/.exec(text) ?? [];
  if (id !== runId || seq === undefined) throw invalidEventId(runId);
  return { seq: Number(seq), progress: Number(progress) };
}

export function invalidEventId(runId: string): WeftError {
  const reason = `Last-Event-ID must be the id of an event in this execution's stream, for example ${runId}:1. Omit it to read the stream from the start.`;
  return new WeftError("parameters-invalid", { params: { reason } });
}
