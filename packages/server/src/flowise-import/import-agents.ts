import { toAssistantFlow } from "@weft/agents";
import { ownStoresOf, readFlow } from "@weft/dialects";
import type { FlowiseRow, FlowiseSource } from "@weft/flowise-source";
import { ifFound } from "@weft/http";
import { parseTextToSpeech } from "@weft/providers";
import {
  type AgentCreate,
  type AgentType,
  agentTypeSchema,
  assistantCreateSchema,
  type Finding,
  type FlowiseAgentReport,
  isJsonObject,
  type Json,
  type OpenFlows,
  parseJson,
  parseJsonObject,
  toJsonObject,
} from "@weft/schema";
import { readTracingServices, tracingServiceTitles } from "@weft/telemetry";
import type { Needs } from "../feature.ts";
import { type ForeignAssistant, readAssistants } from "./assistants.ts";
import { datesOf, type ImportContext, idsHere, onlyFresh, pagesOf, rowsOf, writeOne } from "./copy-rows.ts";
import { type McpServer, withMcpServers } from "./import-mcp-servers.ts";
import { findPrivateHosts } from "./private-hosts.ts";
import type { TableTally } from "./report.ts";

type AgentNeeds = Needs<"agents" | "assistants" | "documentStores" | "flows" | "schedules" | "webhooks"> & {
  /** Import mode for flows without a key. */
  openFlows: OpenFlows;
  /** MCP servers that flows name by id. */
  mcpServers: ReadonlyMap<string, McpServer>;
};

type FlowRow = FlowiseRow<"chat_flow">;

/** Names of the flows without a key, which answer everybody. */
export async function listOpenFlows(context: ImportContext): Promise<string[]> {
  const names: string[] = [];
  for await (const row of rowsOf(context, "chat_flow")) if (isOpen(row)) names.push(row.name ?? row.id);
  return names;
}

function isOpen({ apikeyid }: FlowRow): boolean {
  return apikeyid === null || apikeyid === "";
}

/**
 * Imports agents and assistants, with every setting. Resolves with the flows that run in place of those read, by the
 * ids of their agents.
 */
export async function importAgents(context: ImportContext, needs: AgentNeeds): Promise<ReadonlyMap<string, string>> {
  const assistants = await readAssistants(context);
  const schedules = await readSchedules(context);
  const byFlow = new Map(assistants.flatMap((one) => (one.flowId === undefined ? [] : [[one.flowId, one] as const])));
  const replaced = new Map<string, string>();
  for await (const { rows, tally } of pagesOf(context, "chat_flow")) {
    const fresh = new Set((await onlyFresh(context, rows, { into: "agents", tally })).map(({ id }) => id));
    for (const { name, ...row } of rows) {
      const named = { ...row, name: name?.trim() || row.id };
      const { openFlows, mcpServers } = needs;
      const read = toAgent(named, { openFlows, mcpServers, assistant: byFlow.get(row.id) });
      if (read?.earlier[0] !== undefined) replaced.set(row.id, read.body.flowData);
      if (read !== undefined) reportAgent(context, read, schedules);
      if (fresh.has(row.id)) await importAgent(context, needs, { row: named, read, tally });
    }
  }
  await importAssistants(context, needs, assistants);
  return replaced;
}

function reportAgent({ report }: ImportContext, { body, access, findings }: ReadAgent, schedules: ReadonlySet<string>) {
  const { id, name, flowData } = body;
  report.agent({ id, name, access, findings });
  report.privateHosts(findPrivateHosts(flowData));
  if (schedules.has(id)) report.schedule(name);
}

type Imported = { row: NamedRow; read: ReadAgent | undefined; tally: TableTally };

async function importAgent(context: ImportContext, needs: AgentNeeds, { row, read, tally }: Imported): Promise<void> {
  if (read === undefined) return tally.left("Its flow is not the JSON text of an object.", row.name);
  const dates = datesOf(row);
  await writeOne(context, { name: row.name, tally }, async () => {
    await needs.schedules.keepOff(row.id);
    await adoptSecret(context, needs, row);
    // With the files that the flow only names. The agent finds its stores there.
    await needs.documentStores.own.make(read.body, ownStoresOf(await withFlowFiles(context.source, read.body)));
    await needs.agents.create(read.body, { dates, flowDate: dates.updatedDate, earlier: read.earlier });
  });
}

/** Ids of flows that start on an enabled schedule. */
async function readSchedules(context: ImportContext): Promise<ReadonlySet<string>> {
  const enabled = new Set<string>();
  for await (const { rows, tally } of pagesOf(context, "schedule_record")) {
    const targets = rows.flatMap(({ targetId }) => targetId ?? []);
    const here = await idsHere(context.database.read, "agents", targets);
    for (const { id, targetId, enabled: isOn } of rows) {
      if (targetId === null) tally.left("It starts no flow.", id);
      else if (here.has(targetId)) tally.there(1);
      else tally.written(1);
      if (isOn === true && targetId !== null) enabled.add(targetId);
    }
  }
  return enabled;
}

