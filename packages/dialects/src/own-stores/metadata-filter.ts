import { isJsonObject, type Json, type JsonObject } from "@weft/schema";
import { isUnset, type StorePart } from "./component.ts";

/** The input of each vector store that says which metadata passages must have. */
const filterInputs = [
  ...["pineconeMetadataFilter", "chromaMetadataFilter", "supabaseMetadataFilter", "mongoMetadataFilter"],
  ...["pgMetadataFilter", "couchbaseMetadataFilter"],
];

/** What a vector store lets a search find, and the store without what is said so. */
export type FilteredPart = { part: StorePart; filter: JsonObject | undefined };

/** Reads the JSON of an input, with native references. */
type JsonReader = { json(input: string): JsonObject | Json[] | null | undefined };

/** Takes the filter out of a vector store. One that asks for more than equal values stays, and has no effect. */
export function takeFilter(part: StorePart, reader: JsonReader): FilteredPart {
  const input = filterInputs.find((name) => !isUnset(part.inputs[name]));
  const filter = input === undefined ? undefined : toEqualities(reader, input);
  if (input === undefined || filter === undefined) return { part, filter: undefined };
  const { [input]: _, ...inputs } = part.inputs;
  return { part: { ...part, inputs }, filter };
}

/** Values that metadata must equal, in an input; undefined where it says anything else. */
export function toEqualities({ json }: JsonReader, input: string): JsonObject | undefined {
  const given = json(input);
  if (given === undefined || given === null || Array.isArray(given)) return undefined;
  const entries = Object.entries(given).map(([name, wanted]) => [name, toPlain(wanted)] as const);
  const isPlain = entries.every(([name, plain]) => plain !== undefined && name !== "" && !name.startsWith("$"));
  return isPlain && entries.length > 0 ? (Object.fromEntries(entries) as JsonObject) : undefined;
}

/** A value, or the value of an equality that is written out. */
function toPlain(wanted: Json): Json | undefined {
  if (isJsonObject(wanted)) {
    const [operator, ...others] = Object.keys(wanted);
    return operator === "$eq" && others.length === 0 ? toPlain(wanted.$eq ?? null) : undefined;
  }
  return ["string", "number", "boolean"].includes(typeof wanted) ? wanted : undefined;
}
