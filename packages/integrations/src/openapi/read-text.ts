import { Worker } from "node:worker_threads";
import { isDeeperThan, isJsonObject, type JsonObject, maxJsonDepth, parseJson } from "@weft/schema";

/** Longer texts take more than about 30 ms, which would hold up everything else in the process. */
const inlineCharacters = 64 * 1024;

/** The value of a YAML text; a long text is read in a thread of its own. Rejects when it is not YAML. */
export async function readYaml(text: string): Promise<unknown> {
  const isLong = text.length > inlineCharacters;
  return JSON.parse(isLong ? await runWorker("yamlToJson", text) : await yamlToJson(text));
}

/** How often a YAML anchor may be repeated: a few lines of aliases can stand for gigabytes. */
const maxAliasCount = 100;

/**
 * YAML 1.2 as JSON text, so that what aliases share is copied and what refers to itself is refused.
 * Of two equal keys the last counts, as in JSON; looking for them would cost most of the time. Rejects when not YAML.
 */
export async function yamlToJson(text: string): Promise<string> {
  const { parse } = await import("yaml");
  const value: unknown = parse(text, { maxAliasCount, uniqueKeys: false, logLevel: "error", merge: true });
  return JSON.stringify(value) ?? "null";
}

/** A Swagger 2.0 document as OpenAPI 3.0; undefined for another version, or what cannot be converted. */
export async function upgradeSwagger(root: JsonObject): Promise<JsonObject | undefined> {
  // YAML reads a version without quotes as a number.
  if (Number(root.swagger) !== 2 || isDeeperThan(root, maxJsonDepth)) return undefined;
  const upgraded = await runWorker("swaggerToOpenApi", JSON.stringify({ ...root, swagger: "2.0" })).catch(() => "");
  const value = parseJson(upgraded);
  return isJsonObject(value) ? value : undefined;
}

/** Well beyond what the largest description takes. */
const timeoutMs = 20_000;

/**
 * What a task of `document-worker.ts` makes of a text, in a thread of its own. Rejects with what the task throws, and
 * when it takes more than half a gigabyte or 20 seconds.
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
