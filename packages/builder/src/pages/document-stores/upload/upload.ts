import { documentStoresStrings } from "../../../strings.ts";

/** A selected file with its path in its folder, or just its name if it was selected alone. */
export type Upload = { readonly file: File; readonly path: string };

/** Most files that the server takes in one form. */
export const maxUploads = 1_000;

/**
 * The names under which files are stored. The server has no folders, so files with the same name are stored under their
 * full paths.
 */
export function uploadNames(paths: readonly string[]): string[] {
  const names = paths.map((path) => path.split("/").at(-1) ?? path);
  return names.map((name, index) => {
    const isAlone = names.filter((other) => other === name).length === 1;
    return isAlone ? name : (paths[index] ?? name).replaceAll("/", " – ");
  });
}

/** A common name for files: their folder if they came in one, else the first file and the number of others. */
export function uploadTitle(paths: readonly string[]): string {
  const folders = new Set(paths.map((path) => (path.includes("/") ? path.split("/")[0] : undefined)));
  const [folder] = folders;
  if (folders.size === 1 && folder !== undefined) return folder;
  return documentStoresStrings.upload.title({ more: paths.length - 1, first: paths[0]?.split("/").at(-1) ?? "" });
}

/** Merges both lists without duplicates. Of two files with the same path the newer one wins. */
export function addUploads(before: readonly Upload[], added: readonly Upload[]): Upload[] {
  const byPath = new Map([...before, ...added].map((upload) => [upload.path, upload]));
  return [...byPath.values()].slice(0, maxUploads);
}

/** As many of the first as have no more bytes together; one at least. */
export function firstUploads(uploads: readonly Upload[], maxBytes: number): Upload[] {
  let bytes = 0;
  const end = uploads.findIndex(({ file }, index) => {
    bytes += file.size;
    return index > 0 && bytes > maxBytes;
  });
  return end === -1 ? [...uploads] : uploads.slice(0, end);
}

/** Files as the settings of a loader hold them while they are not stored: data addresses with a name. */
export function toDataUrls(uploads: readonly Upload[]): Promise<string[]> {
  const names = uploadNames(uploads.map(({ path }) => path));
  return Promise.all(uploads.map(({ file }, index) => toDataUrl(file, names[index] ?? file.name)));
}

function toDataUrl(file: File, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const content = String(reader.result).split(",", 2)[1] ?? "";
      resolve(`data:${file.type || "application/octet-stream"};base64,${content},filename:${name}`);
    };
    reader.onerror = () => reject(reader.error ?? new Error(file.name));
    reader.readAsDataURL(file);
  });
}
