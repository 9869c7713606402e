import type { LoaderBody, LoaderPreview } from "@weft/client";
import { client } from "../../../api/client.ts";
import { appendUploads } from "../store/upsert-actions.ts";
import { firstUploads, toDataUrls, type Upload } from "../upload/upload.ts";
import { type LoaderDraft, loaderName, toLoaderConfig } from "./loader-draft.ts";

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
