import { z } from "zod";
import { isJsonObject, jsonObjectSchema, jsonSchema, parseJson } from "../json.ts";
import { documentSchema } from "./chat-message.ts";
import { formFlagSchema, jsonTextInputSchema, textInputSchema, timestampSchema, uuidSchema } from "./field.ts";

/** State of a store, derived from its loaders (contract, "Document store status"). */
export const documentStoreStatuses = ["EMPTY", "NEW", "SYNCING", "SYNC", "STALE", "UPSERTING", "UPSERTED"] as const;
export const documentStoreStatusSchema = z.enum(documentStoreStatuses);
export type DocumentStoreStatus = z.infer<typeof documentStoreStatusSchema>;

const jsonText = (description: string) => z.string().meta({ description: `JSON text: ${description}` });

/** Passages that are searched together (reference, "Document store"). */
export const documentStoreSchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    name: z.string(),
    description: z.string(),
    loaders: jsonText("array of loaders"),
    whereUsed: jsonText("ids of the agents and assistants that use it"),
    status: documentStoreStatusSchema,
    vectorStoreConfig: jsonText("{ name, config }; {} is the embedded one"),
    embeddingConfig: jsonText("{ name, config }; {} is the embedded one"),
    recordManagerConfig: jsonText("{ name, config: { cleanup: none, incremental or full } }"),
    retrievalConfig: jsonText("how it is searched; {} is plainly. Agents may say otherwise"),
    totalChunks: z.number().int(),
    totalChars: z.number().int(),
    createdDate: timestampSchema,
    updatedDate: timestampSchema,
  })
  .meta({
    id: "DocumentStore",
    examples: [
      {
        id: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        name: "Handbook",
        description: "What people ask support",
        loaders: "[]",
        whereUsed: "[]",
        status: "EMPTY",
        vectorStoreConfig: "{}",
        embeddingConfig: "{}",
        recordManagerConfig: "{}",
        retrievalConfig: "{}",
        totalChunks: 0,
        totalChars: 0,
        createdDate: "2025-01-31T12:00:00.000Z",
        updatedDate: "2025-02-01T08:30:00.000Z",
      },
    ],
  });
export type DocumentStore = z.infer<typeof documentStoreSchema>;

const nameInputSchema = z.string().trim().min(1, "must not be empty").max(500);
const configs = {
  vectorStoreConfig: jsonTextInputSchema,
  embeddingConfig: jsonTextInputSchema,
  recordManagerConfig: jsonTextInputSchema,
  retrievalConfig: jsonTextInputSchema,
};

/** A loader in a store's `loaders`. The server sets its contents, state and dates. */
const givenLoaderSchema = z.object({
  id: uuidSchema.nullish(),
  loaderId: z.string().max(100).nullish(),
  loaderName: z.string().max(500).nullish(),
  loaderConfig: jsonObjectSchema.nullish(),
  splitterId: z.string().max(100).nullish(),
  splitterConfig: jsonObjectSchema.nullish(),
  metadata: jsonObjectSchema.nullish(),
});
export type GivenLoader = z.infer<typeof givenLoaderSchema>;

const loadersInputSchema = z.preprocess(parsedText, z.array(givenLoaderSchema).max(1_000).nullish()).meta({
  description:
    "JSON text: array of loaders, in the format the store returns. Loaders with a known id are updated, new ones are added without being processed; none are deleted",
});

/** The server sets status, use and dates. */
export const documentStoreCreateSchema = z
  .object({
    id: uuidSchema.optional(),
    name: nameInputSchema,
    description: textInputSchema.default(""),
    ...z.object(configs).partial().shape,
    loaders: loadersInputSchema,
  })
  .meta({ id: "DocumentStoreCreate", examples: [{ name: "Handbook", description: "What people ask support" }] });
export type DocumentStoreCreate = z.infer<typeof documentStoreCreateSchema>;

