import type { JsonObject, Share } from "@weft/schema";
import type { HttpClient } from "./http-client.ts";

/** Extracts the text of a file of any known format. Rejects with `document-unsupported` or `document-unreadable`. */
export type FileTextReader = {
  read(
    file: { name: string; mimeType?: string } & ({ bytes: Uint8Array } | Pick<StoredFile, "sizeBytes" | "parts">),
    /** `share`: on whose behalf. */
    options: { signal: AbortSignal; share?: Share },
  ): Promise<{
    /** Format detected from the content, such as `pdf`, `csv` or `json`. */
    format: string;
    sections: { text: string; metadata: JsonObject }[];
    metadata: JsonObject;
  }>;
};

export type StoredFile = {
  name: string;
  mediaType: string;
  /** Of all parts. */
  sizeBytes: number;
  /**
   * The bytes in order, read on demand. Each part belongs to the consumer. Rejects with
   * `document-unreadable` if bytes are missing.
   */
  parts(): AsyncIterable<Uint8Array>;
};

export type LoaderServices = {
  http: HttpClient;
  readFile(id: string): Promise<StoredFile | undefined>;
  documents: FileTextReader;
  /** Fields of a stored credential, decrypted. Rejects when it does not exist. */
  readCredential(id: string): Promise<Record<string, string>>;
};

/** A loaded text, or a source that failed to load. One failure does not stop the others. */
export type LoadedPart =
  | {
      type: "document";
      /** Origin: a file's name, an address. Stable for the same source. */
      source: string;
      text: string;
      metadata: JsonObject;
    }
  | { type: "failure"; source: string; code: string; message: string };
