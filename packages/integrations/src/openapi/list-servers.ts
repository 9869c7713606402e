import { chooseServer } from "./choose-server.ts";
import { parseDocument } from "./parse-document.ts";
import { readFileSetting, type SourceSettings } from "./read-source.ts";

/** Base addresses that a toolkit's operations are called at, or undefined where only a run can tell. */
export async function listServers(settings: SourceSettings & { server?: string }): Promise<string[] | undefined> {
  const { server, openApiFile, yamlFile } = settings;
  if (server?.trim()) return [server.trim()];
  const file = [openApiFile, yamlFile].find((text) => text && text.trim() !== "");
  if (file === undefined || file.startsWith("FILE-STORAGE::")) return undefined;
  const document = await parseDocument(readFileSetting("OpenAPI toolkit", file.trim()));
  if (!document.ok) return undefined;
  const { root, operations } = document.value;
  const servers = operations.map((operation) => chooseServer(root, operation, { server, documentUrl: undefined }));
  return [...new Set(servers.flatMap((outcome) => (outcome.ok ? [outcome.value] : [])))];
}