/** Absent fields stay unchanged. */
export const documentStoreUpdateSchema = z
  .object({ name: nameInputSchema, description: textInputSchema, ...configs, loaders: loadersInputSchema })
  .partial()
  .meta({ id: "DocumentStoreUpdate", examples: [{ description: "What people ask support, and how to answer" }] });
export type DocumentStoreUpdate = z.infer<typeof documentStoreUpdateSchema>;

/** An adapter by its name in the catalogue, and its settings. */
export const componentChoiceSchema = z
  .object({ name: z.string().min(1).max(100), config: jsonObjectSchema.nullish().transform((config) => config ?? {}) })
  .meta({ id: "ComponentChoice", examples: [{ name: "plainText", config: { text: "Refunds take five days." } }] });
export type ComponentChoice = z.infer<typeof componentChoiceSchema>;

const componentSettingsSchema = componentChoiceSchema.partial({ name: true }).meta({
  id: "ComponentSettings",
  description: "If name is omitted, the settings override those of the loader given by docId",
  examples: [{ config: { chunkSize: 1000 } }],
});

/** `{}`, as existing clients send it, counts as absent. */
function choiceOf<T extends z.ZodType>(schema: T) {
  return z
    .preprocess((value, context) => {
      const given = parsedText(value, context);
      return isEmptyChoice(given) ? undefined : given;
    }, schema.nullish())
    .nullish();
}
const choice = choiceOf(componentChoiceSchema);
const settings = choiceOf(componentSettingsSchema);
const object = orText(jsonObjectSchema).nullish();

const upsertShape = {
  docId: z
    .union([uuidSchema, z.literal("").transform(() => undefined)])
    .nullish()
    .meta({ description: "Id of a loader in the store; its settings are used for anything the body leaves out" }),
  metadata: object.meta({ description: "Merged into the metadata of every document" }),
  replaceExisting: formFlagSchema.nullish().meta({
    description:
      "With docId. true: the new chunks replace the loader's; existing vectors stay in the database. Otherwise another source becomes a loader of its own with a copy of the loader's settings; files do so only if it is false.",
  }),
  deleteEmbeddings: formFlagSchema.nullish().meta({
    description: "With replaceExisting: also delete the vectors of the replaced chunks",
  }),
  loaderName: z.string().max(500).nullish().meta({ description: "Display name of the loader" }),
  loader: settings,
  splitter: settings,
  embedding: choice,
  vectorStore: choice,
  recordManager: choice,
};

/** Body of an upsert (reference, "Upsert body"). Objects and flags may be text, as forms send them. */
export const documentUpsertSchema = z
  .object({
    ...upsertShape,
    createNewDocStore: formFlagSchema.nullish(),
    docStore: object.meta({ description: "name and description of the new store" }),
  })
  .meta({
    id: "DocumentUpsert",
    examples: [
      {
        loader: { name: "plainText", config: { text: "Refunds take five days." } },
        splitter: { name: "recursiveCharacterTextSplitter", config: { chunkSize: 1000, chunkOverlap: 100 } },
      },
    ],
  });
export type DocumentUpsert = z.infer<typeof documentUpsertSchema>;

export const documentRefreshSchema = z.object({ items: z.array(z.object(upsertShape)).max(1_000).nullish() }).meta({
  id: "DocumentRefresh",
  description: "If items is omitted, every loader of the store is refreshed",
  examples: [{}],
});
export type DocumentRefresh = z.infer<typeof documentRefreshSchema>;
export type UpsertItem = NonNullable<DocumentRefresh["items"]>[number];

/** A source that failed to load, while others succeeded. */
export const upsertFailureSchema = z.object({ source: z.string(), code: z.string(), message: z.string() });
export type UpsertFailure = z.infer<typeof upsertFailureSchema>;

const counts = {
  numAdded: z.number().int(),
  numUpdated: z.number().int(),
  numDeleted: z.number().int(),
  numSkipped: z.number().int(),
};

