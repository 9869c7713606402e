import type { CanvasEdge, CanvasElements, CanvasNode, CanvasView } from "./session/canvas-elements.ts";

/** Number of nodes added per frame. Drawing a very large flow in one go would block the page. */
const nodesPerFrame = 100;

type Target = {
  setNodes(nodes: CanvasNode[]): void;
  setEdges(edges: CanvasEdge[]): void;
  /** Calls back in the next frame; the returned function cancels it. */
  nextFrame(draw: () => void): () => void;
};

/** Draws the flow, in several frames if it is large, then its changes. Returns a function that stops it. */
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

/** The first nodes and the edges among them. Children come after their parents, so no node lacks its parent. */
function firstOf({ nodes, edges }: CanvasView, count: number): CanvasView {
  const first = nodes.slice(0, count);
  const ids = new Set(first.map(({ id }) => id));
  return { nodes: first, edges: edges.filter(({ source, target }) => ids.has(source) && ids.has(target)) };
}
