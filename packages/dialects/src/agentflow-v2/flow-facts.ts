import type { ForeignFlow, ForeignNode } from "./foreign-flow.ts";
import type { FlowFacts, Speaker } from "./node-converter.ts";
import { nodeTable } from "./node-table.ts";
import { toFormFields } from "./nodes/start-form.ts";
import { createSettings, type Settings } from "./settings.ts";

/** What converters ask about the whole flow. */
export function createFlowFacts(flow: ForeignFlow, nativeIds: ReadonlyMap<string, string>): FlowFacts {
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
