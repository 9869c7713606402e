import { RunFailure, toRunError } from "@weft/engine";
import type { RunEffect } from "@weft/engine/ports/effect-recorder";
import { isJsonObject, type Json, type RunError, toJsonObject, WeftError } from "@weft/schema";
import { recordResolvers } from "./recorded-resolvers.ts";
import type { RecordedEffect, Recordings } from "./recordings.ts";
import {
  type ConfigOf,
  effectKeyAt,
  isOwnCode,
  nowhere,
  type Position,
  type Redact,
  requestHash,
  type Tape,
} from "./tape.ts";

/** Longest answer that is kept, as JSON. */
const maxOutcomeCharacters = 1_048_576;

export type RecordingOptions = {
  /** Filled while cases run. */
  recordings: Recordings;
  configOf: ConfigOf;
  /** Applied before a value is stored, and before the flow sees it: replayed runs see the same. */
  redact: Redact;
};

/** Runs every effect and records its outcome. Child runs are part of the effect that starts them. */
export function createRecordingTape({ recordings, configOf, redact }: RecordingOptions): Tape {
  let position: Position = nowhere;
  let problems: string[] = [];

  function keep(at: Position, effect: RunEffect, outcome: RecordedEffect["outcome"]): void {
    const { length } = JSON.stringify(outcome);
    if (length > maxOutcomeCharacters) {
      const limit = `recordings keep at most ${maxOutcomeCharacters} of one answer. Make the flow ask for less.`;
      problems.push(`${effect.name} answered ${length} characters; ${limit}`);
      return;
    }
    const request = requestHash(at, { ...effect, input: redact(effect.input) }, configOf);
    recordings.cases[at.caseName] = {
      ...recordings.cases[at.caseName],
      [effectKeyAt(at, effect)]: { name: redact(effect.name), request, outcome },
    };
  }

  return {
    begin(next) {
      if (next.caseName !== position.caseName) problems = [];
      position = next;
    },
    end: () => problems,
    recorder: {
      async perform(effect, make) {
        if (isOwnCode(effect) || effect.run.depth > 0) return make();
        const at = position;
        try {
          const value = redact(withoutTiming(effect, await make()));
          keep(at, effect, { value });
          return value;
        } catch (cause) {
          if (isLeftBehind(effect)) {
            keep(at, effect, { unfinished: true });
            throw cause;
          }
          const error = toRunError(effect.signal.aborted ? effect.signal.reason : cause);
          if (error.code === "internal") throw cause;
          const redacted: RunError = { ...error, message: redact(error.message) };
          keep(at, effect, { error: redacted });
          throw new RunFailure(redacted);
        }
      },
    },
    wrapResolvers: (real) => recordResolvers(real, recordings, redact),
  };
}

/** Whether its run has ended without it. A time limit ends the effect itself. */
function isLeftBehind({ signal }: RunEffect): boolean {
  if (!signal.aborted) return false;
  return !(signal.reason instanceof WeftError) || signal.reason.code === "shutting-down";
}

/** A tool's duration is never reproducible, and invisible to the flow. */
function withoutTiming({ category }: RunEffect, value: Json): Json {
  const { details, ...result } = toJsonObject(value);
  if (category !== "tool" || !isJsonObject(details)) return value;
  const { durationMs: _durationMs, ...rest } = details;
  return { ...result, details: rest };
}
