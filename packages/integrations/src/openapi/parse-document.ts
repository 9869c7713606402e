import { createHash } from "node:crypto";
import { isJsonObject, type Json, type JsonObject, parseJson } from "@weft/schema";
import { LRUCache } from "lru-cache";
import type { Outcome } from "../tool-name.ts";
import { type CompiledOperation, compileOperation } from "./compile-operation.ts";
import type { OpenApiVersion } from "./convert-schema.ts";
import { listOperations, type Operation } from "./list-operations.ts";
import { readYaml, upgradeSwagger } from "./read-text.ts";

/** A parsed API description. Operations are compiled on first use. */
export type OpenApiDocument = {
  readonly root: JsonObject;
  readonly version: OpenApiVersion;
  readonly operations: readonly Operation[];
  /** Fails with a message if the operation has a dangling reference. */
  compile(operation: Operation): Outcome<CompiledOperation>;
};

/** Longest text of an API description, in bytes. */
const maxBytes = 5 * 1024 * 1024;

/**
 * Parses the YAML or JSON text of an OpenAPI 3.0 or 3.1, or Swagger 2.0, description. Fails with a message for the
 * flow's author.
 */
export async function parseDocument(text: string): Promise<Outcome<OpenApiDocument>> {
  if (Buffer.byteLength(text) > maxBytes) return { ok: false, message: "the OpenAPI file is larger than 5 MiB." };
  const read = await readText(text);
  if (!read.ok) return read;
  const { swagger } = read.value;
  const root = swagger === undefined ? read.value : ((await upgradeSwagger(read.value)) ?? {});
  const operations = listOperations(root);
  if (swagger !== undefined && operations.length === 0) return { ok: false, message: cannotUpgrade(swagger) };
  const version = readVersion(root);
  if (!version.ok) return version;
  if (operations.length === 0) return { ok: false, message: "the OpenAPI file describes no operation under paths." };
  const compiled = new Map<Operation, Outcome<CompiledOperation>>();
  const source = { root, version: version.value };
  return {
    ok: true,
    value: {
      ...source,
      operations,
      compile(operation) {
        const known = compiled.get(operation) ?? compileOperation(operation, source);
        compiled.set(operation, known);
        return known;
      },
    },
  };
}

async function readText(text: string): Promise<Outcome<JsonObject>> {
  let value: unknown;
  try {
    // A text that starts like JSON may still be YAML in flow style.
    value = (/^\s*\{/.test(text) ? parseJson(text) : undefined) ?? (await readYaml(text));
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "";
    return { ok: false, message: `the OpenAPI file is neither valid YAML nor JSON: ${reason.replace(/[.:]$/, "")}.` };
  }
  if (!isJsonObject(value)) {
    return { ok: false, message: "the OpenAPI file does not hold an OpenAPI description." };
  }
  return { ok: true, value };
}

/** Message for an unsupported version, or a document without any supported operation. */
function cannotUpgrade(swagger: Json): string {
  return `the file is Swagger ${String(swagger).slice(0, 20)}. Convert it to OpenAPI 3.0 or 3.1 (editor.swagger.io can).`;
}

function readVersion(root: JsonObject): Outcome<OpenApiVersion> {
  const version = String(root.openapi ?? "");
  if (/^3\.0(\.|$)/.test(version)) return { ok: true, value: "3.0" };
  if (/^3\.1(\.|$)/.test(version)) return { ok: true, value: "3.1" };
  if (version === "") return { ok: false, message: "the OpenAPI file does not say its version (openapi: 3.0.0)." };
  return { ok: false, message: `the file is OpenAPI ${version.slice(0, 20)}. Versions 3.0 and 3.1 can be read.` };
}

/** Parses API descriptions, with a cache. */
export type DocumentCache = { read(text: string): Promise<Outcome<OpenApiDocument>> };

type DocumentCacheLimits = {
  /** Documents kept. Default 32. */
  maxDocuments?: number;
  /** Characters of source text of the cached documents. Default 16 Mi. */
  maxCharacters?: number;
};

/**
 * Keyed by the text's SHA-256, least recently used evicted first. Failures are not cached. Concurrent reads of a text
 * share one parse.
 */
export function createDocumentCache(limits: DocumentCacheLimits = {}): DocumentCache {
  const { maxDocuments = 32, maxCharacters = 16 * 1024 * 1024 } = limits;
  const kept = new LRUCache<string, Promise<Outcome<OpenApiDocument>>>({ max: maxDocuments, maxSize: maxCharacters });
  return {
    async read(text) {
      const key = createHash("sha256").update(text).digest("base64");
      const found = kept.get(key);
      if (found !== undefined) return found;
      const document = parseDocument(text);
      kept.set(key, document, { size: Math.max(1, text.length) });
      const outcome = await document;
      if (!outcome.ok) kept.delete(key);
      return outcome;
    },
  };
}
