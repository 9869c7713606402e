import {
  defaultPort,
  type Finding,
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  type JsonObject,
  type OwnStore,
} from "@weft/schema";
import { findExcess, toNativeIds, toUnusedId } from "../native-flow.ts";
import { toStoreStep } from "../own-stores/index.ts";
import { findDifferences } from "./find-differences.ts";
import { type ForeignEdge, type ForeignFlow, type ForeignNode, toForeignFlow } from "./foreign-flow.ts";
import { createReport, type FlowFacts, type NodeScope, type Report, type Speaker } from "./node-converter.ts";
import { nodeTable } from "./node-table.ts";
import { toFormFields } from "./nodes/start.ts";
import { type ReferenceTarget, rewriteReferences } from "./references.ts";
import { isOtherHtml, toMarkdown } from "./rich-text.ts";
import { createSettings, type Settings, type ToTemplate } from "./settings.ts";

/**
 * A native flow, and what differs or cannot be done in it. A flow with an `error` must not run. `stores`: the document
 * stores that its steps name by references, and that belong to the agent that has the flow.
 */
export type ConvertedFlow = { flow: FlowDocument; findings: Finding[]; stores?: readonly OwnStore[] };

/**
 * Compiles an AgentFlow V2 document (`nodes`, `edges`) to a native flow. Executes nothing and never throws: what cannot
 * be mapped is a finding that names the node and what to do.
 */
export function convertAgentFlowV2(document: JsonObject): ConvertedFlow {
  const foreign = toForeignFlow(document);
  const findings: Finding[] = [];
  const excess = findExcess(foreign.nodes.length, foreign.edges.length);
  if (excess !== undefined) return { flow: { weft: 1, nodes: [], edges: [] }, findings: [excess] };
  const stores: OwnStore[] = [];
  const convert = createNodeConversion(foreign, { findings, keepStore: (store) => void stores.push(store) });
  const nodes = new Map(
    foreign.nodes.flatMap((node) => {
      const converted = convert(node);
      return converted ? [[node.id, converted] as const] : [];
    }),
  );
  const edges = convertEdges(foreign.edges, nodes, findings);
  const steps = [...nodes.values()].map(({ node }) => node);
  const flow: FlowDocument = { weft: 1, nodes: [...steps, ...toStoreNodes(stores, steps)], edges };
  return { flow, findings: [...findings, ...findDifferences(flow)], stores };
}

/** Where uploads to the flow's own stores go, below its steps. */
function toStoreNodes(stores: readonly OwnStore[], steps: readonly FlowNode[]): FlowNode[] {
  const taken = new Set(steps.map(({ id }) => id));
  const below = steps.reduce((most, { position: { y } }) => Math.max(most, y), 0) + 200;
  return stores.map((store, index) => {
    const id = toUnusedId(`${store.key}_store`, taken);
    taken.add(id);
    return { id, version: 1, position: { x: index * 350, y: below }, ...toStoreStep(store) };
  });
}

/** Edges between converted nodes, each once. What leads nowhere is left out, with a finding where it mattered. */
function convertEdges(
  edges: readonly ForeignEdge[],
  nodes: ReadonlyMap<string, ConvertedNode>,
  findings: Finding[],
): FlowEdge[] {
  const converted = new Map<string, FlowEdge>();
  for (const edge of edges) {
    const source = nodes.get(edge.source);
    const target = nodes.get(edge.target);
    if (!source || !target) continue;
    const sourcePort = source.ports ? source.ports[outputIndex(edge)] : defaultPort;
    const leaveOut = (reason: string) => findings.push(toFinding(source, target, reason));
    if (source.node.parent !== target.node.parent) {
      leaveOut("leads into or out of an iteration and is left out. Remove it.");
    } else if (sourcePort === undefined) {
      leaveOut("leaves from an output that there is not and is left out. Draw it again.");
    } else {
      const ends = { source: source.node.id, sourcePort, target: target.node.id };
      const key = JSON.stringify(Object.values(ends));
      if (!converted.has(key)) converted.set(key, { id: `edge_${converted.size}`, ...ends });
    }
  }
  return [...converted.values()];
}

/** The number at the end of `<id>-output-<number>`. */
function outputIndex({ sourceHandle }: ForeignEdge): number {
  const [, digits] = /-output-(\d{1,4})$/.exec(sourceHandle) ?? [];
  return digits === undefined ? -1 : Number(digits);
}

function toFinding({ node }: ConvertedNode, target: ConvertedNode, reason: string): Finding {
  const [from, to] = [node, target.node].map(({ id, label }) => label || id);
  return {
    level: "warning",
    code: "edge-left-out",
    nodeId: node.id,
    message: `Node "${from}": Its edge to "${to}" ${reason}`,
  };
}

