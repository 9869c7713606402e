import { lazy, useEffect } from "react";
import { useSelectedNode } from "../canvas-context.ts";

const load = () => import("./node-inspector.tsx");
// The canvas does not wait for the forms.
const NodeInspector = lazy(async () => ({ default: (await load()).NodeInspector }));

/** Forms are fetched before they are needed, but after the flow is drawn. */
const delayMs = 500;

/** The selected step, and the component that shows its settings. */
export function useInspector() {
  const node = useSelectedNode();
  useEffect(() => {
    const timer = setTimeout(() => void load(), delayMs);
    return () => clearTimeout(timer);
  }, []);
  return { node, NodeInspector };
}
