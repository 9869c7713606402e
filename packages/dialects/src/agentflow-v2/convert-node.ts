import type { Finding, FlowNode } from "@weft/schema";
import { createFlowFacts } from "./flow-facts.ts";
import type { ForeignFlow, ForeignNode } from "./foreign-flow.ts";
import type { Report } from "./node-converter.ts";
import { toNativeIds } from "./node-ids.ts";
import { nodeTable } from "./node-table.ts";
import { type ReferenceTarget, rewriteReferences } from "./references.ts";
import { isOtherHtml, toMarkdown } from "./rich-text.ts";
import { createSettings, type ToTemplate } from "./settings.ts";
import { toStateUpdates } from "./state-updates.ts";

/** A native node, and its ports by the index of the foreign output; undefined where there is one output. */
export type ConvertedNode = { node: FlowNode; ports: readonly string[] | undefined };

/** Converts nodes of one flow. A node of an unknown type is a finding and none of the native flow. */
export function createNodeConversion(
  flow: ForeignFlow,
  findings: Finding[],
): (node: ForeignNode) => ConvertedNode | undefined {
  const nativeIds = toNativeIds(flow.nodes);
  const facts = createFlowFacts(flow, nativeIds);
  const targets = toReferenceTargets(flow, nativeIds);
  const iterations = new Set(flow.nodes.filter(({ name }) => name === "iterationAgentflow").map(({ id }) => id));
  const nativeId = (id: string) => nativeIds.get(id) ?? id;

  return (foreign) => {
    const id = nativeId(foreign.id);
    const label = foreign.label.slice(0, 500);
    const report = createReport({ id, label }, findings);
    const converter = nodeTable.get(foreign.name);
    if (converter === undefined) {
      report.refuse(
        "node-unsupported",
        `Its type ${foreign.name.slice(0, 100)} is not known here. Replace it or remove it.`,
      );
      return undefined;
    }
    const settings = createSettings(foreign.inputs, createTemplates(targets, report));
    const scope = { node: foreign, settings, flow: facts, report };
    const config = { ...converter.toConfig(scope), ...toStateUpdates(converter.type, settings) };
    const inside = foreign.parent !== undefined && iterations.has(foreign.parent) && foreign.parent !== foreign.id;
    const parent = inside ? { parent: nativeId(foreign.parent ?? "") } : {};
    const node = { id, type: converter.type, version: 1, label, position: foreign.position, ...parent, config };
    return { node, ports: converter.toPorts?.(settings) };
  };
}

function toReferenceTargets(
  { nodes }: ForeignFlow,
  nativeIds: ReadonlyMap<string, string>,
): ReadonlyMap<string, ReferenceTarget> {
  return new Map(
    nodes.map(({ id, name }) => {
      const toOutputPath = nodeTable.get(name)?.toOutputPath ?? ((path) => path);
      return [id, { id: nativeIds.get(id) ?? id, toOutputPath }];
    }),
  );
}

function createTemplates(nodes: ReadonlyMap<string, ReferenceTarget>, report: Report): ToTemplate {
  const onUnknown = (source: string) =>
    report.warn(
      "reference-unknown",
      `${source.slice(0, 200)} refers to nothing in this flow and stays in the text with single braces. Correct or remove it.`,
    );
  return (text, ownOutput = false) => {
    if (isOtherHtml(text)) {
      report.warn(
        "html-kept",
        "One of its texts is HTML that no editor wrote and stays HTML, where it would have become Markdown. Write it as Markdown if that was meant.",
      );
    }
    return rewriteReferences(toMarkdown(text), { nodes, onUnknown, ownOutput });
  };
}

/** Says each thing once for a node. */
function createReport({ id, label }: { id: string; label: string }, findings: Finding[]): Report {
  const said = new Set<string>();
  const add = (level: Finding["level"]) => (code: string, text: string) => {
    const message = `Node "${label || id}": ${text}`;
    if (said.has(message)) return;
    said.add(message);
    findings.push({ level, code, nodeId: id, message });
  };
  return { warn: add("warning"), refuse: add("error") };
}