/** A native node, and its ports by the index of the foreign output; undefined where there is one output. */
type ConvertedNode = { node: FlowNode; ports: readonly string[] | undefined };

/** Converts nodes of one flow. A node of an unknown type is a finding and none of the native flow. */
function createNodeConversion(
  flow: ForeignFlow,
  { findings, keepStore }: { findings: Finding[]; keepStore: NodeScope["keepStore"] },
): (node: ForeignNode) => ConvertedNode | undefined {
  const nativeIds = toNativeIds(flow.nodes.map(({ id }) => id));
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
    const scope = { node: foreign, id, settings, flow: facts, report, keepStore };
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
      `${source.slice(0, 200)} refers to nothing in this flow and stays in the text as it is. Correct or remove it.`,
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

/** Which input of which node holds what it writes into the flow's state. */
const keys: Readonly<Record<string, string>> = {
  llm: "llmUpdateState",
  agent: "agentUpdateState",
  tool: "toolUpdateState",
  loop: "loopUpdateState",
  "custom-function": "customFunctionUpdateState",
  retriever: "retrieverUpdateState",
  "execute-flow": "executeFlowUpdateState",
};

/** What a node of a native type writes into the flow's state; nothing when it writes nothing. */
function toStateUpdates(type: string, settings: Settings): JsonObject {
  const updates = settings
    .rows(keys[type] ?? "")
    .map((row) => ({ key: row.text("key"), value: row.stateTemplate("value") }))
    .filter(({ key }) => key !== "" && key !== "__proto__");
  return updates.length === 0 ? {} : { updateState: updates };
}

/** What converters ask about the whole flow. */
function createFlowFacts(flow: ForeignFlow, nativeIds: ReadonlyMap<string, string>): FlowFacts {
  return {
    inputTemplate: toInputTemplate(flow.nodes.find(({ name }) => name === "startAgentflow")),
    findByTarget(value) {
      const meant = flow.nodes.filter(({ id }) => value === id || value.startsWith(`${id}-`));
      // An id may be the beginning of another.
      const [longest] = meant.toSorted((one, other) => other.id.length - one.id.length);
      return longest && nativeIds.get(longest.id);
    },
    speakersBefore: createSpeakers(flow, nativeIds),
  };
}

/** What starts a run, as text: the question, the lines of a form, or what the caller of a webhook sent. */
function toInputTemplate(start: ForeignNode | undefined): string {
  const settings = readPlain(start);
  const lines = (key: string) => toFormFields(settings, key).map(({ name }) => `${name}: {{ $form.${name} }}`);
  switch (settings.text("startInputType")) {
    case "formInput":
      return lines("formInputTypes").join("\n") || "{{ $form }}";
    case "webhookTrigger":
      return settings.text("webhookInputMode") === "payload" ? "{{ $webhook }}" : "{{ question }}";
    case "scheduleInput":
      return settings.text("scheduleInputMode") === "form"
        ? lines("scheduleFormInputTypes").join("\n") || "{{ $form }}"
        : "{{ question }}";
    default:
      return "{{ question }}";
  }
}

function createSpeakers(
  { nodes, edges }: ForeignFlow,
  nativeIds: ReadonlyMap<string, string>,
): FlowFacts["speakersBefore"] {
  const incoming = Map.groupBy(edges, ({ target }) => target);
  const speakers = new Map(
    nodes.flatMap((node): [string, Speaker][] => {
      const role = nodeTable.get(node.name)?.toSpokenRole?.(readPlain(node));
      return role === undefined ? [] : [[node.id, { id: nativeIds.get(node.id) ?? node.id, role }]];
    }),
  );
  const sourcesOf = (id: string) => (incoming.get(id) ?? []).map(({ source }) => source);
  return (nodeId) => walkBack(nodeId, sourcesOf, speakers);
}

/** Walks against the edges from a node to the nearest ones that answer; to none when a way passes none. */
function walkBack(
  nodeId: string,
  sourcesOf: (id: string) => string[],
  speakers: ReadonlyMap<string, Speaker>,
): Speaker[] {
  const found = new Set<Speaker>();
  const seen = new Set<string>();
  const open = [nodeId];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const sources = sourcesOf(id);
    if (sources.length === 0) return [];
    for (const source of sources) {
      const speaker = speakers.get(source);
      if (speaker) found.add(speaker);
      else open.push(source);
    }
  }
  return [...found];
}

function readPlain(node: ForeignNode | undefined): Settings {
  return createSettings(node?.inputs ?? {}, (text) => text);
}