async function adoptSecret({ source, report }: ImportContext, needs: AgentNeeds, row: NamedRow): Promise<void> {
  if (row.webhookSecret === null || row.webhookSecret === "") return;
  const opened = source.unseal(row.webhookSecret);
  const secret = "fields" in opened ? opened.fields.secret : undefined;
  if (typeof secret === "string") return needs.webhooks.secrets.adopt(row, secret);
  report.findings(row.id, ["Its webhook's secret could not be opened. Make a new one, and give it to the sender."]);
}

type ReadAgent = {
  body: AgentCreate & { id: string };
  access: FlowiseAgentReport["access"];
  /** The original flow, if another one runs in its place. */
  earlier: { flowData: string; createdDate: string }[];
  findings: string[];
};

type NamedRow = FlowRow & { name: string };
type AgentOptions = Pick<AgentNeeds, "openFlows" | "mcpServers"> & { assistant: ForeignAssistant | undefined };

function toAgent(row: NamedRow, { openFlows, mcpServers, assistant }: AgentOptions): ReadAgent | undefined {
  const flowData = row.flowData === null || row.flowData === "" ? "{}" : row.flowData;
  if (parseJsonObject(flowData) === undefined) return undefined;
  const findings: string[] = [];
  const settings = settingsOf(row, findings);
  const access = isOpen(row) ? openFlows : "key";
  const withServers = withMcpServers(flowData, mcpServers);
  const own = assistant === undefined ? undefined : flowOfAssistant(withServers, assistant);
  if (own !== undefined) {
    findings.push("It runs with the settings of its assistant. Its flow, as it was, is version 1.");
  } else if (withServers !== flowData) {
    findings.push("The addresses of its MCP servers are in its flow now. The flow, as it was, is version 1.");
  }
  if (access === "key" && row.isPublic === true) {
    findings.push("Its chat page was public. It needs its key here, so that page asks for one.");
  }
  const { createdDate } = datesOf(row);
  const running = own ?? withServers;
  return {
    body: {
      id: row.id,
      name: row.name,
      flowData: running,
      deployed: row.deployed === true,
      isPublic: access === "public",
      apikeyid: row.apikeyid ?? "",
      category: row.category ?? "",
      type: typeOf(row.type),
      ...settings,
    },
    access,
    earlier: running === flowData ? [] : [{ flowData, createdDate }],
    findings,
  };
}

/** The flow equivalent to an assistant, unless its own flow can run as it is. */
function flowOfAssistant(flowData: string, { details, credential }: ForeignAssistant): string | undefined {
  const { findings } = readFlow(flowData);
  return findings.some(({ level }) => level === "error") ? toAssistantFlow(details, credential) : undefined;
}

function typeOf(type: string | null): AgentType {
  return agentTypeSchema.catch("CHATFLOW").parse(type ?? "CHATFLOW");
}

function settingsOf(row: NamedRow, findings: string[]) {
  const text = (column: "chatbotConfig" | "apiConfig" | "analytic" | "speechToText") => {
    const value = row[column];
    if (value === null || value === "") return "{}";
    if (parseJson(value) !== undefined) return value;
    findings.push(`Its ${column} is not JSON and was left out.`);
    return "{}";
  };
  findings.push(...speechFindings(row.textToSpeech), ...tracingFindings(row.analytic));
  if (isSet(row.mcpServerConfig)) {
    findings.push(
      "It was served as an MCP server at an address with a token of its own. Here its address is /api/v1/mcp/<id>, with an API key.",
    );
  }
  if (isSet(row.webhookSecret)) {
    findings.push(
      "Its webhook keeps its secret. Senders sign as before only if its webhook accepts the older signature.",
    );
  }
  return {
    chatbotConfig: withOwnColumn(withOwnColumn(text("chatbotConfig"), "followUpPrompts", row), "textToSpeech", row),
    apiConfig: text("apiConfig"),
    analytic: text("analytic"),
    speechToText: text("speechToText"),
  };
}

/** A column of newer versions becomes a setting of `chatbotConfig` here. */
function withOwnColumn(chatbotConfig: string, column: "followUpPrompts" | "textToSpeech", row: NamedRow): string {
  const config = parseJsonObject(chatbotConfig);
  const value = parseJsonObject(row[column] ?? "");
  if (config === undefined || value === undefined || config[column] !== undefined) return chatbotConfig;
  return Object.keys(value).length === 0 ? chatbotConfig : JSON.stringify({ ...config, [column]: value });
}

