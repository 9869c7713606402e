import { Tooltip } from "@mantine/core";
import type { NodeType } from "@weft/client";
import { errorPort, type Finding, type FlowNode, isJsonObject } from "@weft/schema";
import { Handle, type NodeProps, NodeResizer, Position, useStoreApi } from "@xyflow/react";
import { type CSSProperties, memo, type PointerEventHandler, useState } from "react";
import { shownLabel } from "../../described/node-title.ts";
import type { LucideIcon } from "../../icons/create-icon.ts";
import { Ban, Check, Hourglass, LoaderCircle, Pin, Square, TriangleAlert, X } from "../../icons/icons.gen.ts";
import { canvasStrings, replayStrings } from "../../strings.ts";
import { NodeIcon } from "../../ui/node-icon.tsx";
import { VendorMark } from "../../ui/vendor-mark.tsx";
import { markOf } from "../../ui/vendor-marks.ts";
import { useCanvas, useEditorState, useKeyed } from "../canvas-context.ts";
import { listsPorts } from "../model/box.ts";
import { configureNode } from "../model/edits.ts";
import { instructionsOf, outlineOf } from "../model/node-catalogue.ts";
import { type CanvasNode, cardBorderPx, handlePx, portCentres } from "../session/canvas-elements.ts";
import type { NodeRunState } from "../session/canvas-session.ts";
import { toFacts } from "../step-run.ts";
import classes from "./node-card.module.css";

/** Any step. Everything type-specific comes from the catalogue. */
const StepNode = memo(function StepNode({ id, data: { node }, selected }: NodeProps<CanvasNode>) {
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
      <NodeBadges nodeId={id} run={run} pauses={node.type === "wait"} />
      {run !== undefined && <RunFacts nodeId={id} />}
    </div>
  );
}, isSameNode);

/** React Flow passes a moving node new coordinates with every frame; they do not affect its rendering. */
function isSameNode(before: NodeProps<CanvasNode>, after: NodeProps<CanvasNode>): boolean {
  return (
    before.data === after.data &&
    before.selected === after.selected &&
    before.width === after.width &&
    before.height === after.height
  );
}

/** The type of a node, the first line of its instructions, and a one-line summary of its settings. */
function NodeHeader({ node }: { node: FlowNode }) {
  const type = useCanvas().catalogue.typeOf(node);
  const outline = useEditorState(({ model }) => (type ? outlineOf(node, type, model.nodes) : node.type));
  const title = shownLabel(node.label, type) || node.id;
  const provider = providerOf(node);
  const instructions = type ? instructionsOf(node, type) : "";
  return (
    <div className={classes.header}>
      <NodeIcon icon={type?.icon} group={type?.group} />
      <div className={classes.text}>
        <div className={classes.title}>{title}</div>
        {instructions !== "" && <div className={classes.instructions}>{instructions}</div>}
        <div className={classes.outline}>
          {markOf(provider) && <VendorMark name={provider} title="" />}
          {outline || (type && type.title !== title ? type.title : type?.summary)}
        </div>
      </div>
    </div>
  );
}

/** The provider of the step's model; empty if it names none. */
function providerOf({ config: { model } }: FlowNode): string {
  return isJsonObject(model) && typeof model.provider === "string" ? model.provider : "";
}

