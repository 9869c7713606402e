import type { Json, JsonObject, OwnStore } from "@weft/schema";
import { createSettings, type Report, type Settings } from "../agentflow-v2/index.ts";
import type { Draft, Exit } from "./draft.ts";
import { type ClassicGraph, type ClassicNode, leavesFrom } from "./graph.ts";
import { toLiteral } from "./prompt-text.ts";

/** The result of a component that ran earlier, as the native text for a path of its value. */
export type StepValue = (path: readonly string[]) => string;

/** The conversion of one graph. */
export type Conversion = {
  readonly graph: ClassicGraph;
  readonly draft: Draft;
  /** Values of the steps that were drawn, by the id of the component. */
  readonly values: Map<string, StepValue>;
  /** Exits of the steps that were drawn, by the id of the component: one, or one for each of its outputs. */
  readonly exits: Map<string, readonly (Exit & { output?: string })[]>;
  /** Where steps begin that wait for no other. */
  root: readonly Exit[];
  /** Whether `{{chat_history}}` has a value: the answering component has a memory. */
  readonly hasHistory: boolean;
  /** Which inputs of a component were read, and at which step first. */
  readonly read: Map<string, { stepId: string; inputs: Set<string> }>;
  /** First values of the run's state, by name. */
  readonly state: JsonObject;
  /** Document stores that take the place of the flow's own, by the id of the component. */
  readonly stores: Map<string, OwnStore>;
};

/** A component while it is converted. */
export type ClassicScope = {
  readonly node: ClassicNode;
  readonly settings: Settings;
  /** Speaks of this component, at the step that it becomes a part of. */
  readonly report: Report;
  readonly conversion: Conversion;
  /** Id of the step that it becomes a part of, in the native flow. */
  readonly stepId: string;
  /** The component at an input. */
  part(input: string): ClassicScope | undefined;
  /** The components at an input that takes several. */
  parts(input: string): ClassicScope[];
  /** Marks inputs as read, because they mean nothing here or another component reports them. */
  ignore(...inputs: readonly string[]): void;
};

export function createScope(conversion: Conversion, node: ClassicNode, stepId: string): ClassicScope {
  const { graph, draft, read } = conversion;
  const report = draft.report(stepId, node.label);
  const { inputs: used } = read.get(node.id) ?? { inputs: new Set<string>() };
  if (!read.has(node.id)) read.set(node.id, { stepId, inputs: used });
  const settings = tracked(
    createSettings(node.inputs, (text) => toNativeText(text, { conversion, report })),
    used,
  );
  const parts = (input: string) => {
    used.add(input);
    if (graph.isOnlyDrawn(node, input)) {
      report.warn(
        "input-drawn",
        `Only an edge connects its input ${input}: the value of the input names no component. The edge is followed. Check that it leads to the right component.`,
      );
    }
    return graph.sources(node, input).map((source) => createScope(conversion, source, stepId));
  };
  return {
    node,
    settings,
    report,
    conversion,
    stepId,
    parts,
    part: (input) => parts(input)[0],
    ignore: (...inputs) => {
      for (const input of inputs) used.add(input);
    },
  };
}

/** Reads the same values, and notes which. */
function tracked(settings: Settings, used: Set<string>): Settings {
  const note =
    <Value>(reader: (key: string) => Value) =>
    (key: string): Value => {
      used.add(key);
      return reader(key);
    };
  return {
    text: note(settings.text),
    template: note(settings.template),
    stateTemplate: note(settings.stateTemplate),
    flag: note(settings.flag),
    number: note(settings.number),
    rows: note(settings.rows),
    names: note(settings.names),
    group: note(settings.group),
    json: note(settings.json),
    keys: settings.keys,
  };
}

const runFacts = new Set(["question", "chat_history", "file_attachment"]);

/** A text with the variables of classic flows, as a native template. What refers to nothing stays as it is. */
function toNativeText(text: string, { conversion, report }: { conversion: Conversion; report: Report }): string {
  const toReference = (source: string, inner: string): string => {
    const name = inner.trim();
    if (name === "chat_history" && !conversion.hasHistory) return "";
    if (runFacts.has(name) || /^\$(?:vars|flow)(?![\w$-])/.test(name)) return `{{ ${name} }}`;
    const reference = conversion.graph.reference(inner);
    const value = reference && conversion.values.get(reference.node.id)?.(reference.path);
    if (value !== undefined) return value;
    if (name === "" || /[^\w$.[\]-]/.test(name)) return toLiteral(source);
    report.warn(
      "reference-unknown",
      `${source.slice(0, 200)} refers to nothing that has a value here and stays in the text as it is. Correct or remove it.`,
    );
    return toLiteral(source);
  };
  return text.replaceAll(/\{\{([^{}]*)\}\}/g, toReference);
}

/** A JSON value as the text that a prompt shows. */
export function toPromptValue(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Where a component's step begins: behind the steps that lead to it, or at the beginning. */
export function exitsBefore({ graph, exits, root }: Conversion, node: ClassicNode): readonly Exit[] {
  const found = new Map<string, Exit>();
  const seen = new Set<string>();
  const open: ClassicNode[] = [node];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const source of graph.before(at)) {
      const ways = exits.get(source.id);
      if (ways === undefined) {
        if (!seen.has(source.id)) open.push(source);
        seen.add(source.id);
        continue;
      }
      for (const { id, port } of waysTo(ways, { graph, source, target: at })) {
        found.set(`${id} ${port}`, { id, port });
      }
    }
  }
  return found.size > 0 ? [...found.values()] : root;
}

/** The exits that the edges between two components take; all of them where no edge says which. */
function waysTo(
  ways: readonly (Exit & { output?: string })[],
  { graph, source, target }: { graph: ClassicGraph; source: ClassicNode; target: ClassicNode },
): readonly Exit[] {
  const edges = graph.edges.filter((edge) => edge.source === source.id && edge.target === target.id);
  const taken = ways.filter(({ output }) => output !== undefined && edges.some((edge) => leavesFrom(edge, output)));
  return taken.length > 0 ? taken : ways;
}
