import { type RefObject, useEffect, useState } from "react";

type Rows = { count: number; rowPx: number };

/** Rows beyond the ones in sight that are drawn, too, so that scrolling shows no gap. */
const overscan = 10;

/** Which rows of a long list are in sight: from `from` to before `to`. */
export function useVisibleRows(viewport: RefObject<HTMLElement | null>, { count, rowPx }: Rows) {
  const [range, setRange] = useState({ from: 0, to: 60 });
  useEffect(() => {
    const element = viewport.current;
    if (!element) return;
    const update = () => {
      const from = Math.max(0, Math.floor(element.scrollTop / rowPx) - overscan);
      const to = Math.ceil((element.scrollTop + element.clientHeight) / rowPx) + overscan;
      setRange((before) => (before.from === from && before.to === to ? before : { from, to }));
    };
    update();
    const resize = new ResizeObserver(update);
    resize.observe(element);
    element.addEventListener("scroll", update, { passive: true });
    return () => {
      resize.disconnect();
      element.removeEventListener("scroll", update);
    };
  }, [viewport, rowPx]);
  return { from: Math.min(range.from, count), to: Math.min(range.to, count) };
}
