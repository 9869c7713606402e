import type { NodeProblem } from "@weft/engine";
import type { JsonObject } from "@weft/schema";
import { hasPlace } from "./parameter-schema.ts";
import { parameterEntrySchema } from "./request-settings.ts";

type Request = { method: string; url: string; schema: JsonObject | string | undefined };

/**
 * Finds a request that changes one thing and does not say which in its address: its `id` would go to the body or the query,
 * and APIs such as the event API answer 404. An entry that says where it goes is left alone.
 */
export function reviewPlaces({ method, url, schema }: Request, path: string): NodeProblem[] {
  const entry = entriesOf(schema)?.id;
  const parsed = parameterEntrySchema.safeParse(entry);
  if (entry === undefined || !parsed.success || parsed.data.in !== undefined || hasPlace(url, "id")) return [];
  const place = method === "DELETE" ? "query" : "body";
  const fixed = withPlace(url, "{id}");
  return [
    {
      level: "warning",
      code: "request-id-without-place",
      path,
      message: `A ${method} changes a single resource, but its id is sent in the ${place} because the URL has no placeholder for it. Most APIs will return 404. Add /{id} to the URL, or set where id is sent.`,
      fix: { title: "Add /{id} to the URL", path: "url", value: fixed },
    },
  ];
}

/** The address with one more segment, before its query. */
function withPlace(url: string, place: string): string {
  const [, address = url, rest = ""] = /^([^?#]*)([?#].*)?$/s.exec(url) ?? [];
  return `${address.replace(/\/+$/, "")}/${place}${rest}`;
}

function entriesOf(schema: Request["schema"]): JsonObject | undefined {
  if (typeof schema !== "string") return schema;
  try {
    const parsed: unknown = JSON.parse(schema);
    return parsed !== null && typeof parsed === "object" && !Array.isArray(parsed) ? (parsed as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
