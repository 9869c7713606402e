import { readFile } from "node:fs/promises";

/** The text of the event API's OpenAPI 3.0.0 document (YAML). The API itself has no path for it. */
export async function eventApiDocument(): Promise<string> {
  return readFile(new URL("../event-api.yaml", import.meta.url), "utf8");
}
