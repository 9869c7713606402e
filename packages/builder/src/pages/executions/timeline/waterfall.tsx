import { VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { NodeType } from "@weft/client";
import { ChevronRight } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { nodeTypesQuery } from "../../../api/agents.ts";
import { formatDuration } from "../../../ui/content/format.ts";
import { NodeIcon } from "../../../ui/node-icon.tsx";
import { executionStrings } from "../strings.ts";
import { endOf, type TimeScale } from "./time-scale.ts";
import { rowLabel, type TimelineNode, type TimelineRow, type TimelineSource } from "./timeline-tree.ts";
import classes from "./waterfall.module.css";

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

type WaterfallRowProps = {
  row: TimelineRow;
  id: string;
  topPx: number;
  scale: TimeScale;
  nowMs: number;
  isSelected: boolean;
  onSelect: (key: string) => void;
  onToggle: (key: string) => void;
};

/** One row: its name, start, duration and result. The tree handles the keyboard. */
function WaterfallRow({ row, id, topPx, scale, nowMs, isSelected, onSelect, onToggle }: WaterfallRowProps) {
  const { node, depth, isOpen } = row;
  const { label, more } = rowLabel(node);
  const looks = useLooks(node.source);
  const isFoldable = node.children.length > 0;
  const duration = formatDuration(endOf(node, nowMs) - node.startMs);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys for all of its rows.
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names the row that is active.
    <div
      id={id}
      role="treeitem"
      className={classes.row}
      style={{ top: topPx }}
      data-status={node.status}
      data-group={looks?.group}
      data-selected={isSelected || undefined}
      aria-selected={isSelected}
      aria-level={depth + 1}
      aria-expanded={isFoldable ? isOpen : undefined}
      onClick={() => onSelect(node.key)}
      onDoubleClick={() => isFoldable && onToggle(node.key)}
    >
      <div className={classes.name} style={{ paddingInlineStart: 8 + depth * 14 }}>
        <Fold row={row} onToggle={onToggle} />
        <NodeIcon icon={looks?.icon} group={looks?.group} size="xs" />
        <span className={classes.label} title={label}>
          {label}
        </span>
        {node.source.type === "effect" ? (
          <VisuallyHidden>{more}</VisuallyHidden>
        ) : (
          more !== "" && <span className={classes.more}>{more}</span>
        )}
        <VisuallyHidden>{executionStrings.stepStates[node.status]}</VisuallyHidden>
      </div>
      <div className={classes.track}>
        <Pauses scale={scale} />
        <Bar node={node} scale={scale} nowMs={nowMs} />
      </div>
      <span className={classes.duration}>{duration}</span>
    </div>
  );
}

/** For the mouse; the keyboard has the arrow keys. */
function Fold({ row: { node, isOpen }, onToggle }: Pick<WaterfallRowProps, "row" | "onToggle">) {
  if (node.children.length === 0) return <span className={classes.fold} />;
  return (
    <button
      type="button"
      className={classes.fold}
      tabIndex={-1}
      aria-hidden
      title={isOpen ? executionStrings.collapse : executionStrings.expand}
      onClick={(event) => {
        event.stopPropagation();
        onToggle(node.key);
      }}
    >
      <ChevronRight size={14} data-open={isOpen} />
    </button>
  );
}

function Bar({ node, scale, nowMs }: { node: TimelineNode; scale: TimeScale; nowMs: number }) {
  const place = (startMs: number, endMs: number) => {
    const start = scale.position(startMs);
    return { insetInlineStart: `${start * 100}%`, width: `${(scale.position(endMs) - start) * 100}%` };
  };
  return (
    <>
      <span className={classes.bar} style={place(node.startMs, endOf(node, nowMs))} />
      {node.waits.map((wait) => (
        <span key={wait.startMs} className={classes.wait} style={place(wait.startMs, endOf(wait, nowMs))} />
      ))}
    </>
  );
}

function Pauses({ scale }: { scale: TimeScale }) {
  return scale.pauses.map(({ at, width }) => (
    <span key={at} className={classes.pause} style={{ insetInlineStart: `${at * 100}%`, width: `${width * 100}%` }} />
  ));
}

/** The pictures of calls, each with the family that it belongs to on the canvas. */
const calls: Readonly<Record<string, Looks>> = {
  model: { icon: "sparkles", group: "model" },
  tool: { icon: "wrench", group: "action" },
  http: { icon: "globe", group: "action" },
  flow: { icon: "workflow", group: "action" },
  function: { icon: "code", group: "action" },
  retrieval: { icon: "search", group: "action" },
};

type Looks = Pick<NodeType, "icon" | "group">;

/** How a row looks: a step as on the canvas, a call by its kind. Unknown until the catalogue is there. */
function useLooks(source: TimelineSource): Looks | undefined {
  const { data: types } = useQuery(nodeTypesQuery);
  switch (source.type) {
    case "step":
      return types?.find(({ type }) => type === source.step.type);
    case "effect":
      return calls[source.effect.category] ?? calls.tool;
    case "item":
      return { icon: "repeat", group: "logic" };
  }
}