/** Differences if it read answers aloud. */
function speechFindings(textToSpeech: string | null): string[] {
  const services = Object.values(parseJsonObject(textToSpeech ?? "") ?? {});
  const chosen = services.map((service) => toJsonObject(service)).find(({ status }) => status === true);
  if (chosen === undefined) return [];
  if (parseTextToSpeech(JSON.stringify({ textToSpeech: parseJsonObject(textToSpeech ?? "") })) === undefined) {
    return [
      "It read its answers aloud by a service that is not known here. Choose OpenAI or ElevenLabs in its settings.",
    ];
  }
  return [];
}

/** Unsupported tracing services. */
function tracingFindings(analytic: string | null): string[] {
  const { unknown } = readTracingServices(analytic ?? "");
  if (unknown.length === 0) return [];
  const known = tracingServiceTitles.join(", ");
  return [
    `It sent traces to ${unknown.join(", ")}, which is not supported. Choose one of ${known}, or use the operator's collector, which receives the traces of all agents.`,
  ];
}

/** Whether a column of JSON text, or a sealed text, has a value. */
function isSet(text: string | null): boolean {
  if (text === null || text.trim() === "") return false;
  const value = parseJson(text);
  return value === undefined ? true : isJsonObject(value) && Object.keys(value).length > 0 && value.enabled !== false;
}

async function importAssistants(context: ImportContext, needs: AgentNeeds, assistants: readonly ForeignAssistant[]) {
  const tally = context.report.table("assistant");
  const fresh = await onlyFresh(context, assistants, { into: "assistants", tally });
  for (const { id, details, credential, iconSrc, dates, notes } of fresh) {
    const name = `assistant "${details.name}"`;
    const body = assistantCreateSchema.parse({ id, details, credential, iconSrc });
    await writeOne(context, { name, tally }, () => needs.assistants.create(body, { dates }));
    for (const note of notes) context.report.note(`The ${name}: ${note}`);
  }
}

export type FlowsToCheck = {
  /** As `importAgents` resolves with. */
  replaced: ReadonlyMap<string, string>;
  /** Whether a thing with that id, or a variable of that name, is part of the import, and just not here yet. */
  isComing(id: string): boolean;
};

export async function checkAgents(
  context: ImportContext,
  { flows, agents }: Needs<"agents" | "flows">,
  { replaced, isComing }: FlowsToCheck,
): Promise<void> {
  for await (const { id, flowData, apiConfig, speechToText } of rowsOf(context, "chat_flow")) {
    const settings = { apiConfig: apiConfig || "{}", speechToText: speechToText || "{}" };
    const found = context.dryRun
      ? await flows.check(replaced.get(id) ?? (flowData || "{}"), settings, isComing)
      : ((await ifFound(agents.findings(id))) ?? []);
    context.report.findings(id, found.map(toSentence));
  }
}

function toSentence({ level, nodeId, message }: Finding): string {
  return `${level}${nodeId === null ? "" : ` (${nodeId})`}: ${message}`;
}

const storedFiles = "FILE-STORAGE::";
/** Total size of the files inlined into one flow. */
const maxBytes = 50_000_000;

/**
 * The text of a flow with its loaders' files inlined, which the other server kept in its storage folder. Files that are
 * missing or too large remain names.
 */
async function withFlowFiles(
  { files }: FlowiseSource,
  { id, flowData }: { id: string; flowData: string },
): Promise<string> {
  if (!flowData.includes(storedFiles)) return flowData;
  const found = new Map<string, string>();
  let left = maxBytes;
  for await (const { name, sizeBytes, read } of files({ flow: id })) {
    if (sizeBytes > left || !flowData.includes(name)) continue;
    left -= sizeBytes;
    found.set(
      name,
      `data:application/octet-stream;base64,${Buffer.from(await read()).toString("base64")},filename:${name}`,
    );
  }
  return JSON.stringify(writeOut(parseJson(flowData) ?? null, found));
}

function writeOut(value: Json, files: ReadonlyMap<string, string>): Json {
  if (typeof value === "string") return value.startsWith(storedFiles) ? writeOutNames(value, files) : value;
  if (Array.isArray(value)) return value.map((item) => writeOut(item, files));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, writeOut(item, files)]));
}

/** One name, or the JSON text of a list. */
function writeOutNames(text: string, files: ReadonlyMap<string, string>): string {
  const listed = parseJson(text.slice(storedFiles.length));
  const names = Array.isArray(listed) ? listed.map(String) : [text.slice(storedFiles.length)];
  const contents = names.flatMap((name) => files.get(name) ?? []);
  return contents.length === names.length ? JSON.stringify(contents) : text;
}
