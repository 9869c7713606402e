import type { Finding, JsonObject, OwnStore } from "@weft/schema";
import type { ImportErrorCode } from "../import-error.ts";
import type { ForeignNode } from "./foreign-flow.ts";
import type { Settings } from "./settings.ts";

/** Tells of what differs or cannot be done. Each sentence ends with what to do about it. */
export type Report = {
  /** The flow runs, with a difference. */
  warn(code: string, message: string): void;
  /** The flow must not run. `path`: the setting that puts it right. */
  refuse(code: ImportErrorCode, message: string, path?: string): void;
};

/** A report about the component `label`, at a node of the native flow. Says each thing once. */
export function createReport({ id, label }: { id: string; label: string }, findings: Finding[]): Report {
  const said = new Set<string>();
  const add = (level: Finding["level"]) => (code: string, text: string, path?: string) => {
    const message = `Node "${label || id}": ${text}`;
    if (said.has(message)) return;
    said.add(message);
    findings.push({ level, code, nodeId: id, message, ...(path === undefined ? {} : { path }) });
  };
  return { warn: add("warning"), refuse: add("error") };
}

/** The same report for a part of the node's config, at a path. */
export function reportUnder(report: Report, place: string): Report {
  const under = (path: string | undefined) => (path === undefined ? undefined : `${place}.${path}`);
  return { warn: report.warn, refuse: (code, message, path) => report.refuse(code, message, under(path)) };
}

/** What a converter knows of the whole flow. */
export type FlowFacts = {
  /** What starts a run, as a text for a model. */
  readonly inputTemplate: string;
  /** Native id of the node that a value of the form `<id>-<label>` means. */
  findByTarget(value: string): string | undefined;
  /** The nodes that answer last before a node; none when a way to it passes none, so that it may be the first. */
  speakersBefore(foreignId: string): readonly Speaker[];
};

/** A node whose answer joins the conversation of the run, in a role. */
export type Speaker = { id: string; role: "user" | "assistant" };

export type NodeScope = {
  node: ForeignNode;
  /** Its id in the native flow. */
  id: string;
  settings: Settings;
  flow: FlowFacts;
  report: Report;
  /** Notes a document store that belongs to the agent of the flow. */
  keepStore(store: OwnStore): void;
};

/** One foreign node type: how its values become the config of a native one. */
export type NodeConverter = {
  /** The native node type. */
  type: string;
  toConfig(scope: NodeScope): JsonObject;
  /** Native ports in the order of the foreign outputs. Absent: one output. */
  toPorts?(settings: Settings): readonly string[];
  /** Where the native output holds what `{{ node.output.<path> }}` means. Absent: at the same path. */
  toOutputPath?(path: readonly string[]): readonly string[];
  /** In which role the node's answer joins the conversation of the run. Absent: it does not. */
  toSpokenRole?(settings: Settings): "user" | "assistant";
};

/** The entries that have a value. */
export function present(values: Record<string, JsonObject[string] | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, JsonObject[string]] => entry[1] !== undefined),
  );
}
