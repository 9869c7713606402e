import { isJsonObject, type Json, type JsonObject, parseJson, toJsonList, toJsonObject } from "@weft/schema";

/** What a caller wants an input to be, in the nodes that have one of these labels. */
export type InputOverride = { name: string; value: Json; labels: readonly string[] };

/**
 * An AgentFlow V2 document with an input replaced, as its callers expect: a list is added to the list that is there, an
 * object is laid over the object that is there, and an object by ids of nodes holds the value of each of those alone.
 * The given document stays as it is. Source: the facts on `overrideConfig` in AgentFlow V2.
 */
export function overrideInput(document: JsonObject, { name, value, labels }: InputOverride): JsonObject {
  const nodes = toJsonList(document.nodes);
  const ids = new Set(nodes.map(idOf));
  const byId = isJsonObject(value) && Object.keys(value).some((key) => ids.has(key)) ? value : undefined;
  const replace = (node: Json): Json => {
    if (!isJsonObject(node) || !isJsonObject(node.data)) return node;
    const { data } = node;
    if (typeof data.label !== "string" || !labels.includes(data.label)) return node;
    const wanted = byId ? byId[idOf(node)] : value;
    if (wanted === undefined) return node;
    const inputs = toJsonObject(data.inputs);
    return { ...node, data: { ...data, inputs: { ...inputs, [name]: combine(inputs[name], wanted) } } };
  };
  return { ...document, nodes: nodes.map(replace) };
}

function idOf(node: Json): string {
  if (!isJsonObject(node)) return "";
  const id = node.id ?? (isJsonObject(node.data) ? node.data.id : undefined);
  return typeof id === "string" ? id : "";
}

function combine(stored: Json | undefined, wanted: Json): Json {
  if (Array.isArray(stored) && Array.isArray(wanted)) return [...stored, ...wanted];
  if (isJsonObject(wanted)) return { ...toObject(stored), ...wanted };
  return wanted;
}

/** Objects are kept as they are or as their JSON. */
function toObject(value: Json | undefined): JsonObject {
  return toJsonObject(typeof value === "string" ? parseJson(value) : value);
}
