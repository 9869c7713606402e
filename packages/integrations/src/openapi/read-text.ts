import { Worker } from "node:worker_threads";
import { isDeeperThan, isJsonObject, type JsonObject, maxJsonDepth, parseJson } from "@weft/schema";

/** Longer texts take more than about 30 ms, which would block the process. */
const inlineCharacters = 64 * 1024;

/** Parses YAML; a long text in a separate thread. Rejects if it is not YAML. */
export async function readYaml(text: string): Promise<unknown> {
  const isLong = text.length > inlineCharacters;
  return JSON.parse(isLong ? await runWorker("yamlToJson", text) : await yamlToJson(text));
}

/** Maximum repetitions of a YAML anchor: a few lines of aliases can stand for gigabytes. */
const maxAliasCount = 100;

/**
 * Converts YAML 1.2 to JSON text, which copies shared aliases and rejects cyclic ones. Of duplicate keys the last wins,
 * as in JSON; detecting them would take most of the time. Rejects if not YAML.
 */
export async function yamlToJson(text: string): Promise<string> {
  const { parse } = await import("yaml");
  const value: unknown = parse(text, { maxAliasCount, uniqueKeys: false, logLevel: "error", merge: true });
  return JSON.stringify(value) ?? "null";
}

/** Converts a Swagger 2.0 document to OpenAPI 3.0; undefined for another version, or if it cannot be converted. */
export async function upgradeSwagger(root: JsonObject): Promise<JsonObject | undefined> {
  // YAML parses an unquoted version as a number.
  if (Number(root.swagger) !== 2 || isDeeperThan(root, maxJsonDepth)) return undefined;
  const upgraded = await runWorker("swaggerToOpenApi", JSON.stringify({ ...root, swagger: "2.0" })).catch(() => "");
  const value = parseJson(upgraded);
  return isJsonObject(value) ? value : undefined;
}

/** Well above the time for the largest description. */
const timeoutMs = 20_000;

/**
 * Runs a task of `document-worker.ts` in a separate thread. Rejects with the task's error, and if it exceeds half a
 * gigabyte or 20 seconds.
 */
function runWorker(task: "yamlToJson" | "swaggerToOpenApi", text: string): Promise<string> {
  const script = new URL("./document-worker.ts", import.meta.url);
  const limits = { maxOldGenerationSizeMb: 512 };
  const worker = new Worker(script, { workerData: { task, text }, env: {}, resourceLimits: limits });
  const timer = setTimeout(() => void worker.terminate(), timeoutMs);
  const made = new Promise<string>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("reading it took too much memory or time")));
  });
  return made.finally(() => clearTimeout(timer));
}
