import type { FlowNode } from "@weft/schema";
import type { NodeProps } from "@xyflow/react";
import { memo } from "react";
import { useCanvas, useEditorState, useKeyed } from "../canvas-context.ts";
import type { CanvasNode } from "../canvas-elements.ts";
import { listsPorts } from "../model/box.ts";
import { outlineOf } from "../model/outline-of.ts";
import { NodeBadges } from "./node-badges.tsx";
import classes from "./node-card.module.css";
import { NodeHandles, useLiveHandles } from "./node-handles.tsx";
import { NodeIcon } from "./node-icon.tsx";

/** Any step. Everything specific to its type comes from the catalogue. */
export const StepNode = memo(function StepNode({ id, data: { node }, selected }: NodeProps<CanvasNode>) {
  const { catalogue, runStates } = useCanvas();
  const run = useKeyed(runStates, id);
  const { isLive, ...pointer } = useLiveHandles();
  const ports = catalogue.portsOf(node);
  return (
    <div className={classes.card} data-selected={selected || undefined} data-run={run} {...pointer}>
      <NodeHeader node={node} />
      {listsPorts(ports.length) && (
        <ul className={classes.ports}>
          {ports.map((port) => (
            <li key={port.id} className={classes.port}>
              {port.title}
            </li>
          ))}
        </ul>
      )}
      <NodeHandles node={node} isLive={isLive} isSelected={selected} />
      <NodeBadges nodeId={id} run={run} />
    </div>
  );
}, isSameNode);

/** React Flow passes a moving node new coordinates with every frame; they do not affect its rendering. */
export function isSameNode(before: NodeProps<CanvasNode>, after: NodeProps<CanvasNode>): boolean {
  return (
    before.data === after.data &&
    before.selected === after.selected &&
    before.width === after.width &&
    before.height === after.height
  );
}

/** The type of a node and a one-line summary of its settings. */
export function NodeHeader({ node }: { node: FlowNode }) {
  const type = useCanvas().catalogue.typeOf(node);
  const outline = useEditorState(({ model }) => (type ? outlineOf(node, type, model.nodes) : node.type));
  const title = node.label || type?.title || node.id;
  return (
    <div className={classes.header}>
      <NodeIcon icon={type?.icon} group={type?.group} />
      <div className={classes.text}>
        <div className={classes.title}>{title}</div>
        <div className={classes.outline}>{outline || (type && type.title !== title ? type.title : type?.summary)}</div>
      </div>
    </div>
  );
}
