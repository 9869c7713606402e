import { TextInput } from "@mantine/core";
import type { NodeType } from "@weft/client";
import { useReactFlow, useStore } from "@xyflow/react";
import { type DragEvent, type KeyboardEvent, memo, type PointerEvent, type RefObject, useMemo, useState } from "react";
import { PanelLeftClose, Search } from "../icons/icons.gen.ts";
import { canvasStrings, textFor } from "../strings.ts";
import { IconAction } from "../ui/controls/actions.tsx";
import { NodeIcon } from "../ui/node-icon.tsx";
import { Hint } from "../ui/text/hint.tsx";
import { useCanvas, useEditorState } from "./canvas-context.ts";
import minimapClasses from "./flow-canvas.module.css";
import { type Box, boundsOf, boxesOf } from "./model/box.ts";
import { searchNodeTypes } from "./model/node-catalogue.ts";
import classes from "./node-palette.module.css";

const { palette } = canvasStrings;

type Props = {
  searchRef: RefObject<HTMLInputElement | null>;
  onClose(): void;
  onAdded(): void;
  /** Called on Escape, if there is nothing left to clear. */
  onLeave(): void;
  /** Shows the map below the list. */
  hasMinimap?: boolean;
};

/** A searchable list of all steps. Add one with a click or Enter, or drag it onto the canvas. */
export function NodePalette({ searchRef, onClose, onAdded, onLeave, hasMinimap = false }: Props) {
  const { catalogue, commands, view } = useCanvas();
  const [query, setQuery] = useState("");
  const found = searchNodeTypes(catalogue.types, query);
  const groups = Map.groupBy(found, ({ group }) => group);
  const add = (type: NodeType) => {
    commands.add(type);
    onAdded();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter" && found[0]) {
      add(found[0]);
      setQuery("");
    }
    if (event.key !== "Escape") return;
    if (query !== "") {
      setQuery("");
      return;
    }
    view.focus();
    onLeave();
  };
  return (
    <aside className={classes.palette} aria-label={palette.title} tabIndex={-1}>
      <div className={classes.head}>
        <TextInput
          ref={searchRef}
          size="sm"
          flex={1}
          aria-label={palette.search}
          placeholder={palette.search}
          leftSection={<Search size={16} aria-hidden />}
          rightSection={query === "" ? <kbd className={classes.key}>{palette.key}</kbd> : null}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <IconAction icon={PanelLeftClose} label={palette.close} onClick={onClose} size={36} />
      </div>
      <div className={classes.list}>
        {[...groups].map(([group, types]) => (
          <section key={group} aria-label={groupTitle(group)}>
            <h2 className={classes.group}>{groupTitle(group)}</h2>
            {types.map((type) => (
              <PaletteEntry key={type.type} type={type} onAdd={() => add(type)} />
            ))}
          </section>
        ))}
        {found.length === 0 && <Hint p="md">{palette.nothing({ query })}</Hint>}
      </div>
      <p className={classes.hint}>{palette.hint}</p>
      {hasMinimap && <CanvasMinimap />}
    </aside>
  );
}

function PaletteEntry({ type, onAdd }: { type: NodeType; onAdd(): void }) {
  return (
    <button
      type="button"
      className={classes.entry}
      draggable
      title={type.summary}
      onDragStart={(event) => writeDraggedType(event, type.type)}
      onClick={onAdd}
    >
      <NodeIcon icon={type.icon} group={type.group} size="sm" />
      <span className={classes.entryText}>
        <span className={classes.entryTitle}>{type.title}</span>
        <span className={classes.entrySummary}>{type.summary}</span>
      </span>
    </button>
  );
}

function groupTitle(group: string): string {
  return textFor(canvasStrings.groups, group) ?? group.charAt(0).toUpperCase() + group.slice(1);
}

const format = "application/x-weft-node-type";

/** Attaches a node type to the drag. */
function writeDraggedType({ dataTransfer }: DragEvent, type: string): void {
  dataTransfer.setData(format, type);
  dataTransfer.effectAllowed = "copy";
}

/** The node type being dropped; empty for anything else. */
export function readDraggedType({ dataTransfer }: DragEvent): string {
  return dataTransfer.getData(format);
}

const size = { width: 232, height: 128 };
const paddingPx = 80;

/**
 * A minimap of the flow with the visible area; clicking it moves the canvas there. Unlike React Flow's own, it updates
 * after a move rather than during it, and sits next to the canvas, where it covers nothing.
 */
const CanvasMinimap = memo(function CanvasMinimap() {
  const { catalogue } = useCanvas();
  const model = useEditorState((state) => state.model);
  const { setCenter, getZoom } = useReactFlow();
  const boxes = useMemo(() => boxesOf(model, catalogue), [model, catalogue]);
  const whole = useMemo(() => boundsOf(boxes, paddingPx), [boxes]);
  const go = ({ clientX, clientY, currentTarget, buttons }: PointerEvent<SVGSVGElement>) => {
    const matrix = currentTarget.getScreenCTM();
    if (buttons === 0 || !matrix) return;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    void setCenter(x, y, { zoom: getZoom() });
  };
  if (!whole) return null;
  return (
    <svg
      className={minimapClasses.minimap}
      {...size}
      data-minimap
      viewBox={`${whole.x} ${whole.y} ${whole.width} ${whole.height}`}
      role="img"
      aria-label={canvasStrings.toolbar.minimap}
      onPointerDown={go}
      onPointerMove={go}
    >
      <Boxes boxes={boxes} />
      <Seen />
    </svg>
  );
});

const Boxes = memo(function Boxes({ boxes }: { boxes: readonly Box[] }) {
  const path = boxes.map(({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h${-width}z`).join("");
  return <path d={path} className={minimapClasses.minimapNodes} />;
});

function Seen() {
  const [left, top, zoom] = useStore((state) => state.transform);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  return (
    <rect
      className={minimapClasses.minimapSeen}
      x={-left / zoom}
      y={-top / zoom}
      width={width / zoom}
      height={height / zoom}
      vectorEffect="non-scaling-stroke"
    />
  );
}
