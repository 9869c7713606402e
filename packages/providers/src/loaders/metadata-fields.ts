import { type JsonObject, jsonObjectSchema } from "@weft/schema";
import { z } from "zod";

/** Settings that every loader has. */
export const metadataFields = {
  metadata: jsonObjectSchema.optional().meta({
    title: "Additional metadata",
    help: "Given to every document, beside what the loader knows of it.",
    widget: "json",
    advanced: true,
  }),
  omitMetadataKeys: z.array(z.string().max(200)).max(100).optional().meta({
    title: "Metadata to leave out",
    help: "Names of what documents should not have. * leaves out all but the additional metadata.",
    advanced: true,
  }),
};

export type MetadataSettings = { metadata?: unknown; omitMetadataKeys?: unknown };

/** A document's metadata with those of the settings, which win. */
export function addMetadata(own: JsonObject, settings: MetadataSettings): JsonObject {
  const omitted = new Set(Array.isArray(settings.omitMetadataKeys) ? settings.omitMetadataKeys : []);
  const kept = Object.entries(own).filter(([key]) => !omitted.has(key) && !omitted.has("*"));
  return { ...Object.fromEntries(kept), ...(settings.metadata as JsonObject | undefined) };
}
