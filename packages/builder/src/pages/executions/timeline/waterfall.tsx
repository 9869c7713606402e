import { VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { NodeType } from "@weft/client";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { nodeTypesQuery } from "../../../api/agents.ts";
import type { LucideIcon } from "../../../icons/create-icon.ts";
import { ChevronRight, Clock, Hand } from "../../../icons/icons.gen.ts";
import { executionStrings } from "../../../strings.ts";
import { formatCost, formatDuration } from "../../../ui/content/format.ts";
import { NodeIcon } from "../../../ui/node-icon.tsx";
import { VendorMark } from "../../../ui/vendor-mark.tsx";
import { markOf } from "../../../ui/vendor-marks.ts";
import type { TimeScale } from "./time-scale.ts";
import {
  nodeIdOf,
  rowLabel,
  type TimelineNode,
  type TimelineRow,
  type TimelineSource,
  usedBy,
  workMsOf,
} from "./timeline-tree.ts";
import classes from "./waterfall.module.css";
import { Bar, Gaps } from "./waterfall-bars.tsx";

const rowPx = 34;

type Props = {
  rows: readonly TimelineRow[];
  scale: TimeScale;
  nowMs: number;
  selectedKey: string | undefined;
  /** The node whose rows are marked. */
  markedNodeId: string | undefined;
  onSelect: (key: string) => void;
  onToggle: (key: string) => void;
  /** The node of the row under the pointer. */
  onHover: (nodeId: string | undefined) => void;
};

/** The rows of a timeline with their bars. Arrow keys choose the row above or below, left and right fold and unfold. */
export function Waterfall({ rows, scale, nowMs, selectedKey, markedNodeId, onSelect, onToggle, onHover }: Props) {
  const viewport = useRef<HTMLDivElement>(null);
  const { from, to } = useVisibleRows(viewport, { count: rows.length, rowPx });
  const selected = rows.findIndex(({ node }) => node.key === selectedKey);

  useEffect(() => {
    const element = viewport.current;
    if (element === null || selected < 0) return;
    const top = selected * rowPx;
    if (top < element.scrollTop) element.scrollTop = top;
    const bottom = top + rowPx - element.clientHeight;
    if (bottom > element.scrollTop) element.scrollTop = bottom;
  }, [selected]);

  function onKeyDown(event: KeyboardEvent) {
    const target = targetOf(event.key, { selected, last: rows.length - 1 });
    const row = rows[selected];
    const next = target === undefined ? undefined : rows[target];
    if (next !== undefined) onSelect(next.node.key);
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
              isMarked={markedNodeId !== undefined && nodeIdOf(row.node) === markedNodeId}
              onSelect={onSelect}
              onToggle={onToggle}
              onHover={onHover}
            />
          ))}
        </div>
      </div>
      <WaitNotes scale={scale} />
    </div>
  );
}

