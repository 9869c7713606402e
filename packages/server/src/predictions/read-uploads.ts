import type { DocumentReader } from "@weft/documents";
import type { HttpClient } from "@weft/engine";
import type { RunUpload, Upload } from "@weft/schema";
import { assertAttachable, readAttached } from "../attachments/read-attached.ts";
import { readUploadPolicy, type UploadPolicy } from "../attachments/upload-policy.ts";
import type { NewFile } from "../files/file.service.ts";
import { toFileName, toMediaType } from "../files/file-name.ts";
import { parseDataUrl } from "./data-url.ts";
import { fetchBytes } from "./fetch-bytes.ts";
import { imageTypeOf } from "./image-type.ts";
import type { Transcribe } from "./transcriber.ts";
import { locateProblem, uploadProblem } from "./upload-problem.ts";

export type UploadDeps = { documents: Pick<DocumentReader, "read">; http: HttpClient; transcribe: Transcribe };

/** What the agent's settings say about files. */
export type UploadSettings = { chatbotConfig: string; speechToText: string };

/** One upload, read but not stored. */
export type ReadUpload = {
  shown: Omit<RunUpload, "fileId">;
  /** What is to be stored. */
  file?: NewFile;
  /** Of a document. */
  text?: string;
  /** Of a recording. */
  spoken?: string;
};

/**
 * Reads the files that come with a question: pictures as they are, documents and recordings as text. Nothing is stored.
 * Rejects with a 422 that names the upload, and with a `model-*` code when the speech-to-text service fails.
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
