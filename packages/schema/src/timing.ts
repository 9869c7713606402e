import { Cron } from "croner";

/** When a schedule is due. Days and hours are those of its time zone, including daylight saving. */
export type Timing = { cron: string; timeZone: string; endDate?: string | undefined };

/** The first moment after `afterMs`; undefined if there is none. */
export function nextMoment(timing: Timing, afterMs: number): number | undefined {
  return toCron(timing).nextRun(new Date(afterMs))?.getTime();
}

/** The first moments after `afterMs`, at most `count`; none for a schedule that is invalid. */
export function nextMoments(timing: Timing, afterMs: number, count: number): number[] {
  try {
    return toCron(timing)
      .nextRuns(count, new Date(afterMs))
      .map((date) => date.getTime());
  } catch {
    return [];
  }
}

/** The last moment up to `untilMs`; undefined if there was none. */
export function latestMoment(timing: Timing, untilMs: number): number | undefined {
  return toCron(timing)
    .previousRuns(1, new Date(untilMs + 1))[0]
    ?.getTime();
}

/** Why a schedule is invalid, as a sentence; undefined if it is valid. */
export function findTimingProblem(timing: Timing, minIntervalMs: number, nowMs: number): string | undefined {
  try {
    const moments = toCron({ ...timing, endDate: undefined }).nextRuns(60, new Date(nowMs));
    if (moments.length === 0) return "Its schedule names no moment that ever comes.";
    const isTooOften = moments.some((at, index) => at.getTime() - (moments[index - 1]?.getTime() ?? 0) < minIntervalMs);
    if (isTooOften) return `Its schedule is due more often than every ${minIntervalMs / 1_000} seconds.`;
    const hasEnded = timing.endDate !== undefined && nextMoment(timing, nowMs) === undefined;
    return hasEnded ? "Its schedule has ended." : undefined;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/^CronPattern: /, "") : "it cannot be read";
    return `Its schedule cannot be read: ${reason}.`;
  }
}

/** Never runs anything itself: it has no function. A day as the end is included. */
function toCron({ cron, timeZone, endDate }: Timing): Cron {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(endDate ?? "");
  const stopAt = isDay ? `${endDate}T23:59:59` : endDate && new Date(endDate).toISOString();
  return new Cron(cron, { timezone: timeZone, mode: "5-or-6-parts", ...(stopAt && { stopAt }) });
}
