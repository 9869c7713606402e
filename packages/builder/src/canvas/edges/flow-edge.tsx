import { BaseEdge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from "@xyflow/react";
import { X } from "lucide-react";
import { memo, useState } from "react";
import { canvasStrings } from "../../strings/canvas.ts";
import { useCanvas } from "../canvas-context.ts";
import type { CanvasEdge } from "../canvas-elements.ts";
import { removeElements } from "../model/edits.ts";
import classes from "./flow-edge.module.css";

/** A curve, with a button that removes it while one points at it or has it selected. */
export const FlowEdge = memo(function FlowEdge(props: EdgeProps<CanvasEdge>) {
  const { id, selected, data } = props;
  const { editor } = useCanvas();
  const [isPointedAt, setPointedAt] = useState(false);
  const [path, labelX, labelY] = getBezierPath(props);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: with the keyboard an edge is selected, and removed by Delete
    <g onMouseEnter={() => setPointedAt(true)} onMouseLeave={() => setPointedAt(false)}>
      <BaseEdge
        id={id}
        path={path}
        interactionWidth={24}
        className={data?.isError ? `${classes.edge} ${classes.error}` : (classes.edge ?? "")}
      />
      {(isPointedAt || selected) && (
        <EdgeLabelRenderer>
          <button
            type="button"
            className={`${classes.remove} nodrag nopan`}
            style={{ transform: `translate(-50%, -50%) translate(${labelX}px, ${labelY}px)` }}
            aria-label={canvasStrings.edge.remove}
            title={canvasStrings.edge.remove}
            onClick={() => editor.edit(removeElements(editor.state().model, [], [id]))}
          >
            <X size={14} strokeWidth={2.5} aria-hidden />
          </button>
        </EdgeLabelRenderer>
      )}
    </g>
  );
});
