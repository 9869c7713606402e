import { readFile } from "node:fs/promises";

/** The text of the event API's OpenAPI 3.0.0 document (YAML). The API itself has no path for it. It names the port on which it is served. */
export async function eventApiDocument(port = 5566): Promise<string> {
  const text = await readFile(new URL("../event-api.yaml", import.meta.url), "utf8");
  return text.replace("http://localhost:5566", `http://localhost:${port}`);
}
