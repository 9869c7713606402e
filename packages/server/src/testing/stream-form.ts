import { randomUUID } from "node:crypto";
import { ReadableStream as NodeStream } from "node:stream/web";

/** A file of a form. What is large is made while it is sent. */
export type StreamedFile = { name: string; bytes: Iterable<Uint8Array> };

export type FormStream = { headers: Record<string, string>; body: ReadableStream<Uint8Array>; duplex: "half" };

/** A multipart/form-data body (RFC 7578) of files in the field `files`, for `fetch`, never whole in memory. */
export function streamForm(files: readonly StreamedFile[]): FormStream {
  const boundary = randomUUID();
  return {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: NodeStream.from(piecesOf(files, boundary)) as ReadableStream<Uint8Array>,
    duplex: "half",
  };
}

function* piecesOf(files: readonly StreamedFile[], boundary: string): Generator<Uint8Array> {
  for (const { name, bytes } of files) {
    yield Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    );
    yield* bytes;
    yield Buffer.from("\r\n");
  }
  yield Buffer.from(`--${boundary}--\r\n`);
}

/** The same line of text again and again, that many bytes, 64 KiB at a time. */
export function* longText(sizeBytes: number): Generator<Uint8Array> {
  const piece = Buffer.alloc(65_536, "All work and no play makes a long text.\n");
  for (let left = sizeBytes; left > 0; left -= piece.length) yield piece.subarray(0, Math.min(left, piece.length));
}