/** The result of an upsert (reference, "Upsert result"), with the sources that failed to load. */
export const upsertResultSchema = z
  .object({
    ...counts,
    addedDocs: z.array(documentSchema).meta({ description: "At most the first 1,000" }),
    docId: z.string().meta({ description: "Id of the loader" }),
    storeId: z.string(),
    failed: z.array(upsertFailureSchema).meta({ description: "Sources that could not be loaded; all others were" }),
  })
  .meta({
    id: "UpsertResult",
    examples: [
      {
        numAdded: 1,
        numUpdated: 0,
        numDeleted: 0,
        numSkipped: 0,
        addedDocs: [{ pageContent: "Refunds take five days.", metadata: { source: "text" } }],
        docId: "7c1e5a9d-3b2f-4e6a-9d8c-0f1e2d3c4b5a",
        storeId: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        failed: [],
      },
    ],
  });
export type UpsertResult = z.infer<typeof upsertResultSchema>;
export type UpsertCounts = Pick<UpsertResult, "numAdded" | "numUpdated" | "numDeleted" | "numSkipped">;

/** A running or finished upsert. Numbers grow while it runs. */
export const upsertJobSchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    storeId: z.string().meta({ format: "uuid" }),
    state: z.enum(["RUNNING", "FINISHED", "FAILED", "CANCELLED"]),
    documents: z.number().int().meta({ description: "Loaded so far" }),
    chunks: z.number().int().meta({ description: "Split so far" }),
    planned: z.number().int().meta({
      description: "Chunks loaded so far that still have to be embedded and written; the others are already stored",
    }),
    embedded: z.number().int(),
    written: z.number().int().meta({ description: "Written to the vector database" }),
    failed: z.array(upsertFailureSchema),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    results: z
      .array(z.object({ ...counts, docId: z.string() }))
      .meta({ description: "One result per loader, once the upsert has finished" }),
    createdDate: timestampSchema,
  })
  .meta({
    id: "UpsertJob",
    examples: [
      {
        id: "6f0c5b1e-3c5d-4b6e-9c50-6f1f4f3b2a11",
        storeId: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        state: "RUNNING",
        documents: 12,
        chunks: 840,
        planned: 800,
        embedded: 256,
        written: 128,
        failed: [],
        error: null,
        results: [],
        createdDate: "2025-01-31T12:00:00.000Z",
      },
    ],
  });
export type UpsertJob = z.infer<typeof upsertJobSchema>;

export const chunkUpdateSchema = z
  .object({ pageContent: z.string().min(1, "must not be empty").max(1_000_000), metadata: object })
  .meta({ id: "ChunkUpdate", examples: [{ pageContent: "Refunds take three days.", metadata: { source: "faq.md" } }] });
export type ChunkUpdate = z.infer<typeof chunkUpdateSchema>;

const loaderSchema = z
  .record(z.string(), jsonSchema)
  .meta({ description: "The loader, in the same format as in the store's loaders" });

/** One page of a loader's chunks, and their origin. */
export const chunkPageSchema = z
  .object({
    chunks: z.array(
      z.object({
        id: z.string(),
        docId: z.string(),
        storeId: z.string(),
        chunkNo: z.number().int(),
        pageContent: z.string(),
        metadata: jsonText("object"),
      }),
    ),
    count: z.number().int().meta({ description: "Total across all pages" }),
    characters: z.number().int(),
    currentPage: z.number().int(),
    file: loaderSchema.nullable(),
    docId: z.string(),
    storeName: z.string(),
    description: z.string(),
  })
  .meta({ id: "ChunkPage" });
export type ChunkPage = z.infer<typeof chunkPageSchema>;

const loaderBodyShape = {
  id: uuidSchema.nullish().meta({ description: "Id of the loader to change" }),
  loaderId: z.string().max(100).nullish().meta({ description: "Name of the loader in the catalogue" }),
  loaderName: z.string().max(500).nullish(),
  loaderConfig: jsonObjectSchema.nullish(),
  splitterId: z.string().max(100).nullish(),
  splitterConfig: jsonObjectSchema.nullish(),
  metadata: jsonObjectSchema.nullish(),
};

