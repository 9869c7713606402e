import type { JsonObject, Share } from "@weft/schema";
import type { HttpClient } from "./http-client.ts";

/** The text of a file of any known format. Rejects with `document-unsupported` or `document-unreadable`. */
export type FileTextReader = {
  read(
    file: { name: string; mimeType?: string; bytes: Uint8Array },
    /**
     * `takesBytes`: they are needed by nobody else, and their view may be empty afterwards. `share`: in whose name.
     */
    options: { signal: AbortSignal; takesBytes?: boolean; share?: Share },
  ): Promise<{
    /** As in `pdf`, `csv`, `json`: what the content was found to be. */
    format: string;
    sections: { text: string; metadata: JsonObject }[];
    metadata: JsonObject;
  }>;
};

/** A file that was uploaded. */
export type StoredFile = {
  name: string;
  mediaType: string;
  /** The caller's own, each time. Rejects with `document-unreadable` where they are not there. */
  bytes(): Promise<Uint8Array>;
};

/** Everything outside that a loader may use. */
export type LoaderServices = {
  http: HttpClient;
  /** A stored file by its id. */
  readFile(id: string): Promise<StoredFile | undefined>;
  documents: FileTextReader;
  /** Fields of a stored credential, decrypted. Rejects when it does not exist. */
  readCredential(id: string): Promise<Record<string, string>>;
};

/** A text that was loaded, or a source that could not be. One failure does not keep the others from being loaded. */
export type LoadedPart =
  | {
      type: "document";
      /** Where it is from: a file's name, an address. The same for the same source, every time. */
      source: string;
      text: string;
      metadata: JsonObject;
    }
  | { type: "failure"; source: string; code: string; message: string };
