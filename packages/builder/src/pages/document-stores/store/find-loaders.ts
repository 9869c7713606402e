import type { LoaderView } from "../../../api/document-stores.ts";

/** What a list of loaders is narrowed to. `words`: each must be part of a name. `copies`: whatever their status is. */
export type LoaderFilter = { words: string; status: LoaderView["status"] | "copies" | null };

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
    .filter((loader) => status === null || (status === "copies" ? loader.isCopy : loader.status === status))
    .flatMap((loader) => {
      const { name, source, files, error } = loader;
      const hasSeveral = sought.length > 0 && files.length > 1;
      const fileNames = hasSeveral ? files.map((file) => file.name).filter(hasAll) : [];
      return fileNames.length > 0 || hasAll(`${name}\n${source}\n${error}`) ? [{ loader, fileNames }] : [];
    });
}

/** A document of a loader, and what people call the earlier one that says the same. */
export type EarlierText = { document: string; loaderId: string; name: string };

/** What of a loader earlier loaders of the same list say, too: each document with the first of them. */
export function earlierTexts(loaders: readonly LoaderView[]): (loader: LoaderView) => EarlierText[] {
  const places = new Map(loaders.map((loader, place) => [loader.id, { loader, place }]));
  return ({ id, sameAs }) => {
    const own = places.get(id)?.place ?? 0;
    const found = new Map<string, EarlierText>();
    for (const { document, loaderId, source } of sameAs) {
      const other = places.get(loaderId);
      if (other === undefined || other.place >= own || found.has(document)) continue;
      // The document of a typed text is not called after it.
      const name = other.loader.type === "plain-text" ? other.loader.name : source;
      found.set(document, { document, loaderId, name });
    }
    return [...found.values()];
  };
}
