import assert from "node:assert/strict";
import { after } from "node:test";
import { WeftError } from "@weft/schema";
import { createDocumentReader, type DocumentContent, type DocumentLimits } from "../index.ts";

export type TestReader = {
  read(name: string, file: string | Uint8Array, mimeType?: string): Promise<DocumentContent>;
  /** The text of a document's only section. */
  text(name: string, file: string | Uint8Array): Promise<string>;
  /** The file is refused, and the message says why. */
  refuses(name: string, file: string | Uint8Array, reason: RegExp): Promise<void>;
};

/** A reader of the running test file, closed at its end. */
export function openTestReader(limits: Partial<DocumentLimits> = {}): TestReader {
  const reader = createDocumentReader(limits);
  after(() => reader.close());
  const read: TestReader["read"] = (name, file, mimeType) =>
    reader.read(
      { name, bytes: typeof file === "string" ? new TextEncoder().encode(file) : file, ...(mimeType && { mimeType }) },
      { signal: new AbortController().signal },
    );
  return {
    read,
    async text(name, file) {
      const { sections } = await read(name, file);
      assert.equal(sections.length, 1);
      return sections[0]?.text ?? "";
    },
    async refuses(name, file, reason) {
      await assert.rejects(read(name, file), (error) => {
        assert.ok(error instanceof WeftError, String(error));
        assert.match(error.message, reason);
        return error.status === 422;
      });
    },
  };
}