/** Body that names a loader and its settings, to test, save or process it. */
export const loaderBodySchema = z.object({ storeId: uuidSchema, ...loaderBodyShape }).meta({
  id: "LoaderBody",
  examples: [
    {
      storeId: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
      loaderId: "plainText",
      loaderConfig: { text: "Refunds take five days." },
    },
  ],
});
export type LoaderBody = z.infer<typeof loaderBodySchema>;

export const loaderPreviewBodySchema = z
  .object({ storeId: uuidSchema.nullish(), ...loaderBodyShape, previewChunkCount: z.number().int().min(-1).nullish() })
  .meta({
    id: "LoaderPreviewBody",
    examples: [{ loaderId: "plainText", loaderConfig: { text: "Refunds take five days." }, previewChunkCount: 20 }],
  });
export type LoaderPreviewBody = z.infer<typeof loaderPreviewBodySchema>;

export const loaderPreviewSchema = z
  .object({
    chunks: z.array(documentSchema),
    totalChunks: z.number().int(),
    previewChunkCount: z.number().int(),
    failed: z.array(upsertFailureSchema),
  })
  .meta({
    id: "LoaderPreview",
    examples: [
      {
        chunks: [{ pageContent: "Refunds take five days.", metadata: {} }],
        totalChunks: 1,
        previewChunkCount: 1,
        failed: [],
      },
    ],
  });
export type LoaderPreview = z.infer<typeof loaderPreviewSchema>;

export const storedLoaderSchema = loaderSchema.meta({
  id: "StoredLoader",
  description:
    "The loader, in the same format as in the store's loaders. `sameAs` lists documents of the store's other loaders that have the same text as one of its own: `{ document, loaderId, loaderName, source }`, at most 20. `isCopy` is true if all of its documents are also in loaders added before it, so nothing is lost by deleting it",
});

/** The embedding and vector store of a document store. Absent fields stay unchanged. */
export const vectorStoreSettingsSchema = z
  .object({
    storeId: uuidSchema,
    docId: uuidSchema.nullish().meta({ description: "Limits the deletion to the chunks of this loader" }),
    embeddingName: z.string().nullish(),
    embeddingConfig: jsonObjectSchema.nullish(),
    vectorStoreName: z.string().nullish(),
    vectorStoreConfig: jsonObjectSchema.nullish(),
    recordManagerName: z.string().nullish(),
    recordManagerConfig: jsonObjectSchema.nullish(),
  })
  .meta({ id: "VectorStoreSettings", examples: [{ storeId: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f" }] });
export type VectorStoreSettings = z.infer<typeof vectorStoreSettingsSchema>;

/** An adapter of a document store and its form. */
export const documentComponentSchema = z
  .object({
    name: z.string(),
    title: z.string(),
    summary: z.string(),
    schema: jsonObjectSchema.meta({ description: "JSON Schema of the settings, with hints for a form" }),
  })
  .meta({
    id: "DocumentComponent",
    examples: [{ name: "plainText", title: "Plain text", summary: "A text.", schema: { type: "object" } }],
  });
export type DocumentComponent = z.infer<typeof documentComponentSchema>;

/** A value, or its JSON text. */
function orText<T extends z.ZodType>(schema: T) {
  return z.preprocess(parsedText, schema.nullish());
}

function isEmptyChoice(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const isEmpty = (part: unknown) => !part || (typeof part === "object" && Object.keys(part).length === 0);
  return Object.values(value).every(isEmpty);
}

function parsedText(value: unknown, context: z.RefinementCtx): unknown {
  if (typeof value !== "string") return value;
  if (value.trim() === "") return undefined;
  const parsed = parseJson(value);
  if (parsed !== undefined) return parsed;
  context.addIssue({ code: "custom", message: "must be JSON, or the text of it" });
  return z.NEVER;
}
