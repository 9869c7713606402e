import type { NodeType } from "@weft/client";
import { type NodeProps, NodeResizer } from "@xyflow/react";
import { memo, useState } from "react";
import { canvasStrings } from "../../strings/canvas.ts";
import { useCanvas } from "../canvas-context.ts";
import type { CanvasNode } from "../canvas-elements.ts";
import { configureNode } from "../model/edits.ts";
import classes from "./node-card.module.css";
import { isSameNode } from "./step-node.tsx";

/** A note: a double click, or Enter on it, writes on it. */
export const NoteNode = memo(function NoteNode({ id, data: { node }, selected }: NodeProps<CanvasNode>) {
  const { editor, catalogue } = useCanvas();
  const [isWriting, setWriting] = useState(false);
  const field = noteTextField(catalogue.typeOf(node));
  const text = String(node.config[field] ?? "");
  const write = (value: string) => {
    const { model } = editor.state();
    editor.edit(configureNode(model, catalogue, { id, config: { ...node.config, [field]: value } }), `note ${id}`);
  };
  return (
    <>
      <NodeResizer isVisible={selected} minWidth={120} minHeight={64} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keyboard writes on it in the panel beside the canvas */}
      <div className={classes.note} data-selected={selected || undefined} onDoubleClick={() => setWriting(true)}>
        {isWriting ? (
          <textarea
            className="nodrag nowheel"
            // biome-ignore lint/a11y/noAutofocus: somebody just asked to write here
            autoFocus
            aria-label={canvasStrings.node.noteText}
            value={text}
            onChange={(event) => write(event.currentTarget.value)}
            onBlur={() => setWriting(false)}
          />
        ) : (
          text || <span className={classes.placeholder}>{canvasStrings.node.emptyNote}</span>
        )}
      </div>
    </>
  );
}, isSameNode);

/** The field of a note's config that holds its text: the first text field. */
function noteTextField(type: NodeType | undefined): string {
  const { properties = {} } = (type?.config ?? {}) as { properties?: Record<string, { type?: string }> };
  return Object.keys(properties).find((name) => properties[name]?.type === "string") ?? "text";
}
