import { BaseEdge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from "@xyflow/react";
import { memo, useState } from "react";
import type { LucideIcon } from "../../icons/create-icon.ts";
import { Plus, X } from "../../icons/icons.gen.ts";
import { canvasStrings } from "../../strings.ts";
import { useCanvas, useKeyed } from "../canvas-context.ts";
import type { Point } from "../model/box.ts";
import { removeElements } from "../model/edits.ts";
import type { CanvasEdge } from "../session/canvas-elements.ts";
import edgeClasses from "./flow-edge.module.css";

const { edge } = canvasStrings;

/** Length and half the width of the head of an edge. */
const arrowPx = { length: 9, half: 5 };

/** A curve with an arrowhead. While hovered or selected it has buttons to insert a step and to remove it. */
const FlowEdge = memo(function FlowEdge(props: EdgeProps<CanvasEdge>) {
  const { id, selected, data } = props;
  const { editor, view } = useCanvas();
  const [isPointedAt, setPointedAt] = useState(false);
  const way = useWay(props.source, props.target);
  const { targetX, targetY } = props;
  const neckX = targetX - arrowPx.length;
  const [path, labelX, labelY] = getBezierPath({ ...props, targetX: neckX });
  const label = isLabelled(props) ? toEdgeLabel(data?.label, targetX - props.sourceX) : undefined;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: with the keyboard an edge is selected, and removed by Delete
    <g onMouseEnter={() => setPointedAt(true)} onMouseLeave={() => setPointedAt(false)}>
      <BaseEdge
        id={id}
        path={path}
        interactionWidth={24}
        className={data?.isError ? `${edgeClasses.edge} ${edgeClasses.error}` : (edgeClasses.edge ?? "")}
        {...{ "data-way": way }}
      />
      <path
        className={edgeClasses.arrow}
        data-error={data?.isError || undefined}
        data-way={way}
        d={`M ${neckX} ${targetY - arrowPx.half} L ${targetX} ${targetY} L ${neckX} ${targetY + arrowPx.half} Z`}
      />
      {label && <EdgeLabel label={label} at={{ x: labelX, y: labelY }} way={way} />}
      {(isPointedAt || selected) && (
        <EdgeLabelRenderer>
          <div
            className={`${edgeClasses.buttons} nodrag nopan`}
            style={{
              transform: `translate(-50%, -50%) translate(${labelX}px, ${labelY + (label ? belowLabelPx : 0)}px)`,
            }}
          >
            <EdgeButton icon={Plus} label={edge.insert} onClick={(at) => view.askInsertion(id, at)} />
            <EdgeButton
              icon={X}
              label={edge.remove}
              isDanger
              onClick={() => editor.edit(removeElements(editor.state().model, [], [id]))}
            />
          </div>
        </EdgeLabelRenderer>
      )}
    </g>
  );
});

/** Within this distance from its output an edge needs no label: the card shows the output's. */
const nearPx = { x: 200, y: 100 };
/** From a label to the centre of the buttons below it; they touch the line, so that the pointer can reach them. */
const belowLabelPx = 22;

/** The card does not show connections after failures. */
function isLabelled({ data, sourceX, sourceY, targetX, targetY }: EdgeProps<CanvasEdge>): boolean {
  if (data?.isError) return true;
  const isRight = targetX >= sourceX;
  return !isRight || targetX - sourceX > nearPx.x || Math.abs(targetY - sourceY) > nearPx.y;
}

const labelChars = { least: 16, most: 32 };
/** Per character, including the larger text of a zoomed-out canvas. */
const charPx = { usual: 6.5, small: 8 };

/** A name as shown. `isTight`: larger text does not fit between the ends. */
type ShownLabel = { whole: string; shown: string; isTight: boolean };

/** The name of a branch, truncated to fit between its ends; undefined if too little would remain readable. */
function toEdgeLabel(whole: string | undefined, widthPx: number): ShownLabel | undefined {
  if (!whole) return undefined;
  const roomPx = Math.abs(widthPx) - 24;
  const most = Math.min(labelChars.most, Math.floor(roomPx / charPx.usual));
  const shown = whole.length > most ? `${whole.slice(0, Math.max(0, most - 1)).trimEnd()}…` : whole;
  if (shown !== whole && most < labelChars.least) return undefined;
  return { whole, shown, isTight: shown.length * charPx.small > Math.abs(widthPx) };
}

type EdgeLabelProps = { label: ShownLabel; at: Point; way?: "taken" | "now" | undefined };

/** The name of a branch on its line. Drawn as SVG, so that nothing is measured or laid out. */
function EdgeLabel({ label: { whole, shown, isTight }, at: { x, y }, way }: EdgeLabelProps) {
  return (
    <text className={edgeClasses.label} data-way={way} data-tight={isTight || undefined} x={x} y={y} aria-hidden>
      <title>{whole}</title>
      {shown}
    </text>
  );
}

/** How far the line of a loop hangs below its ends. */
const backPx = 120;

/** The way back of a loop: below the steps between, and not clickable. */
const BackEdge = memo(function BackEdge({ sourceX, sourceY, targetX, targetY, data }: EdgeProps<CanvasEdge>) {
  const neckX = targetX - arrowPx.length;
  const [below, side] = [Math.max(sourceY, targetY) + backPx, backPx / 2];
  const label = toEdgeLabel(data?.label, sourceX - targetX);
  // In the middle of the curve.
  const labelAt = { x: (sourceX + neckX) / 2, y: (sourceY + targetY) / 8 + below * 0.75 };
  return (
    <g className={edgeClasses.back} data-back>
      <path d={`M ${sourceX} ${sourceY} C ${sourceX + side} ${below} ${neckX - side} ${below} ${neckX} ${targetY}`} />
      <path d={`M ${neckX} ${targetY - arrowPx.half} L ${targetX} ${targetY} L ${neckX} ${targetY + arrowPx.half}`} />
      {label && <EdgeLabel label={label} at={labelAt} />}
    </g>
  );
});

/** Whether the watched run has taken the edge between two steps, or is taking it now. */
function useWay(source: string, target: string): "taken" | "now" | undefined {
  const { runStates } = useCanvas();
  const [from, to] = [useKeyed(runStates, source), useKeyed(runStates, target)];
  if (from !== "finished" || to === undefined) return undefined;
  return to === "running" ? "now" : "taken";
}

type EdgeButtonProps = { icon: LucideIcon; label: string; isDanger?: boolean; onClick(at: Point): void };

function EdgeButton({ icon: Icon, label, isDanger = false, onClick }: EdgeButtonProps) {
  return (
    <button
      type="button"
      className={edgeClasses.button}
      data-danger={isDanger || undefined}
      aria-label={label}
      title={label}
      onClick={({ currentTarget }) => {
        const { left, bottom } = currentTarget.getBoundingClientRect();
        onClick({ x: left, y: bottom + 8 });
      }}
    >
      <Icon size={14} strokeWidth={2.5} aria-hidden />
    </button>
  );
}

export const edgeTypes = { flow: FlowEdge, back: BackEdge };
