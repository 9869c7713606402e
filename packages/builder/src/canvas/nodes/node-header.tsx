import type { FlowNode } from "@weft/schema";
import { useCanvas, useEditorState } from "../canvas-context.ts";
import { outlineOf } from "../model/outline-of.ts";
import classes from "./node-card.module.css";
import { NodeIcon } from "./node-icon.tsx";

/** What a node is, and in a line what it is set up to do. */
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
