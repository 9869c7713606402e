import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useMemo } from "react";
import { nodeTypesQuery } from "../../../api/agents.ts";
import { shownLabel } from "../../../described/node-title.ts";
import { executionStrings } from "../../../strings.ts";
import { type Graph, type Rect, toShape } from "../../../ui/graph/graph-picture.tsx";
import classes from "./flow-map.module.css";
import type { TimelineNode } from "./timeline-tree.ts";

type Props = {
  graph: Graph;
  /** The steps of the run, in the order in which they began. */
  steps: readonly TimelineNode[];
  /** The node of the row that is selected, and that of the one under the pointer. */
  selectedId: string | undefined;
  hoveredId: string | undefined;
  onHover: (nodeId: string | undefined) => void;
  onChoose: (nodeId: string) => void;
};

/** How large it is drawn, in parts of the flow's own measure. */
const [largest, smallest] = [0.5, 0.24];
const longestLabel = 15;

/**
 * The flow of a run in small, beside its rows: what is marked here is marked there. Nodes that ran can be chosen, by the
 * pointer or, in the order in which they ran, by the arrow keys.
 */
export function FlowMap({ graph, steps, selectedId, hoveredId, onHover, onChoose }: Props) {
  const { data: types = [] } = useQuery(nodeTypesQuery);
  const { rects, edges, box } = useMemo(() => toShape(withoutNotes(graph)), [graph]);
  const labels = new Map(graph.nodes.map(({ id, label }) => [id, label]));
  const groups = new Map(types.map(({ type, group }) => [type, group]));
  const labelOf = ({ id, type }: Rect) =>
    shownLabel(
      labels.get(id) ?? "",
      types.find((one) => one.type === type),
    ) || type;
  const states = useMemo(() => statesOf(steps), [steps]);
  const order = [...states.keys()].filter((id) => labels.has(id));

  function onKeyDown(event: KeyboardEvent) {
    const target = targetOf(event.key, order, selectedId);
    if (target === undefined) return;
    event.preventDefault();
    onChoose(target);
  }

  const draw = (rect: Rect) => (
    <MapNode
      key={rect.id}
      rect={rect}
      label={labelOf(rect)}
      group={groups.get(rect.type)}
      state={states.get(rect.id)}
      isSelected={rect.id === selectedId}
      isMarked={rect.id === hoveredId}
      onHover={onHover}
      onChoose={onChoose}
    />
  );
  return (
    <div
      className={classes.map}
      role="listbox"
      tabIndex={0}
      aria-label={executionStrings.flowMap}
      aria-activedescendant={selectedId !== undefined && states.has(selectedId) ? `map-${selectedId}` : undefined}
      onKeyDown={onKeyDown}
    >
      <svg
        viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
        style={{ width: box.width * largest, minWidth: box.width * smallest }}
        className={classes.picture}
        role="presentation"
      >
        {rects.filter(({ isFrame }) => isFrame).map(draw)}
        {edges.map(({ key, source, target, path }) => (
          <path
            key={key}
            d={path}
            className={classes.edge}
            data-idle={!(states.has(source) && states.has(target)) || undefined}
          />
        ))}
        {rects.filter(({ isFrame }) => !isFrame).map(draw)}
      </svg>
    </div>
  );
}

function withoutNotes({ nodes, edges }: Graph): Graph {
  return { nodes: nodes.filter(({ type }) => type !== "sticky-note"), edges };
}

type NodeState = { status: TimelineNode["status"]; times: number };

/** The last state of each node that ran, and how often it did, in the order in which they began. */
function statesOf(steps: readonly TimelineNode[]): ReadonlyMap<string, NodeState> {
  const states = new Map<string, NodeState>();
  for (const { source, status } of steps) {
    if (source.type !== "step") continue;
    const known = states.get(source.step.nodeId);
    states.set(source.step.nodeId, { status, times: (known?.times ?? 0) + 1 });
  }
  return states;
}

function targetOf(key: string, order: readonly string[], selectedId: string | undefined): string | undefined {
  const at = selectedId === undefined ? -1 : order.indexOf(selectedId);
  switch (key) {
    case "ArrowRight":
    case "ArrowDown":
      return order[Math.min(at + 1, order.length - 1)];
    case "ArrowLeft":
    case "ArrowUp":
      return order[Math.max(at - 1, 0)];
    case "Home":
      return order[0];
    case "End":
      return order.at(-1);
    default:
      return undefined;
  }
}

type MapNodeProps = {
  rect: Rect;
  label: string;
  group: string | undefined;
  /** Undefined: it did not run. */
  state: NodeState | undefined;
  isSelected: boolean;
  isMarked: boolean;
} & Pick<Props, "onHover" | "onChoose">;

function MapNode({ rect, label, group, state, isSelected, isMarked, onHover, onChoose }: MapNodeProps) {
  const { id, x, y, width, height, isFrame } = rect;
  const said = state
    ? executionStrings.mapNode({ label, state: executionStrings.stepStates[state.status], times: state.times })
    : undefined;
  const short = label.length > longestLabel ? `${label.slice(0, longestLabel - 1)}…` : label;
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: its role is option wherever it can be selected.
    // biome-ignore lint/a11y/noStaticElementInteractions: a node that ran is an option of the list; others do nothing.
    <g
      id={state ? `map-${id}` : undefined}
      role={state ? "option" : "presentation"}
      aria-selected={state ? isSelected : undefined}
      className={classes.node}
      data-group={group}
      data-status={state?.status}
      data-frame={isFrame || undefined}
      data-selected={isSelected || undefined}
      data-marked={isMarked || undefined}
      onMouseEnter={() => state && onHover(id)}
      onMouseLeave={() => onHover(undefined)}
      onClick={() => state && onChoose(id)}
    >
      <title>{said ?? executionStrings.mapNodeIdle({ label })}</title>
      <rect x={x} y={y} width={width} height={height} rx={16} />
      <text x={x + 18} y={isFrame ? y + 34 : y + height / 2 + 10}>
        {short}
      </text>
      {state !== undefined && state.times > 1 && (
        <text x={x + width - 14} y={y + 26} className={classes.times}>
          ×{state.times}
        </text>
      )}
    </g>
  );
}
