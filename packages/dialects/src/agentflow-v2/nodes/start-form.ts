import type { JsonObject } from "@weft/schema";
import type { Settings } from "../settings.ts";

const types = new Set(["string", "number", "boolean", "options"]);

/** Fields of a form, in their order. */
export function toFormFields(settings: Settings, key: string): JsonObject[] {
  return settings
    .rows(key)
    .map((row) => {
      const name = row.text("name");
      const type = types.has(row.text("type")) ? row.text("type") : "string";
      const options = row.rows("addOptions").map((option) => option.text("option"));
      return { name, label: row.text("label"), type, ...(type === "options" ? { options } : {}) };
    })
    .filter(({ name }) => name !== "" && name !== "__proto__");
}
