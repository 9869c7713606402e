import type { NodeType, TemplateSummary } from "@weft/client";
import classes from "./graph-picture.module.css";

export type Graph = TemplateSummary["graph"];
export type Rect = { id: string; type: string; x: number; y: number; width: number; height: number; isFrame: boolean };

/** Of a step in the flow's own measure, about as large as its card. */
const [width, height] = [248, 72];
const margin = 24;
const insidePad = 24;

type Props = { graph: Graph; types: readonly NodeType[]; label: string };

/** A flow as a small picture: its steps in the colours of their families, their connections, and frames around loops. */
export function GraphPicture({ graph, types, label }: Props) {
  const { rects, edges, box } = toShape(graph);
  const groups = new Map(types.map(({ type, group }) => [type, group]));
  const draw = ({ id, type, isFrame, ...place }: Rect) => (
    <rect
      key={id}
      {...place}
      rx={14}
      data-group={groups.get(type)}
      className={isFrame ? classes.frame : classes.step}
    />
  );
  return (
    <svg
      viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
      className={classes.picture}
      role="img"
      aria-label={label}
    >
      {rects.filter(({ isFrame }) => isFrame).map(draw)}
      {edges.map(({ key, path }) => (
        <path key={key} className={classes.edge} d={path} />
      ))}
      {rects.filter(({ isFrame }) => !isFrame).map(draw)}
    </svg>
  );
}

/** Where steps and connections of a flow are drawn, and the box around all of them. In the flow's own measure. */
export function toShape(graph: Graph) {
  const rects = toRects(graph);
  const places = new Map(rects.map((rect) => [rect.id, rect]));
  const edges = graph.edges.flatMap(({ source, sourcePort, target }) => {
    const [from, to] = [places.get(source), places.get(target)];
    if (!from || !to) return [];
    return [{ key: `${source} ${sourcePort} ${target}`, source, target, path: toPath(from, to) }];
  });
  return { rects, edges, box: toBox(rects) };
}

/** Steps in the measure of the whole flow; a frame is as large as what is inside it. */
function toRects({ nodes }: Graph): Rect[] {
  const rects = nodes.map(({ id, type, position, parent }) => {
    const corner = nodes.find((node) => node.id === parent)?.position ?? { x: 0, y: 0 };
    return { id, type, parent, x: corner.x + position.x, y: corner.y + position.y };
  });
  return rects.map(({ parent: _, ...rect }) => {
    const inside = rects.filter(({ parent }) => parent === rect.id);
    if (inside.length === 0) return { ...rect, width, height, isFrame: false };
    const right = Math.max(...inside.map(({ x }) => x)) + width + insidePad;
    const bottom = Math.max(...inside.map(({ y }) => y)) + height + insidePad;
    return { ...rect, width: right - rect.x, height: bottom - rect.y, isFrame: true };
  });
}

function toBox(rects: readonly Rect[]) {
  const x = Math.min(...rects.map((rect) => rect.x)) - margin;
  const y = Math.min(...rects.map((rect) => rect.y)) - margin;
  const right = Math.max(...rects.map((rect) => rect.x + rect.width)) + margin;
  const bottom = Math.max(...rects.map((rect) => rect.y + rect.height)) + margin;
  return { x, y, width: right - x, height: bottom - y };
}

function toPath(from: Rect, to: Rect): string {
  const [x1, y1, x2, y2] = [from.x + from.width, from.y + from.height / 2, to.x, to.y + to.height / 2];
  const bend = Math.max(40, (x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