/** A note: a double click, or Enter, edits it. */
const NoteNode = memo(function NoteNode({ id, data: { node }, selected }: NodeProps<CanvasNode>) {
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
            // biome-ignore lint/a11y/noAutofocus: the user just asked to write here
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
  const { properties = {} }: { properties?: Record<string, { type?: string }> } = type?.config ?? {};
  return Object.keys(properties).find((name) => properties[name]?.type === "string") ?? "text";
}

const runIcons: Record<NodeRunState, LucideIcon> = {
  running: LoaderCircle,
  finished: Check,
  failed: X,
  waiting: Hourglass,
  rejected: Ban,
  stopped: Square,
};

type BadgesProps = {
  nodeId: string;
  run: NodeRunState | undefined;
  /** It waits, but not for an answer. */
  pauses?: boolean;
};

/** The run state and the problems of a node. */
function NodeBadges({ nodeId, run, pauses = false }: BadgesProps) {
  const findings = useKeyed(useCanvas().findings, nodeId);
  const isPinned = useKeyed(useCanvas().pins, nodeId) !== undefined;
  if (run === undefined && findings === undefined && !isPinned) return null;
  return (
    <div className={classes.badges}>
      {isPinned && <PinBadge />}
      {findings !== undefined && <FindingsBadge findings={findings} />}
      {run !== undefined && <RunBadge run={run} pauses={pauses} />}
    </div>
  );
}

/** Duration and usage of the step. */
function RunFacts({ nodeId }: { nodeId: string }) {
  const last = useKeyed(useCanvas().lastRun, nodeId);
  if (last === undefined || last.status === "INPROGRESS") return null;
  return <div className={classes.facts}>{toFacts(last)}</div>;
}

function FindingsBadge({ findings }: { findings: readonly Finding[] }) {
  const level = findings.some((finding) => finding.level === "error") ? "error" : "warning";
  const text = findings.map(({ message }) => message).join("\n");
  return (
    <Tooltip label={text} multiline maw={340} style={{ whiteSpace: "pre-line" }} openDelay={100}>
      <span className={classes.badge} data-kind={level} role="img" aria-label={text}>
        <TriangleAlert size={12} strokeWidth={2.5} aria-hidden />
      </span>
    </Tooltip>
  );
}

function PinBadge() {
  const label = replayStrings.pinned;
  return (
    <Tooltip label={replayStrings.pinnedText} multiline maw={340} openDelay={100}>
      <span className={classes.badge} data-kind="pinned" role="img" aria-label={label}>
        <Pin size={12} strokeWidth={2.5} aria-hidden />
      </span>
    </Tooltip>
  );
}

function RunBadge({ run, pauses }: { run: NodeRunState; pauses: boolean }) {
  const Icon = runIcons[run];
  const label = pauses && run === "waiting" ? canvasStrings.pausing : canvasStrings.runStates[run];
  return (
    <span className={classes.badge} data-kind={run} role="img" aria-label={label}>
      <Icon size={12} strokeWidth={3} aria-hidden />
    </span>
  );
}

type PortDot = {
  id: string | null;
  type: "source" | "target";
  position: Position;
  title: string;
  style: CSSProperties;
  className: string;
};

/** For devices without a hovering pointer. */
const isTouchOnly = typeof matchMedia === "function" && matchMedia("(hover: none)").matches;
/** Distance from inside a card's border to the start of a dot on its edge, or on a line from there. */
const edgePx = -handlePx / 2 - cardBorderPx;

/** Whether a node's dots can be dragged, with the handlers that detect it. */
function useLiveHandles(): {
  isLive: boolean;
  onPointerEnter: PointerEventHandler;
  onPointerLeave: PointerEventHandler;
} {
  const [isNear, setNear] = useState(false);
  return {
    isLive: isNear || isTouchOnly,
    onPointerEnter: () => setNear(true),
    // Not while a connection is dragged from it: that needs its dot.
    onPointerLeave: ({ buttons }) => {
      if (buttons === 0) setNear(false);
    },
  };
}

type Props = { node: FlowNode; isLive: boolean; isSelected: boolean };

/**
 * The dots that edges connect. React Flow's handles listen to every change of the canvas, which is expensive with
 * hundreds of nodes. Only the hovered node has them; the others have look-alikes that connections can be dropped on.
 */
const NodeHandles = memo(function NodeHandles({ node, isLive, isSelected }: Props) {
  const { view } = useCanvas();
  const dots = useDots(node, isLive || isSelected);
  const { rfId } = useStoreApi().getState();
  return dots.map(({ id, type, position, title, style, className }) =>
    isLive ? (
      <Handle
        key={`${type} ${id}`}
        {...(id === null ? {} : { id })}
        type={type}
        position={position}
        className={className}
        style={style}
        title={title}
        {...(type === "source" &&
          id !== null && { onClick: () => view.askConnection({ source: node.id, sourcePort: id }) })}
      />
    ) : (
      <div
        key={`${type} ${id}`}
        className={`react-flow__handle nodrag nopan connectable connectableend ${type} ${className}`}
        style={style}
        data-handleid={id}
        data-nodeid={node.id}
        data-handlepos={position}
        data-id={`${rfId}-${node.id}-${id}-${type}`}
      />
    ),
  );
});

/** The error dot is visible and present only when it is about to be used. */
function useDots(node: FlowNode, withErrorDot: boolean): PortDot[] {
  const { catalogue } = useCanvas();
  const ports = catalogue.portsOf(node);
  const centres = portCentres(ports.length);
  const className = classes.handle ?? "";
  const outputs = ports.map(({ id, title }, index): PortDot => {
    const top = (centres.outputs[index] ?? 0) + edgePx;
    return { id, type: "source", position: Position.Right, title, style: { top, right: edgePx }, className };
  });
  const input: PortDot = {
    id: null,
    type: "target",
    position: Position.Left,
    title: canvasStrings.node.input,
    style: { top: centres.input + edgePx, left: edgePx },
    className,
  };
  const error: PortDot = {
    id: errorPort,
    type: "source",
    position: Position.Bottom,
    title: canvasStrings.node.onError,
    style: { bottom: edgePx, left: `calc(50% - ${handlePx / 2}px)` },
    className: `${className} ${classes.errorHandle}`,
  };
  return [
    ...(catalogue.hasInput(node) ? [input] : []),
    ...outputs,
    ...(withErrorDot && catalogue.hasErrorPort(node) ? [error] : []),
  ];
}

/** A step with a sub-flow inside. */
const SubFlowNode = memo(function SubFlowNode({ id, data: { node }, selected }: NodeProps<CanvasNode>) {
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
      {run !== undefined && <RunFacts nodeId={id} />}
    </div>
  );
}, isSameNode);

/** How React Flow draws the canvas. */
export const nodeTypes = { step: StepNode, "sub-flow": SubFlowNode, note: NoteNode };
