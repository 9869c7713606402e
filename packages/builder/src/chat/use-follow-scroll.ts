import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** How far from the end, in pixels, a reader still counts as being there. */
const slackPx = 48;

/**
 * Keeps the end of a growing text in sight while the reader is there, and leaves a reader who scrolled up alone.
 * `key`: another text begins, whose end is shown.
 */
export function useFollowScroll(
  viewport: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  key: string,
) {
  const follows = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);

  const scrollToEnd = useCallback(() => {
    follows.current = true;
    setAtEnd(true);
    const element = viewport.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, [viewport]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text begins.
  useEffect(scrollToEnd, [key, scrollToEnd]);

  useEffect(() => {
    const [outer, inner] = [viewport.current, content.current];
    if (!outer || !inner) return;
    const onScroll = () => {
      const isNear = outer.scrollHeight - outer.scrollTop - outer.clientHeight <= slackPx;
      follows.current = isNear;
      setAtEnd(isNear);
    };
    const growth = new ResizeObserver(() => {
      if (follows.current) outer.scrollTop = outer.scrollHeight;
    });
    outer.addEventListener("scroll", onScroll, { passive: true });
    growth.observe(inner);
    growth.observe(outer);
    return () => {
      outer.removeEventListener("scroll", onScroll);
      growth.disconnect();
    };
  }, [viewport, content]);

  return { isAtEnd, scrollToEnd };
}
