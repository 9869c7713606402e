import { useEffect, useState } from "react";
import { Hint } from "../text/hint.tsx";
import { formatExactMoment, toAgo } from "./format.ts";

/** A point in time as people say it, with the whole date as its title. `at`: ISO 8601. */
export function Moment({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <Hint component="time" dateTime={at} title={formatExactMoment(at)}>
      {toAgo(date.getTime(), Date.now())}
    </Hint>
  );
}

const stepMs = 200;

/** The present moment in milliseconds since the epoch; it moves on while something is `live`. */
export function useNow(isLive: boolean): number {
  const [nowMs, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isLive) return;
    const timer = setInterval(() => setNow(Date.now()), stepMs);
    return () => clearInterval(timer);
  }, [isLive]);
  return nowMs;
}
