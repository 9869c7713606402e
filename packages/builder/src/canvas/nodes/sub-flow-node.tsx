import type { NodeProps } from "@xyflow/react";
import { memo } from "react";
import { canvasStrings } from "../../strings/canvas.ts";
import { useCanvas, useEditorState, useKeyed } from "../canvas-context.ts";
import type { CanvasNode } from "../canvas-elements.ts";
import { NodeBadges } from "./node-badges.tsx";
import classes from "./node-card.module.css";
import { NodeHandles, useLiveHandles } from "./node-handles.tsx";
import { NodeHeader } from "./node-header.tsx";
import { isSameNode } from "./step-node.tsx";

/** A step with the steps that it runs inside of it. */
export const SubFlowNode = memo(function SubFlowNode({ id, data: { node }, selected }: NodeProps<CanvasNode>) {
  const run = useKeyed(useCanvas().runStates, id);
  const { isLive, ...pointer } = useLiveHandles();
  const isEmpty = useEditorState(({ model }) => ![...model.nodes.values()].some(({ parent }) => parent === id));
  return (
    <div
      className={`${classes.card} ${classes.subFlow}`}
      data-selected={selected || undefined}
      data-run={run}
      {...pointer}
    >
      <NodeHeader node={node} />
      {isEmpty && <div className={classes.empty}>{canvasStrings.node.emptySubFlow}</div>}
      <NodeHandles node={node} isLive={isLive} isSelected={selected} />
      <NodeBadges nodeId={id} run={run} />
    </div>
  );
}, isSameNode);
