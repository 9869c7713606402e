import { isJsonObject, type Json, type JsonObject, readFilter } from "@weft/schema";
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

/** Takes the filter out of a vector store. One with operators that no filter here has stays, and has no effect. */
export function takeFilter(part: StorePart, reader: JsonReader): FilteredPart {
  const input = filterInputs.find((name) => !isUnset(part.inputs[name]));
  const filter = input === undefined ? undefined : toFilter(reader, input);
  if (input === undefined || filter === undefined) return { part, filter: undefined };
  const { [input]: _, ...inputs } = part.inputs;
  return { part: { ...part, inputs }, filter };
}

/** What metadata must meet, in an input; undefined where that is nothing, or says what no filter here can. */
export function toFilter({ json }: JsonReader, input: string): JsonObject | undefined {
  const given = json(input);
  if (!isJsonObject(given) || Object.keys(given).length === 0 || Object.hasOwn(given, "")) return undefined;
  const filter = Object.fromEntries(Object.entries(given).map(([name, wanted]) => [name, toPlain(wanted)]));
  return "problem" in readFilter(filter, { templates: true }) ? undefined : filter;
}

/** The value of an equality that is written out; anything else as it is. */
function toPlain(wanted: Json): Json {
  if (!isJsonObject(wanted) || wanted.$eq === undefined) return wanted;
  return Object.keys(wanted).length === 1 ? wanted.$eq : wanted;
}
