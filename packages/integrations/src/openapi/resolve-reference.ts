import { type Json, type JsonObject, toJsonObject } from "@weft/schema";

/** Maximum length of a chain of references. */
const maxHops = 32;

/** Resolves a value's `$ref`s; undefined if one leads out of the document, nowhere, or in a circle. */
export function resolveReference(root: JsonObject, value: Json | undefined): Json | undefined {
  let current = value;
  for (let hop = 0; hop < maxHops; hop += 1) {
    const reference = referenceOf(current);
    if (reference === undefined) return current;
    current = readPointer(root, reference);
  }
  return undefined;
}

/** The `$ref` of a value that is a reference. */
export function referenceOf(value: Json | undefined): string | undefined {
  const reference = toJsonObject(value).$ref;
  return typeof reference === "string" ? reference : undefined;
}

/** A JSON Pointer in a URI fragment (RFC 6901, section 6). Finds only own members. */
export function readPointer(root: JsonObject, reference: string): Json | undefined {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let current: Json | undefined = root;
  for (const part of reference.slice(2).split("/")) {
    const key = decodePart(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (current === null || typeof current !== "object" || !Object.hasOwn(current, key)) return undefined;
    current = Array.isArray(current) ? current[Number(key)] : current[key];
  }
  return current;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
