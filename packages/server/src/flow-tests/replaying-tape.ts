import { once } from "node:events";
import { type RunEffect, RunFailure } from "@weft/engine";
import type { Json } from "@weft/schema";
import { replayResolvers } from "./recorded-resolvers.ts";
import type { RecordedEffect, Recordings } from "./recordings.ts";
import { type ConfigOf, effectKeyAt, isOwnCode, nowhere, type Position, requestHash, type Tape } from "./tape.ts";

export type ReplayingOptions = { recordings: Recordings; configOf: ConfigOf };

const howToMend = "Run with --record.";
const shownKeys = 5;

/** Answers every effect from the recordings. What they do not hold fails the case, whatever its flow makes of it. */
export function createReplayingTape({ recordings, configOf }: ReplayingOptions): Tape {
  let position: Position = nowhere;
  let misses = new Set<string>();
  let used = new Set<string>();

  function fail(message: string): never {
    misses.add(message);
    throw new RunFailure({ code: "recording-missing", message, retryable: false }, { isFinal: true });
  }

  function recordingOf(effect: RunEffect): RecordedEffect["outcome"] {
    const key = effectKeyAt(position, effect);
    const recorded = recordings.cases[position.caseName]?.[key];
    if (!recorded) return fail(`There is no recording of ${effect.category} ${effect.name} (${key}). ${howToMend}`);
    used.add(key);
    if (recorded.request === requestHash(position, effect, configOf)) return recorded.outcome;
    return fail(`The request to ${effect.name} (${key}) is not the one that was recorded. ${howToMend}`);
  }

  function unusedProblem(): string[] {
    const recorded = Object.keys(recordings.cases[position.caseName] ?? {});
    const unused = recorded.filter((key) => !used.has(key) && !isUnfinished(recordings, position, key));
    if (unused.length === 0) return [];
    const names = unused.slice(0, shownKeys).join(", ");
    return [`Recordings were not asked for: ${names}${unused.length > shownKeys ? " …" : ""}. ${howToMend}`];
  }

  return {
    begin(next) {
      if (next.caseName !== position.caseName) [misses, used] = [new Set(), new Set()];
      position = next;
    },
    // What follows a miss is not reached: that it is unused says nothing.
    end: () => (misses.size > 0 ? [...misses] : unusedProblem()),
    recorder: { perform: (effect, make) => (isOwnCode(effect) ? make() : play(effect, recordingOf)) },
    wrapResolvers: () => replayResolvers(recordings, (what) => fail(`There is no recording of ${what}. ${howToMend}`)),
  };
}

async function play(effect: RunEffect, recordingOf: (effect: RunEffect) => RecordedEffect["outcome"]): Promise<Json> {
  const outcome = recordingOf(effect);
  if ("value" in outcome) return structuredClone(outcome.value);
  if ("error" in outcome) throw new RunFailure(outcome.error);
  if (!effect.signal.aborted) await once(effect.signal, "abort");
  throw effect.signal.reason;
}

function isUnfinished({ cases }: Recordings, { caseName }: Position, key: string): boolean {
  const outcome = cases[caseName]?.[key]?.outcome;
  return outcome !== undefined && "unfinished" in outcome;
}
