import type { FlowiseRow } from "@weft/flowise-source";
import { httpHeaderPlaces, isJsonObject, type Json, parseJson } from "@weft/schema";
import type { CredentialService } from "../credentials/index.ts";
import { datesOf, type ImportContext, onlyFresh, pagesOf, writeOne } from "./copy-rows.ts";
import { unopened } from "./report.ts";

/** An MCP server registered there. */
export type McpServer = {
  url: string;
  /** Id of the credential with its headers, if it has any. */
  credential?: string;
};

type McpServerRow = FlowiseRow<"custom_mcp_server">;
/** `unread`: why they could not be opened, so that they must be entered later. */
type Headers = { entries: readonly (readonly [name: string, value: string])[]; unread?: string };

/**
 * Reads the MCP servers, and stores the headers of each as a credential under the server's id. There is no list of
 * servers here: resolves with what `withMcpServers` writes into the flows that name them.
 */
export async function importMcpServers(
  context: ImportContext,
  { credentials }: { credentials: CredentialService },
): Promise<ReadonlyMap<string, McpServer>> {
  const servers = new Map<string, McpServer>();
  for await (const { rows, tally } of pagesOf(context, "custom_mcp_server")) {
    const withHeaders: { id: string; row: McpServerRow; name: string; headers: Headers }[] = [];
    for (const row of rows) {
      const name = row.name?.trim() || row.id;
      const url = row.serverUrl?.trim() ?? "";
      if (url === "") {
        tally.left("It has no address.", name);
        continue;
      }
      const headers = readHeaders(context, row, name);
      servers.set(row.id, { url, ...(headers && { credential: row.id }) });
      if (headers !== undefined) withHeaders.push({ id: row.id, row, name, headers });
      else tally.left("It has no headers to keep. Agents that use it have its address.", name);
    }
    for (const { row, name, headers } of await onlyFresh(context, withHeaders, { into: "credentials", tally })) {
      const body = { id: row.id, name: `MCP server ${name}`, ...toCredential(context, name, headers) };
      await writeOne(context, { name, tally }, () => credentials.create(body, undefined, datesOf(row)));
    }
  }
  return servers;
}

/** Undefined if it has none. */
function readHeaders({ source, report }: ImportContext, row: McpServerRow, name: string): Headers | undefined {
  if (/oauth/i.test(row.authType ?? "")) {
    report.note(`The MCP server "${name}" requires an OAuth sign-in, which is not supported here.`);
  }
  if (row.authConfig === null || row.authConfig === "") return undefined;
  const opened = source.unseal(row.authConfig);
  if ("reason" in opened) return { entries: [], unread: unopened[opened.reason] };
  const { headers } = opened.fields;
  const all = typeof headers === "object" && headers !== null ? Object.entries(headers) : [];
  const entries = all.flatMap(([key, value]) =>
    typeof value === "string" && key.trim() !== "" && value !== "" ? [[key.trim(), value] as const] : [],
  );
  return entries.length === 0 ? undefined : { entries };
}

function toCredential({ report }: ImportContext, name: string, { entries: headers, unread }: Headers) {
  if (unread !== undefined) {
    report.note(
      `The credential "MCP server ${name}" came without its headers: ${unread}. Enter them under Credentials.`,
    );
  }
  const [first, second] = headers;
  if (second === undefined) {
    const plainDataObj: Record<string, string> = first === undefined ? {} : { key: first[0], value: first[1] };
    return { credentialName: "httpApiKey", plainDataObj };
  }
  const left = headers.slice(httpHeaderPlaces.length).map(([key]) => key.slice(0, 100));
  if (left.length > 0) {
    report.note(
      `The credential "MCP server ${name}" holds ${httpHeaderPlaces.length} headers. Set these in the tool "MCP server" of its agents: ${left.slice(0, 20).join(", ")}.`,
    );
  }
  const fields = httpHeaderPlaces.flatMap((place, index) => {
    const [key, value] = headers[index] ?? [];
    return key === undefined || value === undefined ? [] : [[place.name, key] as const, [place.value, value] as const];
  });
  return { credentialName: "httpHeaders", plainDataObj: Object.fromEntries(fields) };
}

const idKey = "mcpServerId";

/**
 * The text of a flow with the address and the credential of each known server beside its id; any other text unchanged.
 */
export function withMcpServers(flowData: string, servers: ReadonlyMap<string, McpServer>): string {
  if (!flowData.includes(idKey)) return flowData;
  let isChanged = false;
  const write = (value: Json): Json => {
    if (typeof value === "string") return writeText(value);
    if (Array.isArray(value)) return value.map(write);
    if (!isJsonObject(value)) return value;
    const inner = Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, write(entry)]));
    const server = typeof value[idKey] === "string" ? servers.get(value[idKey]) : undefined;
    if (server === undefined) return inner;
    isChanged = true;
    const { url, credential } = server;
    return { ...inner, serverUrl: url, ...(credential === undefined ? {} : { credential }) };
  };
  /** Lists of tools may be stored as JSON text. */
  const writeText = (text: string): Json => {
    if (!text.includes(idKey)) return text;
    const parsed = parseJson(text);
    return parsed === undefined || parsed === null || typeof parsed !== "object" ? text : JSON.stringify(write(parsed));
  };
  const written = JSON.stringify(write(parseJson(flowData) ?? null));
  return isChanged ? written : flowData;
}
