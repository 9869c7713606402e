import type { ExecutionStep } from "@weft/client";
import { type Span, stepsIn, type TimelineNode, toTimelineTree } from "./timeline-tree.ts";

/** A time in which nothing happened, drawn narrower than it was. `at` and `width` are parts of the whole, from 0 to 1. */
type Pause = { at: number; width: number; durationMs: number };

type Band = { at: number; width: number; durationMs: number; isOpen: boolean };

export type TimeScale = {
  /** Where a moment is drawn, from 0 to 1. */
  position(ms: number): number;
  pauses: readonly Pause[];
  /** Times in which the run waited for a person, in whichever step. They are not work. */
  bands: readonly Band[];
  /** Moments for the axis, with the time since the beginning that did not pause. */
  ticks: readonly { at: number; elapsedMs: number }[];
};

const shortestPauseMs = 1_000;
/** A pause is one when it is longer than this part of the time in which something happened. */
const pausePart = 0.25;
const pauseWidth = 0.08;
const tickCount = 5;

/**
 * The axis of a waterfall. Long periods in which no step was working are compressed, so that a run that waited for a
 * day still shows the second before and after. `nowMs`: the end of running steps.
 */
export function createTimeScale(roots: readonly TimelineNode[], nowMs: number): TimeScale {
  const spans = mergeSpans(roots.flatMap((node) => activeSpans(node, nowMs)));
  const [first, last] = [spans[0], spans.at(-1)];
  if (first === undefined || last === undefined) return { position: () => 0, pauses: [], bands: [], ticks: [] };
  const busyMs = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  const limitMs = Math.max(shortestPauseMs, busyMs * pausePart);
  const gaps = spans.slice(1).map((span, index) => ({ from: spans[index]?.to ?? span.from, to: span.from }));
  const pauses = gaps.filter(({ from, to }) => to - from > limitMs);
  const pausedMs = pauses.reduce((sum, { from, to }) => sum + to - from, 0);
  const drawnMs = last.to - first.from - pausedMs;
  // Where nothing but pauses took time they have all the room.
  const width = drawnMs === 0 ? 1 / Math.max(1, pauses.length) : Math.min(pauseWidth, 0.5 / Math.max(1, pauses.length));
  const perMs = drawnMs === 0 ? 0 : (1 - pauses.length * width) / drawnMs;

  function position(ms: number): number {
    let at = (Math.min(Math.max(ms, first?.from ?? ms), last?.to ?? ms) - (first?.from ?? ms)) * perMs;
    for (const { from, to } of pauses) {
      if (ms <= from) break;
      const passed = Math.min(ms, to) - from;
      at += (passed / (to - from)) * width - passed * perMs;
    }
    return Math.min(at, 1);
  }

  return {
    position,
    pauses: pauses.map(({ from, to }) => ({ at: position(from), width, durationMs: to - from })),
    bands: personWaits(roots, nowMs).map(({ from, to, isOpen }) => ({
      at: position(from),
      width: position(to) - position(from),
      durationMs: to - from,
      isOpen,
    })),
    ticks: pauses.length > 0 || drawnMs === 0 ? [] : ticksOf(drawnMs),
  };
}

type Range = { from: number; to: number };

/** Waits of all steps for a person, as spans that do not overlap. `isOpen`: nobody has answered yet. */
function personWaits(roots: readonly TimelineNode[], nowMs: number): (Range & { isOpen: boolean })[] {
  const waits = stepsIn(roots).flatMap((node) => node.waits.filter(({ asksPerson }) => asksPerson));
  const openFrom = Math.min(...waits.filter(({ endMs }) => endMs === null).map(({ startMs }) => startMs));
  const spans = mergeSpans(waits.map((wait) => ({ from: wait.startMs, to: endOf(wait, nowMs) })));
  return spans.map((span) => ({ ...span, isOpen: openFrom <= span.to }));
}

/** The times at which a step was working, without waits for a human. `nowMs` is no earlier than the step. */
function activeSpans({ startMs, endMs, waits }: TimelineNode, nowMs: number): Range[] {
  const ranges: Range[] = [];
  let from = startMs;
  for (const wait of waits) {
    ranges.push({ from, to: wait.startMs });
    // It waits still: that is a pause up to now.
    if (wait.endMs === null) return [...ranges, { from: nowMs, to: nowMs }];
    from = wait.endMs;
  }
  return [...ranges, { from, to: Math.max(from, endOf({ startMs, endMs }, nowMs)) }];
}

/** Where a span ends, or has come to. */
export function endOf({ startMs, endMs }: Span, nowMs: number): number {
  return endMs ?? Math.max(startMs, nowMs);
}

function mergeSpans(spans: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

function ticksOf(drawnMs: number): { at: number; elapsedMs: number }[] {
  const rough = drawnMs / tickCount;
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((size) => size >= rough) ?? unit * 10;
  const count = Math.floor(drawnMs / step);
  return Array.from({ length: count + 1 }, (_, index) => ({ at: (index * step) / drawnMs, elapsedMs: index * step }));
}

/** How long a run has waited for people. */
export function waitedForPeopleMs(steps: readonly ExecutionStep[], nowMs: number): number {
  return personWaits(toTimelineTree(steps), nowMs).reduce((sum, { from, to }) => sum + to - from, 0);
}
