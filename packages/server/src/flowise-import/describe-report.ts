import type { FlowiseReport, FlowiseTableReport } from "@weft/schema";

const titles: Readonly<Record<string, string>> = {
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
};

const access = {
  key: "requires its API key, as in Flowise",
  public: "open to everyone, as in Flowise, if ALLOW_PUBLIC_FLOWS=true is set",
  closed: "requires an API key; in Flowise it answered everyone",
} as const;

export function describeReport(report: FlowiseReport): string {
  const lines = [report.dryRun ? "Nothing was changed. An import would bring about:" : "Imported:"];
  for (const table of report.tables) lines.push(...describeTable(table));
  if (report.agents.length > 0) lines.push("Agents:");
  for (const { name, id, findings, ...agent } of report.agents) {
    lines.push(`  ${name} (${id}): ${access[agent.access]}`, ...findings.map((finding) => `    ${finding}`));
  }
  const todo = describeSteps(report);
  if (todo.length > 0) lines.push("To do:", ...todo.map((step) => `  - ${step}`));
  if (report.notMoved.length > 0) {
    const counts = report.notMoved.map(({ table, count }) => `${table} ${count}`).join(", ");
    lines.push(`Not moved, because they have no counterpart here: ${counts}.`);
  }
  return `${lines.join("\n")}\n`;
}

function describeTable({ table, read, written, there, left }: FlowiseTableReport): string[] {
  const sum = left.reduce((total, { count }) => total + count, 0);
  const counts = `${read} read, ${written} written, ${there} there already, ${sum} left`;
  const reasons = left.map(({ reason, count, examples }) => {
    const more = count > examples.length ? ` and ${count - examples.length} more` : "";
    return `    ${examples.join(", ")}${more}: ${reason}`;
  });
  return [`  ${titles[table] ?? table}: ${counts}`, ...reasons];
}

function describeSteps(report: FlowiseReport): string[] {
  const { runtimeVariables, privateHosts, schedules, embedding, agents, notes } = report;
  const isPublic = agents.some((agent) => agent.access === "public");
  return [
    ...(isPublic ? ["Set ALLOW_PUBLIC_FLOWS=true, so that public agents answer everybody."] : []),
    ...(runtimeVariables.length > 0
      ? [
          `Set these variables in the server's environment, and RUNTIME_VARIABLES=${runtimeVariables.join(",")}, so that flows can read them.`,
        ]
      : []),
    ...(privateHosts.length > 0
      ? [`Set EGRESS_ALLOW=${privateHosts.join(",")} if flows shall call these private hosts.`]
      : []),
    ...(schedules.length > 0 ? [`Switch these schedules off there, and then on here: ${schedules.join(", ")}.`] : []),
    ...(embedding.length > 0
      ? [
          `Start the server: it embeds ${embedding.map(({ store, chunks }) => `${store} (${chunks} chunks)`).join(", ")}, and shows the progress in the document stores.`,
        ]
      : []),
    ...notes,
  ];
}
