import { VisuallyHidden } from "@mantine/core";
import {
  Bot,
  ChevronRight,
  CircleDot,
  Code,
  Globe,
  Layers,
  type LucideIcon,
  Search,
  Workflow,
  Wrench,
} from "lucide-react";
import { executionStrings } from "../strings/executions.ts";
import { formatDuration } from "./format-duration.ts";
import { rowLabel } from "./row-label.ts";
import { endOf, type TimeScale } from "./time-scale.ts";
import type { TimelineRow } from "./timeline-rows.ts";
import type { TimelineNode, TimelineSource } from "./timeline-tree.ts";
import classes from "./waterfall.module.css";

type Props = {
  row: TimelineRow;
  id: string;
  topPx: number;
  scale: TimeScale;
  nowMs: number;
  isSelected: boolean;
  onSelect: (key: string) => void;
  onToggle: (key: string) => void;
};

/** One row: what it is, when it began, how long it took, and how it ended. The tree has the keyboard. */
export function WaterfallRow({ row, id, topPx, scale, nowMs, isSelected, onSelect, onToggle }: Props) {
  const { node, depth, isOpen } = row;
  const { label, more } = rowLabel(node);
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
      data-selected={isSelected || undefined}
      aria-selected={isSelected}
      aria-level={depth + 1}
      aria-expanded={isFoldable ? isOpen : undefined}
      onClick={() => onSelect(node.key)}
      onDoubleClick={() => isFoldable && onToggle(node.key)}
    >
      <div className={classes.name} style={{ paddingInlineStart: 8 + depth * 14 }}>
        <Fold row={row} onToggle={onToggle} />
        <span className={classes.icon}>
          <RowIcon source={node.source} />
        </span>
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
function Fold({ row: { node, isOpen }, onToggle }: Pick<Props, "row" | "onToggle">) {
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

const icons: Record<string, LucideIcon> = {
  model: Bot,
  tool: Wrench,
  http: Globe,
  flow: Workflow,
  function: Code,
  retrieval: Search,
};

/** Tells at a glance what a row stands for. */
function RowIcon({ source }: { source: TimelineSource }) {
  const Icon =
    source.type === "effect" ? (icons[source.effect.category] ?? Wrench) : source.type === "item" ? Layers : CircleDot;
  return <Icon size={14} aria-hidden />;
}
