import { useEffect, useState } from "react";

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
