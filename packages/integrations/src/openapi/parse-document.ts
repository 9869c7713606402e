import type { JsonObject } from "@weft/schema";
import type { Outcome } from "../tool-name.ts";
import { type CompiledOperation, compileOperation } from "./compile-operation.ts";
import type { OpenApiVersion } from "./convert-schema.ts";
import { listOperations, type Operation } from "./list-operations.ts";
import { readYaml } from "./read-yaml.ts";

/** A read API description. Operations are compiled when they are first asked for. */
export type OpenApiDocument = {
  readonly root: JsonObject;
  readonly version: OpenApiVersion;
  readonly operations: readonly Operation[];
  /** Fails, in words, when the operation refers to something that is not in the document. */
  compile(operation: Operation): Outcome<CompiledOperation>;
};

/** Longest text of an API description, in bytes. */
const maxBytes = 5 * 1024 * 1024;
/** Reads the YAML or JSON text of an OpenAPI 3.0 or 3.1 description. Fails with a sentence for the flow's author. */
export async function parseDocument(text: string): Promise<Outcome<OpenApiDocument>> {
  if (Buffer.byteLength(text) > maxBytes) return { ok: false, message: "the OpenAPI file is larger than 5 MiB." };
  const read = await readText(text);
  if (!read.ok) return read;
  const root = read.value;
  const version = readVersion(root);
  if (!version.ok) return version;
  const operations = listOperations(root);
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
    value = (/^\s*\{/.test(text) ? tryJson(text) : undefined) ?? (await readYaml(text));
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "";
    return { ok: false, message: `the OpenAPI file is neither valid YAML nor JSON: ${reason.replace(/[.:]$/, "")}.` };
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    return { ok: false, message: "the OpenAPI file does not hold an OpenAPI description." };
  }
  return { ok: true, value: value as JsonObject };
}

/** A text that begins like JSON may still be YAML in its flow style. */
function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readVersion(root: JsonObject): Outcome<OpenApiVersion> {
  if (root.swagger !== undefined) {
    return {
      ok: false,
      message: `the file is Swagger ${String(root.swagger)}. Convert it to OpenAPI 3.0 or 3.1 (editor.swagger.io can).`,
    };
  }
  const version = String(root.openapi ?? "");
  if (/^3\.0(\.|$)/.test(version)) return { ok: true, value: "3.0" };
  if (/^3\.1(\.|$)/.test(version)) return { ok: true, value: "3.1" };
  if (version === "") return { ok: false, message: "the OpenAPI file does not say its version (openapi: 3.0.0)." };
  return { ok: false, message: `the file is OpenAPI ${version.slice(0, 20)}. Versions 3.0 and 3.1 can be read.` };
}