/** Waits for a person in words: the bands above say when, this says how long. */
function WaitNotes({ scale: { bands } }: Pick<Props, "scale">) {
  if (bands.length === 0) return null;
  const durationMs = bands.reduce((sum, band) => sum + band.durationMs, 0);
  const isOpen = bands.some((band) => band.isOpen);
  return (
    <p className={classes.waitNote}>
      <span className={classes.swatch} aria-hidden />
      {isOpen
        ? executionStrings.waitsForPerson({ duration: formatDuration(durationMs) })
        : executionStrings.waitedForPerson({ duration: formatDuration(durationMs) })}
    </p>
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

/** Wide enough for a label, in parts of the whole. */
const labelledFrom = 0.06;

/** A tick further to the right has no room for its time. */
const lastTickAt = 0.86;

function Axis({ scale: { ticks, pauses, bands } }: { scale: TimeScale }) {
  // A wait for a person is a pause as well; it is said once.
  const others = pauses.filter(
    ({ at, width }) => !bands.some((band) => at + width / 2 >= band.at && at + width / 2 <= band.at + band.width),
  );
  return (
    <div className={classes.axis} aria-hidden>
      <div className={classes.marks}>
        {ticks
          .filter(({ at }) => at <= lastTickAt)
          .map(({ at, elapsedMs }) => (
            <span key={elapsedMs} className={classes.tick} style={{ insetInlineStart: `${at * 100}%` }}>
              {formatDuration(elapsedMs)}
            </span>
          ))}
        {others.map((pause) => (
          <Gap
            key={pause.at}
            {...pause}
            icon={Clock}
            title={executionStrings.pause({ duration: formatDuration(pause.durationMs) })}
          />
        ))}
        {ticks.length === 0 &&
          bands
            .filter(({ width }) => width >= labelledFrom)
            .map((band) => (
              <Gap
                key={band.at}
                {...band}
                icon={Hand}
                title={executionStrings.waitedForPerson({ duration: formatDuration(band.durationMs) })}
              />
            ))}
      </div>
      <div className={classes.columns}>
        <span>{executionStrings.duration}</span>
        <span className={classes.figures}>{executionStrings.columnTokens}</span>
        <span className={classes.figures}>{executionStrings.columnCost}</span>
      </div>
    </div>
  );
}

type GapProps = { at: number; width: number; durationMs: number; icon: LucideIcon; title: string };

/** A label with its middle nearer to an end of the axis, as a part of the whole, would stand out of it. */
const nearEnd = 0.2;

function Gap({ at, width, durationMs, icon: Icon, title }: GapProps) {
  const middle = at + width / 2;
  const side = middle < nearEnd ? "start" : middle > 1 - nearEnd ? "end" : "middle";
  const offsets = {
    start: { insetInlineStart: `${at * 100}%` },
    middle: { insetInlineStart: `${middle * 100}%` },
    end: { insetInlineEnd: `${(1 - at - width) * 100}%` },
  };
  return (
    <span className={classes.pauseLabel} data-side={side} style={offsets[side]} title={title}>
      <Icon size={11} /> {formatDuration(durationMs)}
    </span>
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
  isMarked: boolean;
} & Pick<Props, "onSelect" | "onToggle" | "onHover">;

/** One row: its name, start, duration and result. The tree handles the keyboard. */
function WaterfallRow({ row, id, topPx, scale, nowMs, isSelected, isMarked, ...on }: WaterfallRowProps) {
  const { onSelect, onToggle, onHover } = on;
  const { node, depth, isOpen } = row;
  const { data: types } = useQuery(nodeTypesQuery);
  const { label, more } = rowLabel(node, types);
  const looks = looksOf(node.source, types);
  const isFoldable = node.children.length > 0;
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
      data-marked={isMarked || undefined}
      aria-selected={isSelected}
      aria-level={depth + 1}
      aria-expanded={isFoldable ? isOpen : undefined}
      onMouseEnter={() => onHover(nodeIdOf(node))}
      onMouseLeave={() => onHover(undefined)}
      onClick={() => onSelect(node.key)}
      onDoubleClick={() => isFoldable && onToggle(node.key)}
    >
      <div className={classes.name} style={{ paddingInlineStart: 8 + depth * 14 }}>
        <Fold row={row} onToggle={onToggle} />
        <NodeIcon icon={looks?.icon} group={looks?.group} size="xs" />
        <Mark source={node.source} />
        <span className={classes.label} title={label}>
          {shortLabel(node, label)}
        </span>
        {node.source.type === "effect" ? (
          <VisuallyHidden>{more}</VisuallyHidden>
        ) : (
          more !== "" && <span className={classes.more}>{more}</span>
        )}
        <VisuallyHidden>{executionStrings.stepStates[node.status]}</VisuallyHidden>
      </div>
      <div className={classes.track}>
        <Gaps scale={scale} />
        <Bar node={node} scale={scale} nowMs={nowMs} />
      </div>
      <Figures node={node} nowMs={nowMs} />
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

/** The mark of a model's provider, where there is one: the row has no room for its name. */
function Mark({ source }: { source: TimelineSource }) {
  if (source.type !== "effect" || source.effect.category !== "model") return null;
  const [provider = ""] = source.effect.name.split("/");
  return markOf(provider) === undefined ? null : <VendorMark name={provider} title="" />;
}

/** A model without its provider. */
function shortLabel({ source }: TimelineNode, label: string): string {
  const isModel = source.type === "effect" && source.effect.category === "model";
  return isModel ? label.slice(label.indexOf("/") + 1) : label;
}

/** How long a row worked, and what it used. */
function Figures({ node, nowMs }: { node: TimelineNode; nowMs: number }) {
  const { tokens, costDollars } = usedBy(node);
  return (
    <div className={classes.columns}>
      <span>{formatDuration(workMsOf(node, nowMs))}</span>
      <span className={classes.figures}>
        {tokens > 0 && (
          <>
            {executionStrings.tokens({ count: tokens })}{" "}
            <VisuallyHidden>{executionStrings.columnTokens}</VisuallyHidden>
          </>
        )}
      </span>
      <span className={classes.figures}>{costDollars !== null && formatCost(costDollars)}</span>
    </div>
  );
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
function looksOf(source: TimelineSource, types: readonly NodeType[] | undefined): Looks | undefined {
  switch (source.type) {
    case "step":
      return types?.find(({ type }) => type === source.step.type);
    case "effect":
      return calls[source.effect.category] ?? calls.tool;
    case "item":
      return { icon: "repeat", group: "logic" };
  }
}
