import type { CanvasEdge, CanvasElements, CanvasNode, CanvasView } from "./canvas-elements.ts";

/** How many nodes more are drawn with each frame. All at once, a very large flow would keep the page from answering. */
const nodesPerFrame = 100;

type Target = {
  setNodes(nodes: CanvasNode[]): void;
  setEdges(edges: CanvasEdge[]): void;
  /** Calls back with the next frame, unless what it returns is called before. */
  nextFrame(draw: () => void): () => void;
};

/** Draws the flow, in a few frames where it is large, then what changes of it. Returns what ends that. */
export function drawInParts(elements: CanvasElements, { setNodes, setEdges, nextFrame }: Target): () => void {
  let count = 0;
  let cancelFrame = () => {};
  let drawn: Partial<CanvasView> = {};

  const show = () => {
    const whole = elements.view();
    const view = count >= whole.nodes.length ? whole : firstOf(whole, count);
    if (view.nodes !== drawn.nodes) setNodes(view.nodes);
    if (view.edges !== drawn.edges) setEdges(view.edges);
    drawn = view;
  };
  const drawMore = () => {
    count += nodesPerFrame;
    const isWhole = count >= elements.view().nodes.length;
    if (isWhole) count = Number.POSITIVE_INFINITY;
    show();
    if (!isWhole) cancelFrame = nextFrame(drawMore);
  };

  drawMore();
  const unsubscribe = elements.subscribe(show);
  return () => {
    cancelFrame();
    unsubscribe();
  };
}

/** The first nodes, and the edges among them. What lies in a node comes after it, so none is without its parent. */
function firstOf({ nodes, edges }: CanvasView, count: number): CanvasView {
  const first = nodes.slice(0, count);
  const ids = new Set(first.map(({ id }) => id));
  return { nodes: first, edges: edges.filter(({ source, target }) => ids.has(source) && ids.has(target)) };
}
