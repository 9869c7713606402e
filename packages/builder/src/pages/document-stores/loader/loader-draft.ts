import type { DocumentComponent, LoaderBody, LoaderPreview } from "@weft/client";
import type { JsonObject } from "@weft/schema";
import { client } from "../../../api/client.ts";
import type { Choice, LoaderView, StoredFile } from "../../../api/document-stores.ts";
import { fieldProblems } from "../../../forms/fields/field-problems.ts";
import { toForm } from "../../../forms/fields/to-field.ts";
import { firstUploads, toDataUrls, type Upload, uploadTitle } from "../upload/upload.ts";
import { appendUploads } from "../upsert-actions.ts";

export type LoaderDraft = {
  /** Its kind, as the catalogue names it. */
  type: string;
  /** Empty: named after its source. */
  name: string;
  config: JsonObject;
  splitter: Choice;
  /** Files that are stored and stay. */
  kept: readonly StoredFile[];
  added: readonly Upload[];
};

const standardSplitter = "recursive-character";

export function newLoaderDraft(type: string): LoaderDraft {
  return { type, name: "", config: {}, splitter: { name: standardSplitter, config: {} }, kept: [], added: [] };
}

export function toLoaderDraft({ type, name, config, splitter, files }: LoaderView): LoaderDraft {
  return { type, name, config, splitter, kept: files, added: [] };
}

/** Whether all required fields of the loader and the splitter are set. */
export function isComplete(draft: LoaderDraft, loader: DocumentComponent, splitter: DocumentComponent): boolean {
  const { schema, uploadName } = toLoaderForm(loader.schema);
  const hasSource = uploadName === undefined || draft.kept.length + draft.added.length > 0;
  const problems = [
    ...fieldProblems(toForm(schema), withoutFiles(draft.config, uploadName)),
    ...fieldProblems(toForm(splitter.schema), draft.splitter.config),
  ];
  return hasSource && problems.length === 0;
}

/** The settings of the loader, with files under their ids or as data addresses. */
export function toLoaderConfig(
  { config, kept }: LoaderDraft,
  uploadName: string | undefined,
  added: readonly string[],
): JsonObject {
  if (uploadName === undefined) return config;
  return { ...config, [uploadName]: [...kept.map(({ id }) => id), ...added] };
}

export function withoutFiles(config: JsonObject, uploadName: string | undefined): JsonObject {
  if (uploadName === undefined) return config;
  const { [uploadName]: _, ...rest } = config;
  return rest;
}

/** The display name of a loader: its name, or else its new files. Empty: the server's name for its type. */
export function loaderName({ name, kept, added }: LoaderDraft): string {
  if (name.trim() !== "" || added.length === 0 || kept.length > 0) return name.trim();
  return uploadTitle(added.map(({ path }) => path));
}

/** Two drafts are equal where this is; files count by what tells them apart. */
export function draftKey({ added, kept, ...draft }: LoaderDraft): string {
  const files = added.map(({ path, file }) => [path, file.size, file.lastModified]);
  return JSON.stringify([draft, kept.map(({ id }) => id), files]);
}

type Property = { type?: string; widget?: string; title?: string; help?: string };
type FormSchema = { properties?: Record<string, Property>; required?: string[] };

/** A loader's form without its files, which are uploaded rather than typed in. */
export type LoaderForm = {
  /** Property of the settings that names the files; undefined: it takes none. */
  uploadName: string | undefined;
  schema: JsonObject;
};

/** Takes the list of files out of a loader's schema, wherever the schema says that there is one. */
export function toLoaderForm(schema: JsonObject): LoaderForm {
  const { properties = {}, required = [] } = schema as FormSchema;
  const uploadName = Object.entries(properties).find(
    ([, { type, widget }]) => type === "array" && widget === "file",
  )?.[0];
  if (uploadName === undefined) return { uploadName, schema };
  const { [uploadName]: _, ...rest } = properties;
  return {
    uploadName,
    schema: { ...schema, properties: rest, required: required.filter((name) => name !== uploadName) },
  };
}

/** A draft, the loader that it changes where it is stored, and the property of its settings that names its files. */
export type LoaderToSend = {
  storeId: string;
  loaderId: string | undefined;
  draft: LoaderDraft;
  uploadName: string | undefined;
};

/** Bytes of new files that a preview sends at most. */
const previewBytes = 8_000_000;
const previewChunks = 50;

export type Preview = LoaderPreview & {
  /** How many of the new files were tried; undefined: all. */
  triedFiles: number | undefined;
};

/** A preview of what a loader loads and how it is split. */
export async function previewDraft(loader: LoaderToSend, signal: AbortSignal): Promise<Preview> {
  const { added } = loader.draft;
  const tried = firstUploads(added, previewBytes);
  const body = { ...(await toBody(loader, tried)), previewChunkCount: previewChunks };
  const preview = await client.previewLoader(body, { signal });
  return { ...preview, triedFiles: tried.length === added.length ? undefined : tried.length };
}

/** Keeps a loader without loading anything. */
export async function saveDraft(loader: LoaderToSend): Promise<undefined> {
  await client.saveLoader(await toBody(loader, loader.draft.added));
}

/**
 * Saves a loader and starts its upsert; resolves with the id of the upsert. Documents that it no longer loads are
 * removed.
 */
export async function upsertDraft({ storeId, loaderId, draft, uploadName }: LoaderToSend): Promise<string> {
  const form = new FormData();
  if (loaderId !== undefined) {
    form.append("docId", loaderId);
    form.append("replaceExisting", "true");
    form.append("deleteEmbeddings", "true");
  }
  const config = toLoaderConfig(draft, uploadName, []);
  form.append("loader", JSON.stringify({ name: draft.type, config }));
  form.append("splitter", JSON.stringify(draft.splitter));
  const name = loaderName(draft);
  if (name !== "") form.append("loaderName", name);
  return (await client.beginUpsert({ id: storeId }, appendUploads(form, draft.added))).id;
}

async function toBody(loader: LoaderToSend, added: readonly Upload[]): Promise<LoaderBody> {
  const { storeId, loaderId, draft, uploadName } = loader;
  const name = loaderName(draft);
  return {
    storeId,
    ...(loaderId !== undefined && { id: loaderId }),
    loaderId: draft.type,
    ...(name !== "" && { loaderName: name }),
    loaderConfig: toLoaderConfig(draft, uploadName, await toDataUrls(added)),
    splitterId: draft.splitter.name,
    splitterConfig: draft.splitter.config,
  };
}
