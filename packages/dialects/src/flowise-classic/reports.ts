import type { OwnStore } from "@weft/schema";
import { toStoreStep } from "../own-stores/index.ts";
import type { Draft } from "./draft.ts";
import type { ClassicGraph, ClassicNode } from "./graph.ts";
import { type Conversion, createScope } from "./scope.ts";

/** Keeps the notes of a graph. */
export function drawNotes({ nodes }: ClassicGraph, draft: Draft): void {
  for (const { id, name, label, inputs } of nodes.values()) {
    if (name !== "stickyNote") continue;
    const text = typeof inputs.note === "string" ? inputs.note : "";
    draft.add({ id: draft.reserve(id), type: "sticky-note", label, config: { text } }, []);
  }
}

/** Draws where uploads go, and returns the document stores that take the place of the flow's own. */
export function drawOwnStores({ draft, stores }: Conversion): OwnStore[] {
  for (const store of stores.values()) draft.add({ id: draft.reserve(store.key), ...toStoreStep(store) }, []);
  return [...stores.values()];
}

/** Components in words. */
export function labels(nodes: readonly ClassicNode[]): string {
  const names = nodes.slice(0, 20).map(({ label }) => label.slice(0, 100));
  return [...names, ...(nodes.length > 20 ? [`${nodes.length - 20} more`] : [])].join(", ");
}

/** Reports components that do not contribute to the answer. */
export function reportLeft(draft: Draft, left: readonly ClassicNode[]): void {
  if (left.length === 0) return;
  draft.warn(
    "node-left-out",
    `These components do not contribute to the answer and are left out: ${labels(left)}. Check that you do not need them.`,
  );
}

/** Form state and transport settings, which do not change the meaning of a flow. */
const idle = new Set(["undefined", "credential", "streaming", "enableDetailedStreaming"]);

/** Says which settings of components that were read are not. */
export function reportUnread(conversion: Conversion): void {
  for (const [id, { stepId, inputs }] of conversion.read) {
    const node = conversion.graph.nodes.get(id);
    if (node !== undefined) reportUnreadOf(conversion, { node, stepId, inputs });
  }
}

function reportUnreadOf(
  conversion: Conversion,
  { node, stepId, inputs }: { node: ClassicNode; stepId: string; inputs: ReadonlySet<string> },
): void {
  const { settings, report } = createScope(conversion, node, stepId);
  const unread = settings.keys().filter((key) => !inputs.has(key) && !idle.has(key));
  if (unread.length === 0) return;
  const names = unread.slice(0, 20).map((key) => key.slice(0, 100));
  report.warn(
    "settings-ignored",
    `These settings have no effect here: ${names.join(", ")}. Check that the answers do not need them.`,
  );
}
