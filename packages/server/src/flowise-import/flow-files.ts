import type { FlowiseSource } from "@weft/flowise-source";
import { isJsonObject, type Json, parseJson } from "@weft/schema";

const storedFiles = "FILE-STORAGE::";
/** Total size of the files inlined into one flow. */
const maxBytes = 50_000_000;

/**
 * The text of a flow with its loaders' files inlined, which the other server kept in its storage folder. Files that are
 * missing or too large remain names.
 */
export async function withFlowFiles(
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
