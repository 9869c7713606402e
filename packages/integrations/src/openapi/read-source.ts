import { WeftError } from "@weft/schema";
import { isSuccess } from "../calls/call-http.ts";
import type { IntegrationContext } from "../define-integration.ts";
import { invalidTool } from "../tool-name.ts";
import { chooseServer } from "./choose-server.ts";
import { parseDocument } from "./parse-document.ts";

type SourceSettings = {
  openApiFile?: string | undefined;
  yamlFile?: string | undefined;
  openApiLink?: string | undefined;
};

/** Text of an API description; `url` if it was loaded from there. */
type DocumentSource = { text: string; url?: string };

const maxBytes = 5 * 1024 * 1024;

/** The description from `openApiFile`, else `yamlFile`, else `openApiLink`. Throws `tool-invalid` if there is none. */
export async function readSource(
  tool: string,
  settings: SourceSettings,
  context: IntegrationContext,
): Promise<DocumentSource> {
  const file = [settings.openApiFile, settings.yamlFile].find((text) => text && text.trim() !== "");
  if (file) return { text: readFileSetting(tool, file.trim()) };
  const link = settings.openApiLink?.trim();
  if (link) return { text: await load(tool, link, context), url: link };
  throw invalidTool(tool, "it has no OpenAPI file. Paste or upload the YAML or JSON text, or enter a link to it.");
}

/** Plain text, or a data URI (RFC 2397) as uploads are stored, optionally ending in `,filename:…`. */
function readFileSetting(tool: string, setting: string): string {
  if (setting.startsWith("FILE-STORAGE::")) {
    throw invalidTool(tool, "its file is kept by another platform and did not come with the flow. Upload it again.");
  }
  if (!setting.startsWith("data:")) return setting;
  const [, header = "", data] = /^data:([^,]*),(.*)$/s.exec(setting.replace(/,filename:[^,]*$/, "")) ?? [];
  if (data === undefined) throw invalidTool(tool, "its file is a data URI without data. Upload it again.");
  if (header.split(";").includes("base64")) return new TextDecoder().decode(Buffer.from(data, "base64"));
  try {
    return decodeURIComponent(data);
  } catch {
    throw invalidTool(tool, "its file is a data URI that cannot be decoded. Upload it again.");
  }
}

async function load(tool: string, url: string, context: IntegrationContext): Promise<string> {
  try {
    const { signal } = context;
    const headers = { accept: "application/yaml, application/json, text/*, */*;q=0.5" };
    const response = await context.http.request({ method: "GET", url, headers, maxBytes, signal });
    if (isSuccess(response.status)) return new TextDecoder().decode(response.body);
    throw invalidTool(tool, `its OpenAPI link returned ${response.status} ${response.statusText}. Check the address.`);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof WeftError) || error.code === "tool-invalid") throw error;
    throw invalidTool(tool, `its OpenAPI link cannot be loaded. ${error.message}`);
  }
}

/** Base URLs of a toolkit's operations, or undefined if they are only known in a run. */
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
