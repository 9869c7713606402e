import type { ImportedFlow, ImportFile } from "@weft/dialects/importer";
import type { JsonObject } from "@weft/schema";
import { createFlowDrawing, type FlowDrawing } from "../drawing/index.ts";
import { type AgentFile, readAgent } from "./agents.ts";
import { convertWorkflow } from "./convert-workflow.ts";
import { textIn } from "./fields.ts";
import { kindOfDocument, kindOfText, readDocument } from "./recognise-file.ts";

/**
 * Makes a flow of a declarative workflow of Microsoft Foundry or the Agent Framework, with the agents whose files are
 * given with it. Executes nothing and never throws: what cannot be read or translated is a finding that says what to do.
 * Secrets stand in `secrets` alone.
 */
export function importFoundry(files: readonly ImportFile[]): ImportedFlow {
  const drawing = createFlowDrawing();
  const { workflows, agents } = readFiles(files, drawing);
  const [first, ...others] = workflows;
  if (first === undefined) {
    drawing
      .report(null)
      .refuse(
        "foundry-workflow-missing",
        "None of the files is a workflow that can be read. Add the workflow's YAML file.",
      );
    drawing.add({ type: "start", id: "start", label: "Start" });
    return drawing.finish("");
  }
  if (others.length > 0) {
    const names = others.map(({ file }) => file.name).join(", ");
    drawing
      .report(null)
      .warn(
        "foundry-workflow-left-out",
        `Only ${first.file.name} is imported. Import these workflows on their own: ${names}.`,
      );
  }
  convertWorkflow(first.document, { drawing, agents });
  return drawing.finish(textIn(first.document, "name") || nameOf(first.file));
}

type Workflow = { file: ImportFile; document: JsonObject };

function readFiles(files: readonly ImportFile[], drawing: FlowDrawing) {
  const workflows: Workflow[] = [];
  const agents = new Map<string, AgentFile>();
  for (const file of files.flatMap(documentsIn)) {
    const document = documentOf(file, drawing);
    if (document === undefined) continue;
    if (kindOfDocument(document) === "workflow") workflows.push({ file, document });
    else addAgent(agents, readAgent(document, file.name), drawing);
  }
  return { workflows, agents };
}

/** Most documents that one file may hold. */
const maxDocuments = 50;

/** The documents of a YAML file that has several, as a workflow followed by its agents. */
function documentsIn(file: ImportFile): ImportFile[] {
  if (/^[ \t]*(```|~~~)/m.test(file.text)) return [file];
  const texts = file.text.split(/^---[ \t]*\r?$/m).filter((text) => text.trim() !== "");
  if (texts.length <= 1 || texts.length > maxDocuments) return [file];
  return texts.map((text, index) => ({ name: `${file.name} (${index + 1})`, text }));
}

/** The file as a workflow or an agent. Undefined for any other, and a finding says what to do with it. */
function documentOf(file: ImportFile, drawing: FlowDrawing): JsonObject | undefined {
  const report = drawing.report(null);
  const read = readDocument(file.text);
  if (!read.ok) {
    const level = kindOfText(file.text) === "agent" ? "warn" : "refuse";
    report[level]("foundry-file-unreadable", `The file ${file.name} cannot be read. ${read.problem}`);
    return undefined;
  }
  for (const warning of read.warnings) report.warn("foundry-file-unclear", `In the file ${file.name}: ${warning}`);
  const kind = kindOfDocument(read.value);
  if (kind === "copilot-topic") {
    report.refuse(
      "foundry-copilot-topic",
      `The file ${file.name} is a topic of Copilot Studio, which is another format. Export a workflow of Foundry instead.`,
    );
    return undefined;
  }
  if (kind === undefined) {
    report.warn(
      "foundry-file-unknown",
      `The file ${file.name} is neither a workflow nor an agent of kind Prompt and is left out. Choose another file if it matters.`,
    );
    return undefined;
  }
  return read.value;
}

/** Of two agents of a name the first counts. */
function addAgent(agents: Map<string, AgentFile>, agent: AgentFile, drawing: FlowDrawing): void {
  const [first = ""] = agent.names;
  if (agents.has(first.toLowerCase())) {
    const text = `Two files define the agent ${first}; the first is used. Leave out the other, or rename it.`;
    drawing.report(null).warn("foundry-agent-duplicate", text);
  }
  for (const name of agent.names) {
    if (!agents.has(name.toLowerCase())) agents.set(name.toLowerCase(), agent);
  }
}

function nameOf({ name }: ImportFile): string {
  return name.replace(/^.*[/\\]/, "").replace(/(\.workflow)?\.(ya?ml|json|md)$/i, "");
}
