import {
  type Finding,
  type Flow,
  type FlowNode,
  isJsonObject,
  isSameJson,
  type Json,
  type Refusal,
} from "@weft/schema";

/**
 * Finds what imports could not carry over to the flow's steps, unless it was fixed since or `said` already reports it.
 */
export function findRefusals({ nodes }: Flow, said: readonly Finding[]): Finding[] {
  const told = new Set(said.map(keyOf));
  return nodes.flatMap((node) =>
    (node.refused ?? [])
      .filter((refusal) => isOpen(refusal, node) && !told.has(keyOf(refusal)))
      .map(({ code, message, path }) => ({
        level: "error" as const,
        code,
        nodeId: node.id,
        message,
        ...(path === undefined ? {} : { path }),
      })),
  );
}

function keyOf({ code, message }: Pick<Finding, "code" | "message">): string {
  return `${code} ${message}`;
}

function isOpen({ path, value }: Refusal, { config }: FlowNode): boolean {
  return path === undefined || isSameJson(filled(valueAt(config, path)), filled(value));
}

/** Treats the empty values that forms leave behind as absent. */
function filled(value: Json | undefined): Json {
  if (value === undefined || value === "") return null;
  const isEmpty =
    typeof value === "object" && value !== null && Object.values(value).every((one) => filled(one) === null);
  return isEmpty ? null : value;
}

export function valueAt(config: Json, path: string): Json | undefined {
  return path.split(".").reduce<Json | undefined>((inner, key) => {
    if (Array.isArray(inner)) return inner[Number(key)];
    return isJsonObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  }, config);
}
