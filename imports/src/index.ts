import {
  describeOther,
  type ImportErrorCode,
  type ImportedFlow,
  type ImportFile,
  toImportError,
} from "@weft/dialects/importer";
import { importAgentBuilder, isAgentBuilderFile } from "./agent-builder/index.ts";
import { createFlowDrawing } from "./drawing/index.ts";
import { importFoundry, isFoundryFile } from "./foundry/index.ts";

export type { ImportFile };

/** Builders whose files are turned into flows once, when they are imported. */
export type ImportSource = "foundry" | "agent-builder";

/** Most characters of all files of an import: far more than any flow, and read in seconds even if made to be slow. */
const maxCharacters = 1_000_000;

/**
 * The flow that files of another builder describe, and whose they are. Never throws and executes nothing: files that are
 * not understood are a finding.
 */
export function importFiles(files: readonly ImportFile[]): ImportedFlow & { source: ImportSource | "unknown" } {
  if (files.reduce((sum, { text }) => sum + text.length, 0) > maxCharacters) {
    const text = `These files hold more than ${maxCharacters} characters. Import the files of one flow, and nothing else.`;
    return refuse("import-too-large", text);
  }
  if (files.some((file) => isFoundryFile(file) !== undefined))
    return { ...assertSteps(importFoundry(files)), source: "foundry" };
  if (files.some(isAgentBuilderFile)) return { ...assertSteps(importAgentBuilder(files)), source: "agent-builder" };
  const other = describeOther(files);
  if (other !== undefined) return refuse("import-other-builder", other);
  const known =
    "a flow of Weft or AgentFlow V2, a classic chatflow, a Foundry workflow in YAML, or the code that Agent Builder exports";
  return refuse("import-unknown", `None of these files is ${known}. Choose other files.`);
}

/** Nodes that nothing is done by. */
const idle: ReadonlySet<string> = new Set(["start", "sticky-note"]);

/** A flow without a step that does something is none: it would answer every message with nothing. */
function assertSteps(imported: ImportedFlow): ImportedFlow {
  if (imported.flow.nodes.some(({ type }) => !idle.has(type))) return imported;
  const isExplained = imported.findings.some(({ level }) => level === "error");
  const text = "Nothing in these files became a step of the flow. Choose files whose workflow does something.";
  const findings = isExplained ? imported.findings : [...imported.findings, toImportError("import-empty", text)];
  const flow = { ...imported.flow, nodes: [], edges: [] };
  return { ...imported, flow, findings, choices: [], secrets: [] };
}

function refuse(code: ImportErrorCode, text: string): ImportedFlow & { source: "unknown" } {
  const drawing = createFlowDrawing();
  drawing.report(null).refuse(code, text);
  return { ...drawing.finish(""), source: "unknown" };
}
