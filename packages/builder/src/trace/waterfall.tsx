import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { executionStrings } from "../strings/executions.ts";
import { formatDuration } from "./format-duration.ts";
import type { TimeScale } from "./time-scale.ts";
import type { TimelineRow } from "./timeline-rows.ts";
import classes from "./waterfall.module.css";
import { WaterfallRow } from "./waterfall-row.tsx";

const rowPx = 34;

type Props = {
  rows: readonly TimelineRow[];
  scale: TimeScale;
  nowMs: number;
  selectedKey: string | undefined;
  onSelect: (key: string) => void;
  onToggle: (key: string) => void;
};

/** The rows of a timeline with their bars. Arrow keys choose the row above or below, left and right fold and unfold. */
export function Waterfall({ rows, scale, nowMs, selectedKey, onSelect, onToggle }: Props) {
  const viewport = useRef<HTMLDivElement>(null);
  const { from, to } = useVisibleRows(viewport, { count: rows.length, rowPx });
  const selected = rows.findIndex(({ node }) => node.key === selectedKey);

  function choose(index: number) {
    const row = rows[index];
    const element = viewport.current;
    if (row === undefined || element === null) return;
    onSelect(row.node.key);
    const top = index * rowPx;
    if (top < element.scrollTop) element.scrollTop = top;
    const bottom = top + rowPx - element.clientHeight;
    if (bottom > element.scrollTop) element.scrollTop = bottom;
  }

  function onKeyDown(event: KeyboardEvent) {
    const target = targetOf(event.key, { selected, last: rows.length - 1 });
    const row = rows[selected];
    if (target !== undefined) choose(target);
    else if (row !== undefined && isFolding(event.key, row)) onToggle(row.node.key);
    else return;
    event.preventDefault();
  }

  return (
    <div className={classes.waterfall}>
      <Axis scale={scale} />
      <div
        ref={viewport}
        className={classes.viewport}
        role="tree"
        tabIndex={0}
        aria-label={executionStrings.steps}
        aria-activedescendant={selected >= from && selected < to ? `row-${selected}` : undefined}
        onKeyDown={onKeyDown}
      >
        <div className={classes.rows} style={{ height: rows.length * rowPx }} role="presentation">
          {rows.slice(from, to).map((row, offset) => (
            <WaterfallRow
              key={row.node.key}
              row={row}
              id={`row-${from + offset}`}
              topPx={(from + offset) * rowPx}
              scale={scale}
              nowMs={nowMs}
              isSelected={from + offset === selected}
              onSelect={onSelect}
              onToggle={onToggle}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/** The row that a key leads to; undefined when it leads nowhere. */
function targetOf(key: string, { selected, last }: { selected: number; last: number }): number | undefined {
  switch (key) {
    case "ArrowDown":
      return Math.min(selected + 1, last);
    case "ArrowUp":
      return Math.max(selected - 1, 0);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}

function isFolding(key: string, { node, isOpen }: TimelineRow): boolean {
  return node.children.length > 0 && key === (isOpen ? "ArrowLeft" : "ArrowRight");
}

function Axis({ scale }: { scale: TimeScale }) {
  return (
    <div className={classes.axis} aria-hidden>
      <div className={classes.marks}>
        {scale.ticks.map(({ at, elapsedMs }) => (
          <span key={elapsedMs} className={classes.tick} style={{ insetInlineStart: `${at * 100}%` }}>
            {formatDuration(elapsedMs)}
          </span>
        ))}
        {scale.pauses.map(({ at, width, durationMs }) => (
          <span
            key={at}
            className={classes.pauseLabel}
            style={{ insetInlineStart: `${(at + width / 2) * 100}%` }}
            title={executionStrings.pause(formatDuration(durationMs))}
          >
            {formatDuration(durationMs)}
          </span>
        ))}
      </div>
    </div>
  );
}

type Rows = { count: number; rowPx: number };

/** Rows beyond the ones in sight that are drawn, too, so that scrolling shows no gap. */
const overscan = 10;

/** Which rows of a long list are in sight: from `from` to before `to`. */
function useVisibleRows(viewport: RefObject<HTMLElement | null>, { count, rowPx }: Rows) {
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
