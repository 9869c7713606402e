import { type DocumentReader, inNameOf } from "@weft/documents";
import type { HttpClient, IdSource, NodeRegistry } from "@weft/engine";
import { assertUnguessable } from "@weft/http";
import { type BeginRun, shareOf } from "@weft/run-host";
import {
  type PredictionRequest,
  type RunInput,
  type RunUpload,
  readWritePolicy,
  type Upload,
  WeftError,
  wrapDocument,
} from "@weft/schema";
import { assertAttachable, readAttached } from "../attachments/read-attached.ts";
import { readUploadPolicy, type UploadPolicy } from "../attachments/upload-policy.ts";
import type { ChatMessageService } from "../chat-messages/index.ts";
import { type FilePlace, type FileService, type NewFile, toFileName, toMediaType } from "../files/index.ts";
import { type AdmitDeps, admit, type Caller } from "./admit.ts";
import { type Ask, assertTakesMessages } from "./ask.ts";
import { fetchBytes, parseDataUrl } from "./data-url.ts";
import { resolveInput } from "./resolve-input.ts";
import type { Transcribe } from "./transcriber.ts";

export type PrepareRunDeps = AdmitDeps &
  UploadDeps & {
    files: Pick<FileService, "store">;
    messages: Pick<ChatMessageService, "firstOwner">;
    ids: IdSource;
    registry: NodeRegistry;
  };

/** A run that may begin. */
export type PreparedRun = Omit<BeginRun, "live">;

/** Reads everything that a message's run needs, and stores its files. Rejects where the message is refused. */
export async function prepareRun(deps: PrepareRunDeps, ask: Ask): Promise<PreparedRun> {
  const { agentId, request, caller, chatType, newId, trigger } = ask;
  const { ids, registry } = deps;
  const { agent, versionId, flow: saved, flowData, warnings: ofAgent = [] } = await admit(deps, agentId, caller);
  if (!trigger && chatType === "EXTERNAL") assertTakesMessages(saved, agent.id);
  const share = shareOf({ agentId: agent.id, owner: caller.owner, network: caller.network });
  const documents = inNameOf(share, deps.documents);
  const uploads = await readUploads({ ...deps, documents }, agent, request.uploads ?? []);
  const { input, sessionId, flow, warnings } = resolveInput(
    withSpoken(request, uploads),
    { flow: saved, flowData, apiConfig: agent.apiConfig },
    { registry, caller },
  );
  if (caller.isAnonymous) assertUnguessable("overrideConfig.sessionId", sessionId);
  const known = sessionId ?? request.chatId;
  const chatId = request.chatId ?? ids.uuid();
  const owner = known === undefined ? caller.owner : await ownerOfChat(deps.messages, caller, [agent.id, known]);
  const runId = newId ?? ids.uuid();
  const isVisitor = caller.isAnonymous === true;
  const attached = await attachUploads(deps.files, { agentId: agent.id, chatId, owner }, { uploads, isVisitor });
  const begin = {
    type: "run-started",
    agentId: agent.id,
    agentType: agent.type,
    flowVersionId: versionId,
    chatId,
    sessionId: sessionId ?? chatId,
    chatType,
    owner: caller.owner,
    ...(owner === caller.owner ? {} : { chatOwner: owner }),
    userMessageId: ids.uuid(),
    apiMessageId: ids.uuid(),
    input: {
      ...input,
      ...attached,
      ...(trigger?.webhook && { webhook: trigger.webhook }),
      ...(caller.isAnonymous && { visitorWrites: readWritePolicy(agent.apiConfig) }),
    },
    depth: 0,
  } as const;
  return { runId, begin, share, flow, warnings: [...ofAgent, ...warnings, ...(trigger?.warnings ?? [])] };
}

/** Whose session a message goes on with: the caller's own, or one of another owner that is open to it. */
async function ownerOfChat(
  messages: Pick<ChatMessageService, "firstOwner">,
  { owner, adopts }: Caller,
  [agentId, sessionId]: readonly [string, string],
): Promise<string> {
  if (adopts.length === 0) return owner;
  return (await messages.firstOwner({ agentId, sessionId }, [owner, ...adopts])) ?? owner;
}

/** The request with what was said in its recordings as its question. */
function withSpoken(request: PredictionRequest, uploads: readonly ReadUpload[]): PredictionRequest {
  const spoken = uploads.flatMap((upload) => upload.spoken ?? []);
  return spoken.length === 0 ? request : { ...request, question: spoken.join("\n") };
}

/** Stores the files in the chat; what the run's input says of them. Rejects with `not-found` when the agent is gone. */
async function attachUploads(
  files: Pick<FileService, "store">,
  place: FilePlace,
  { uploads, isVisitor }: { uploads: readonly ReadUpload[]; isVisitor: boolean },
): Promise<Pick<RunInput, "uploads" | "fileAttachment">> {
  if (uploads.length === 0) return {};
  const stored = await files.store(
    place,
    uploads.flatMap(({ file }) => file ?? []),
    { isVisitor },
  );
  const shown = uploads.map(({ shown, file, text }): RunUpload => {
    if (file !== undefined) return { ...shown, sizeBytes: file.bytes.length, ...idOf(stored.shift()) };
    return text === undefined ? shown : { ...shown, sizeBytes: Buffer.byteLength(text) };
  });
  const texts = uploads.flatMap(({ shown, text }) =>
    text === undefined ? [] : wrapDocument({ name: shown.name, text }),
  );
  return { uploads: shown, ...(texts.length > 0 && { fileAttachment: texts.join("\n\n") }) };
}

function idOf(stored: { id: string } | undefined): Pick<RunUpload, "fileId"> {
  return stored === undefined ? {} : { fileId: stored.id };
}

type UploadDeps = { documents: Pick<DocumentReader, "read">; http: HttpClient; transcribe: Transcribe };

/** What the agent's settings say about files. */
type UploadSettings = { chatbotConfig: string; speechToText: string };

/** One upload, read but not stored. */
type ReadUpload = {
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
async function readUploads(
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

/** The media type of a picture that models can see, by its first bytes; undefined for anything else. */
function imageTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(start)) return "image/gif";
  if (/^RIFF.{4}WEBP/s.test(start)) return "image/webp";
  return undefined;
}

/** What is wrong with one upload of a request. */
function uploadProblem(index: number, field: "data" | "type", message: string): WeftError {
  const path = `uploads.${index}.${field}`;
  return new WeftError("validation-failed", { params: { reason: `${path}: ${message}` }, errors: [{ path, message }] });
}

/** Names the upload in a refusal of its content; any other failure is left as it is. */
function locateProblem(error: unknown, index: number): unknown {
  if (!(error instanceof WeftError) || error.errors.length > 0 || error.status >= 500) return error;
  const { code, message, status } = error;
  return new WeftError(code, { message, status, errors: [{ path: `uploads.${index}.data`, message }] });
}
