import type { LoadedPart, LoaderServices } from "@weft/engine/ports/document-loader";
import { type ComponentAliases, parseConfig, parseObject } from "@weft/knowledge";
import { type Json, type JsonObject, jsonObjectSchema, toJsonObject, WeftError } from "@weft/schema";
import { z } from "zod";

export type LoaderGroup = "text" | "file" | "web";

/** Determines a loader's source without reading it. */
export type SourceServices = { hash(text: string): string; nameOfFile(id: string): Promise<string | undefined> };

export type LoadOptions = { signal: AbortSignal };

export type LoaderDefinition<Shape extends z.ZodRawShape> = {
  /** Its name in stores, in kebab-case. Never renamed: it is part of a loader's identity. */
  name: string;
  title: string;
  summary: string;
  group: LoaderGroup;
  /** Form hints are in `.meta()`, as in a node's configuration. `metadata` and `omitMetadataKeys` are added. */
  config: z.ZodObject<Shape>;
  aliases: ComponentAliases;
  /** Converts a configuration of existing clients, given under one of the other names. */
  adapt?(config: JsonObject, alias: string): JsonObject;
  /** The source: file names, an address, the hash of a text. Equal for equal sources. */
  sourceOf(config: z.infer<z.ZodObject<Shape>>, services: SourceServices): Promise<string> | string;
  /** Yields a failure for each unreadable source, and continues with the others. */
  load(
    config: z.infer<z.ZodObject<Shape>>,
    services: LoaderServices,
    options: LoadOptions,
  ): AsyncIterable<LoadedPart> | Iterable<LoadedPart>;
};

/** A loader with its configuration type erased, for the registry, the catalogue and document stores. */
export type Loader = {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly group: LoaderGroup;
  readonly config: z.ZodType;
  readonly aliases: ComponentAliases;
  /** `alias`: the name used for it. See `parseConfig` of the knowledge package. Throws `parameters-invalid`. */
  parseConfig(raw: unknown, alias?: string): Record<string, unknown>;
  /** `config` must come from `parseConfig`. */
  sourceOf(config: Record<string, unknown>, services: SourceServices): Promise<string>;
  /**
   * Yields texts in sequence, so that only one at a time is in memory. No text is blank or contains NUL or lone
   * surrogates, which databases reject. Rejects with the signal's reason; any other failure is a part of type
   * `failure`.
   */
  load(config: Record<string, unknown>, services: LoaderServices, options: LoadOptions): AsyncIterable<LoadedPart>;
};

/** Declares a source of texts: types, validation, aliases and form derive from it. */
export function defineLoader<Shape extends z.ZodRawShape>(definition: LoaderDefinition<Shape>): Loader {
  type Config = z.infer<z.ZodObject<Shape>>;
  const { name, title, summary, group, aliases } = definition;
  const schema = definition.config.extend(metadataFields);
  const label = `The loader "${name}"`;
  return {
    name,
    title,
    summary,
    group,
    aliases,
    config: schema,
    parseConfig(raw, alias = name) {
      const given = parseObject(`${label}: its configuration`, raw);
      const config = alias === name ? given : (definition.adapt?.(given, alias) ?? given);
      return parseConfig<Record<string, unknown>>({ label, schema, keys: aliases.keys }, config);
    },
    sourceOf: async (config, services) => definition.sourceOf(config as Config, services),
    async *load(config, services, options) {
      options.signal.throwIfAborted();
      try {
        for await (const part of definition.load(config as Config, services, options)) {
          options.signal.throwIfAborted();
          yield toCleanPart(part, config);
        }
      } catch (error) {
        options.signal.throwIfAborted();
        yield toFailure(title, error);
      }
    },
  };
}

function toCleanPart(part: LoadedPart, settings: MetadataSettings): LoadedPart {
  if (part.type === "failure") return part;
  const text = toStorableText(part.text);
  if (text.trim() === "") {
    const params = { name: part.source, reason: "it contains no text" };
    return toFailure(part.source, new WeftError("document-unreadable", { params }));
  }
  const source = toStorableText(part.source);
  const metadata = addMetadata({ source, ...toJsonObject(toStorable(part.metadata)) }, settings);
  return { type: "document", source, text, metadata };
}

/** Makes text storable in every database: drops NUL, replaces lone surrogates by U+FFFD. */
function toStorableText(text: string): string {
  return (text.includes("\0") ? text.replaceAll("\0", "") : text).toWellFormed();
}

/** A JSON value with all its texts and keys made storable. */
function toStorable(value: Json): Json {
  if (typeof value === "string") return toStorableText(value);
  if (Array.isArray(value)) return value.map(toStorable);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [toStorableText(key), toStorable(item)]));
}

/** Settings common to all loaders. */
const metadataFields = {
  metadata: jsonObjectSchema.optional().meta({
    title: "Additional metadata",
    help: "Added to every document, in addition to the loader's own metadata.",
    widget: "json",
    advanced: true,
  }),
  omitMetadataKeys: z.array(z.string().max(200)).max(100).optional().meta({
    title: "Metadata to leave out",
    help: "Names of metadata to leave out. * leaves out everything except the additional metadata.",
    advanced: true,
  }),
};

type MetadataSettings = { metadata?: unknown; omitMetadataKeys?: unknown };

/** A document's metadata, overridden by that of the settings. */
function addMetadata(own: JsonObject, settings: MetadataSettings): JsonObject {
  const omitted = new Set(Array.isArray(settings.omitMetadataKeys) ? settings.omitMetadataKeys : []);
  const kept = Object.entries(own).filter(([key]) => !omitted.has(key) && !omitted.has("*"));
  return { ...Object.fromEntries(kept), ...toJsonObject(settings.metadata) };
}

/** The failure of an unreadable source. Rethrows unexpected errors. */
export function toFailure(source: string, error: unknown): LoadedPart & { type: "failure" } {
  if (!(error instanceof WeftError)) throw error;
  return { type: "failure", source, code: error.code, message: error.message };
}
