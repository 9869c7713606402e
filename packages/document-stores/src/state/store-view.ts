import type { DocumentFileRow, DocumentLoaderRow, DocumentStoreRow } from "@weft/database";
import type { DocumentStore, JsonObject } from "@weft/schema";
import { fileIds } from "../files/uploads.ts";
import { storeStatus } from "./loader-status.ts";

/** Everything that a store shows. */
export type StoreParts = {
  loaders: readonly DocumentLoaderRow[];
  files: readonly DocumentFileRow[];
  whereUsed: readonly string[];
};

/** In lists a longer value of a loader's configuration is cut: the loader itself has all of it. */
const maxListedCharacters = 500;

/** A store as the API shows it: what it holds as JSON text. */
export function toDocumentStore(row: DocumentStoreRow, { loaders, files, whereUsed }: StoreParts): DocumentStore {
  return {
    ...row,
    loaders: JSON.stringify(loaders.map((loader) => toShortLoaderView(loader, files))),
    whereUsed: JSON.stringify(whereUsed),
    status: storeStatus(loaders),
    totalChunks: sum(loaders.map(({ totalChunks }) => totalChunks)),
    totalChars: sum(loaders.map(({ totalChars }) => totalChars)),
  };
}

/** A loader under the names that existing clients know. */
export function toLoaderView(row: DocumentLoaderRow, files: readonly DocumentFileRow[]): JsonObject {
  const loaderConfig = JSON.parse(row.loaderConfig) as JsonObject;
  const ids = new Set(fileIds(loaderConfig));
  return {
    id: row.id,
    storeId: row.storeId,
    loaderId: row.loader,
    loaderName: row.loaderName,
    loaderConfig,
    splitterId: row.splitter,
    splitterName: row.splitter,
    splitterConfig: JSON.parse(row.splitterConfig) as JsonObject,
    metadata: JSON.parse(row.metadata) as JsonObject,
    source: row.source,
    status: row.status,
    error: row.error,
    totalChunks: row.totalChunks,
    totalChars: row.totalChars,
    files: files
      .filter(({ id }) => ids.has(id))
      .map(({ id, name, mime, sizeBytes, createdDate }) => ({
        id,
        name,
        mimePrefix: mime,
        size: sizeBytes,
        uploaded: createdDate,
      })),
    createdDate: row.createdDate,
    updatedDate: row.updatedDate,
  };
}

/** A loader as lists and pages of chunks show it. */
export function toShortLoaderView(row: DocumentLoaderRow, files: readonly DocumentFileRow[]): JsonObject {
  return cutValues(toLoaderView(row, files));
}

function cutValues(loader: JsonObject): JsonObject {
  const config = loader.loaderConfig as JsonObject;
  const cut = Object.entries(config).map(([key, value]) => [key, cutValue(value)]);
  return { ...loader, loaderConfig: Object.fromEntries(cut) };
}

/** A value of a loader's configuration as lists show it. */
export function cutValue<T>(value: T): T | string {
  const isLong = typeof value === "string" && value.length > maxListedCharacters;
  return isLong ? `${value.slice(0, maxListedCharacters)}…` : value;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
