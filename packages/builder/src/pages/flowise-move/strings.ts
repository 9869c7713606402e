import type { FlowiseAgentReport } from "@weft/client";
import { formatList, formatNumber, localized } from "../../languages/index.ts";

/** Texts of the page that takes over a Flowise installation. */
export const flowiseMoveStrings = localized("flowiseMove", {
  title: "Move from Flowise",
  summary:
    "Takes over agents, credentials, API keys, document stores, chats and more from a database of Flowise, under the same ids. A dry run shows what would happen before anything is written.",
  back: "Settings",
  forbiddenTitle: "You may not import",
  forbiddenText: "Importing an installation needs the permission installation:import. Ask your administrator for it.",

  file: "File",
  fileText:
    "Stop Flowise, then choose its database.sqlite, which is in DATABASE_PATH or in ~/.flowise. If you cannot reach that server, choose the ExportData.json that Flowise’s Export creates; it contains no credentials, API keys, leads or values of variables.",
  commandText:
    "PostgreSQL, MySQL and MariaDB databases, files larger than 2 GiB and the files of the storage folder can only be imported on the server:",
  choose: "Choose file",
  chooseAgain: "Choose file to continue",
  emptyFile: (name: string) => `${name} is empty. Choose database.sqlite or ExportData.json.`,
  tooLarge: (name: string) =>
    `${name} is larger than 2 GiB, which is the most that can be uploaded. Run npm run import-flowise on the server instead.`,
  uploading: (name: string) => `Uploading ${name}`,
  uploaded: (sent: string, size: string) => `${sent} of ${size} uploaded`,
  uploadGoesOn: "You can use other pages meanwhile; keep this window open.",
  lost: "The connection was lost. The upload goes on as soon as the server can be reached.",
  stopUpload: "Stop upload",
  incomplete: (name: string, received: string, size: string) =>
    `${received} of ${size} of ${name} have been uploaded. Choose the same file to continue, or another one to start over.`,
  complete: (name: string, size: string) => `${name} (${size}) is uploaded.`,
  remove: "Remove uploaded file",

  choices: "Choices",
  key: "Encryption key",
  keyText:
    "The text of encryption.key, which is in SECRETKEY_PATH or in ~/.flowise, or the value of FLOWISE_SECRETKEY_OVERWRITE. Without it, credentials are imported without their values.",
  noKeyNeeded: "ExportData.json contains no credentials, so no key is needed.",
  keyGiven: "The server has the key. It is kept in memory only, until the import is over.",
  changeKey: "Change key",
  readKey: "Read from file",
  notAKey: (name: string) => `${name} is too large to be a key. Choose encryption.key.`,
  workspace: "Workspace",
  allWorkspaces: "All workspaces",
  openFlows: "Agents without an API key",
  openFlowsText: "In Flowise they answer everyone. Choose what becomes of them here.",
  openFlowsChoices: {
    closed: "Require an API key",
    public: "Let everyone ask, if the server runs with ALLOW_PUBLIC_FLOWS=true",
  },
  destinations: "Let credentials go where the flows send them",
  destinationsText:
    "The dry run lists these addresses with each agent. Without this, agents call them once you have allowed each one.",
  startDryRun: "Start dry run",
  repeatDryRun: "Repeat dry run",
  changed: "The choices have changed since the last dry run. Repeat it before you import.",

  dryRun: "Dry run",
  import: "Import",
  submit: "Import",
  opening: "Opening the file…",
  reading: (kind: string, done: number, total: number) =>
    `${kind}: ${formatNumber(done)} of ${formatNumber(total)} read`,
  goesOn: "The server goes on when you close this page. Come back to see the report.",
  outOfReach: "The server cannot be reached at the moment. What it was doing goes on there, if it is still running.",
  stop: "Stop",
  stopTitle: "Stop and remove the file?",
  stopDryRunText: "Nothing has been written. The uploaded file and the key are removed from the server.",
  stopImportText:
    "What was imported so far stays. The uploaded file and the key are removed from the server; to add the rest, upload the file and import again.",
  dryRunFailed: "The dry run failed",
  importFailed: "The import failed",

  wouldAdd: (rows: number) =>
    rows === 1
      ? "An import would add 1 entry. Nothing has been written yet."
      : `An import would add ${formatNumber(rows)} entries. Nothing has been written yet.`,
  nothingToAdd: "Everything in this file is here already. An import would write nothing.",
  added: (rows: number) => (rows === 1 ? "1 entry was imported." : `${formatNumber(rows)} entries were imported.`),
  nothingAdded: "Everything in this file was here already. Nothing was written.",
  removed:
    "The uploaded file and the key have been removed from the server. This report stays until the server restarts.",
  downloadReport: "Download report",
  close: "Close report",

  counts: "Entries by kind",
  kind: "Kind",
  columns: { read: "Read", written: "New", there: "Already here", left: "Left out" },
  kinds: {
    credential: "Credentials",
    variable: "Variables",
    tool: "Tools",
    custom_mcp_server: "MCP servers",
    apikey: "API keys",
    document_store: "Document stores",
    "document_store.loaders": "Loaders",
    document_store_file_chunk: "Chunks",
    chat_flow: "Agents",
    assistant: "Assistants",
    schedule_record: "Schedules",
    chat_message: "Chat messages",
    "files of chats": "Files of chats",
    chat_message_feedback: "Feedback",
    lead: "Leads",
    upsert_history: "Upsert history",
    execution: "Executions",
  },
  left: "Left out, and why",

  todo: "What to do",
  environment:
    "Set these in the server’s environment and restart it. Where a variable is set already, add to its list.",
  publicFlows: "Public agents answer everyone once ALLOW_PUBLIC_FLOWS=true is set.",
  runtimeVariables: (names: readonly string[]) =>
    `Flows read ${formatList(names)} from the environment: set each of them there, and name them in RUNTIME_VARIABLES.`,
  privateHosts: (hosts: readonly string[]) =>
    `Flows call ${formatList(hosts)} on a private network. Keep in EGRESS_ALLOW only what they shall reach.`,
  schedules: (names: readonly string[]) =>
    `Schedules are imported switched off. Once Flowise is stopped, switch them on here: ${formatList(names)}.`,
  embedding: (stores: readonly string[]) =>
    `Passages are being embedded again for ${formatList(stores)}. Document stores show the progress.`,
  openStores: "Open document stores",

  agents: "Agents",
  agentCounts: (clear: number, withFindings: number) =>
    `${formatNumber(clear)} without findings, ${formatNumber(withFindings)} with findings`,
  access: {
    key: "Requires its API key, as in Flowise",
    public: "Open to everyone, as in Flowise",
    closed: "Requires an API key; in Flowise it answered everyone",
  } satisfies Record<FlowiseAgentReport["access"], string>,
  notMoved: (counts: readonly string[]) => `Not moved, because they have no counterpart here: ${counts.join(", ")}.`,
});
