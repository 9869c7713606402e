import { type NewFile, toFileName, toMediaType } from "@weft/chats";
import type { DocumentReader } from "@weft/documents";
import type { HttpClient } from "@weft/engine/ports/http-client";
import type { createTranscriber } from "@weft/providers";
import { type RunUpload, type Upload, WeftError } from "@weft/schema";
import { createPause } from "@weft/workers";
import { assertAttachable, readAttached } from "../attachments/read-attached.ts";
import { readUploadPolicy, type UploadPolicy } from "../attachments/upload-policy.ts";

export type UploadDeps = {
  documents: Pick<DocumentReader, "read">;
  http: HttpClient;
  transcribe: ReturnType<typeof createTranscriber>;
};

/** An agent's settings for files. */
type UploadSettings = { chatbotConfig: string; speechToText: string };

/** One upload, read but not stored. */
export type ReadUpload = {
  shown: Omit<RunUpload, "fileId">;
  /** The file to store. */
  file?: NewFile;
  /** Of a document. */
  text?: string;
  /** Transcript of a recording. */
  spoken?: string;
};

/**
 * Reads the files sent with a question: images as they are, documents and recordings as text. Nothing is stored.
 * Rejects with a 422 that names the upload, and with a `model-*` code if the speech-to-text service fails.
 */
export async function readUploads(
  deps: UploadDeps,
  settings: UploadSettings,
  uploads: readonly Upload[],
): Promise<ReadUpload[]> {
  const signal = AbortSignal.timeout(timeoutMs);
  const context: Context = { ...deps, settings, policy: readUploadPolicy(settings.chatbotConfig), signal };
  const read = await Promise.all(
    uploads.map((upload, index) =>
      readUpload(context, upload, index).catch((error: unknown) => {
        throw locateProblem(error, index);
      }),
    ),
  );
  let characters = 0;
  for (const [index, { text = "" }] of read.entries()) {
    characters += text.length;
    if (characters > maxCharacters) throw uploadProblem(index, "data", tooMuchText);
  }
  return read;
}

const timeoutMs = 120_000;
const maxCharacters = 1_000_000;
const maxImageBytes = 10 * 1024 * 1024;
const maxAudioBytes = 25 * 1024 * 1024;
const tooMuchText = `the texts of all uploads are together longer than ${maxCharacters} characters. Send less.`;

type Context = UploadDeps & { settings: UploadSettings; policy: UploadPolicy; signal: AbortSignal };

async function readUpload(context: Context, upload: Upload, index: number): Promise<ReadUpload> {
  const name = toFileName(upload.name);
  if (upload.type === "file:full") return readFull(context, { ...upload, name });
  if (upload.type === "url") return readAddress(context, { ...upload, name }, index);
  const data = await parseDataUrl(upload.data);
  if (data === undefined || data.bytes.length === 0) {
    throw uploadProblem(index, "data", "must be a data URL in base64, such as data:image/png;base64,iVBORw0K….");
  }
  const file = { name, mimeType: toMediaType(data.mimeType), bytes: data.bytes };
  if (upload.type === "image" || file.mimeType.startsWith("image/")) return readImage(file, index);
  if (upload.type === "audio" || file.mimeType.startsWith("audio/")) return readRecording(context, file, index);
  return readDocument(context, file);
}

/** A text that was read before, as attachments answer it; or the file itself as a data URL, which is read here. */
async function readFull(context: Context, { name, mime, data }: Upload): Promise<ReadUpload> {
  const file = await parseDataUrl(data);
  if (file === undefined) {
    const mimeType = mime === "" ? "text/plain" : toMediaType(mime);
    return { shown: { kind: "document", type: "stored-file:full", name, mime: mimeType, data: "" }, text: data };
  }
  const mimeType = toMediaType(file.mimeType || mime);
  const { shown, ...read } = await readDocument(context, { name, mimeType, bytes: file.bytes });
  return { ...read, shown: { ...shown, type: "stored-file:full" } };
}

async function readAddress({ http, signal }: Context, { name, data }: Upload, index: number): Promise<ReadUpload> {
  if (!/^https?:\/\//i.test(data) || !URL.canParse(data)) {
    throw uploadProblem(index, "data", "must be an http(s) address of a picture.");
  }
  const bytes = await fetchBytes(http, data, { maxBytes: maxImageBytes, signal });
  if (typeof bytes === "string") throw uploadProblem(index, "data", bytes);
  const { shown, file } = readImage({ name, mimeType: "", bytes }, index);
  return { shown: { ...shown, type: "url", data }, ...(file && { file }) };
}

