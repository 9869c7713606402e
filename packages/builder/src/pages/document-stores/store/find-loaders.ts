import type { LoaderView } from "../../../api/document-stores.ts";

/** What a list of loaders is narrowed to. `words`: each must be part of a name. */
export type LoaderFilter = { words: string; status: LoaderView["status"] | null };

/** A loader, and its files with all of the words where it has several. */
export type FoundLoader = { loader: LoaderView; fileNames: readonly string[] };

/** Loaders of the status whose name, source or a file's name contains all words, in their order. */
export function findLoaders(loaders: readonly LoaderView[], { words, status }: LoaderFilter): FoundLoader[] {
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
  const hasAll = (text: string) => {
    const lower = text.toLowerCase();
    return sought.every((word) => lower.includes(word));
  };
  return loaders
    .filter((loader) => status === null || loader.status === status)
    .flatMap((loader) => {
      const { name, source, files, error } = loader;
      const hasSeveral = sought.length > 0 && files.length > 1;
      const fileNames = hasSeveral ? files.map((file) => file.name).filter(hasAll) : [];
      return fileNames.length > 0 || hasAll(`${name}\n${source}\n${error}`) ? [{ loader, fileNames }] : [];
    });
}
