import type { FlowDialect, FlowDocument } from "@weft/schema";
import { client } from "../../api/client.ts";
import { type FlowModel, parseDocument, toModel } from "../../canvas/model/flow-model.ts";

/** A stored flow, ready to be edited. `dialect`: its stored format, which only a save changes. */
export type OpenedFlow = {
  model: FlowModel;
  dialect: FlowDialect;
  /** Why it has no native form; empty when it has one, or no steps at all. */
  problems: readonly string[];
};

/** Reads a stored flow. Only other dialects are sent to the server, which converts them. */
export async function openFlow(flowData: string, signal?: AbortSignal): Promise<OpenedFlow> {
  const document = parseDocument(flowData);
  if (document) return { model: toModel(document), dialect: "native", problems: [] };
  if (isDraft(flowData)) return { model: toModel({ nodes: [], edges: [] }), dialect: "native", problems: [] };
  const { dialect, flow, findings } = await client.readFlow({ flowData }, signal === undefined ? {} : { signal });
  const model = toModel(flow as FlowDocument);
  return { model, dialect, problems: model.nodes.size > 0 ? [] : findings.map(({ message }) => message) };
}

/** An agent that was created without a flow. */
function isDraft(flowData: string): boolean {
  try {
    const { nodes = [], weft } = JSON.parse(flowData) as { nodes?: unknown[]; weft?: unknown };
    return weft === undefined && Array.isArray(nodes) && nodes.length === 0;
  } catch {
    return false;
  }
}