function readImage(file: NewFile, index: number): ReadUpload {
  const mime = imageTypeOf(file.bytes);
  if (mime === undefined || !["", "application/octet-stream", mime].includes(file.mimeType.replace("/jpg", "/jpeg"))) {
    throw uploadProblem(index, "data", "must be a PNG, JPEG, GIF or WebP picture, and declared as what it is.");
  }
  if (file.bytes.length > maxImageBytes) {
    throw uploadProblem(index, "data", `is larger than the ${maxImageBytes} bytes that a picture may have.`);
  }
  return {
    shown: { kind: "image", type: "stored-file", name: file.name, mime, data: "" },
    file: { ...file, mimeType: mime },
  };
}

async function readRecording(
  { transcribe, settings, signal }: Context,
  file: NewFile,
  index: number,
): Promise<ReadUpload> {
  const { name, mimeType, bytes } = file;
  if (!/^(audio\/|video\/(mp4|webm)$)/.test(mimeType)) {
    throw uploadProblem(index, "data", `must be a recording, not ${mimeType}.`);
  }
  if (bytes.length > maxAudioBytes) {
    throw uploadProblem(index, "data", `is larger than the ${maxAudioBytes} bytes that a recording may have.`);
  }
  const spoken = await transcribe(settings.speechToText, { bytes, mediaType: mimeType, fileName: name, signal });
  if (spoken === undefined) {
    throw uploadProblem(index, "type", "this agent understands no speech. Set up speech-to-text in its settings.");
  }
  return { shown: { kind: "audio", type: "stored-file", name, mime: mimeType, data: "" }, file, spoken };
}

async function readDocument(context: Context, file: NewFile): Promise<ReadUpload> {
  assertAttachable(file, { policy: context.policy, needsText: true });
  const text = await readAttached(file, context);
  const { name, mimeType } = file;
  return { shown: { kind: "document", type: "stored-file", name, mime: mimeType, data: "" }, file, text };
}

/** The media type of an image that models accept, by its first bytes; undefined for anything else. */
function imageTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(start)) return "image/gif";
  if (/^RIFF.{4}WEBP/s.test(start)) return "image/webp";
  return undefined;
}

function uploadProblem(index: number, field: "data" | "type", message: string): WeftError {
  const path = `uploads.${index}.${field}`;
  return new WeftError("validation-failed", { params: { reason: `${path}: ${message}` }, errors: [{ path, message }] });
}

/** Names the upload in an error about its content; leaves other failures unchanged. */
function locateProblem(error: unknown, index: number): unknown {
  if (!(error instanceof WeftError) || error.errors.length > 0 || error.status >= 500) return error;
  const { code, message, status } = error;
  return new WeftError(code, { message, status, errors: [{ path: `uploads.${index}.data`, message }] });
}

/** Decodes a base64 data URL; undefined for any other text. A long one is read in turns. Source: RFC 2397. */
async function parseDataUrl(text: string): Promise<{ mimeType: string; bytes: Uint8Array } | undefined> {
  const comma = text.slice(0, longestHeader).indexOf(",");
  const header = /^data:([^;,]*)(?:;[^;,]*)*;base64$/i.exec(text.slice(0, Math.max(comma, 0)));
  const bytes = header === null ? undefined : await decodeBase64(text, comma + 1);
  return bytes && { mimeType: header?.[1] ?? "", bytes };
}

/** The bytes from an offset on; undefined if that is not base64. */
async function decodeBase64(text: string, start: number): Promise<Uint8Array | undefined> {
  const padding = /={0,2}$/.exec(text.slice(-2))?.[0].length ?? 0;
  const end = Math.max(start, text.length - padding);
  if ((text.length - start) % 4 === 1) return undefined;
  const bytes = Buffer.allocUnsafeSlow(Math.floor(((end - start) * 3) / 4));
  const pause = createPause();
  let length = 0;
  for (let at = start; at < end; at += pieceCharacters) {
    const piece = text.slice(at, Math.min(end, at + pieceCharacters));
    if (!/^[A-Za-z0-9+/_-]*$/.test(piece)) return undefined;
    length += bytes.write(piece, length, "base64");
    await pause();
  }
  return bytes.subarray(0, length);
}

/** A multiple of four, so that every piece is whole bytes. */
const pieceCharacters = 262_144;

const longestHeader = 500;

export function toDataUrl({ mimeType, bytes }: { mimeType: string; bytes: Uint8Array }): string {
  const { buffer, byteOffset, byteLength } = bytes;
  return `data:${mimeType};base64,${Buffer.from(buffer, byteOffset, byteLength).toString("base64")}`;
}

/**
 * The bytes at an address that a client named. They go to the model and never back to the client, and only an address
 * that the egress client permits is called. A string explains why there are none.
 */
async function fetchBytes(
  http: HttpClient,
  url: string,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<Uint8Array | string> {
  try {
    const { status, body } = await http.request({
      method: "GET",
      url,
      maxBytes,
      timeoutMs: addressTimeoutMs,
      maxRedirects: 3,
      signal,
    });
    return status === 200 ? body : `its address answered with the status ${status}.`;
  } catch (error) {
    if (error instanceof WeftError) return error.message;
    throw error;
  }
}

const addressTimeoutMs = 15_000;
