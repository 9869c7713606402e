import { Busboy, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import { type UploadedFile, WeftError } from "@weft/schema";
import { assertUncompressed, readBodyBytes, unsupportedMediaType } from "./read-body-bytes.ts";

/** Text fields, a repeated one as an array, and the files of all file fields in order. */
export type MultipartForm = Record<string, unknown> & { files: UploadedFile[] };

export type MultipartLimits = { maxBytes: number; maxFiles: number };

const maxFields = 200;

export function isMultipart(headers: Headers): boolean {
  return /^\s*multipart\/form-data\s*(;|$)/i.test(headers.get("content-type") ?? "");
}

/**
 * Reads a form (RFC 7578). Throws `media-type-unsupported`, `body-too-large`, and `body-unparsable` for a form that is
 * malformed, cut off, or has more files or fields than it may.
 */
export async function readMultipartBody(request: Request, limits: MultipartLimits): Promise<MultipartForm> {
  if (!isMultipart(request.headers)) {
    throw unsupportedMediaType("multipart/form-data", request.headers.get("content-type") ?? "a body without a type");
  }
  assertUncompressed(request.headers);
  const bytes = await readBodyBytes(request, limits.maxBytes);
  return parseForm(createParser(request.headers, limits), bytes, limits);
}

function createParser(headers: Headers, { maxBytes, maxFiles }: MultipartLimits): BusboyInstance {
  const parserHeaders: BusboyHeaders = { "content-type": headers.get("content-type") ?? "" };
  const limits = { files: maxFiles, fields: maxFields, fieldSize: maxBytes };
  try {
    return new Busboy({ headers: parserHeaders, limits: { ...limits, headerPairs: 100 } });
  } catch (cause) {
    throw malformed("its Content-Type names no boundary", cause);
  }
}

function parseForm(parser: BusboyInstance, bytes: Uint8Array, { maxFiles }: MultipartLimits): Promise<MultipartForm> {
  const fields: Record<string, unknown> = Object.create(null);
  const files: UploadedFile[] = [];
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => (cause?: unknown) => reject(malformed(reason, cause));
    parser.on("field", (name, value) => {
      const earlier = fields[name];
      fields[name] = earlier === undefined ? value : Array.isArray(earlier) ? [...earlier, value] : [earlier, value];
    });
    parser.on("file", (...[fieldName, stream, name, , mimeType]) => {
      const chunks: Uint8Array[] = [];
      const place = files.length;
      files[place] = { fieldName, name: name ?? "", mimeType, bytes: new Uint8Array() };
      stream.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      stream.on("error", fail("it ended early"));
      stream.on("end", () => {
        files[place] = { fieldName, name: name ?? "", mimeType, bytes: Buffer.concat(chunks) };
      });
    });
    parser.on("filesLimit", fail(`it has more than ${maxFiles} files`));
    parser.on("fieldsLimit", fail(`it has more than ${maxFields} fields`));
    parser.on("error", fail("it is malformed or ended early"));
    parser.on("finish", () => resolve(Object.assign(fields, { files })));
    parser.end(bytes);
  });
}

function malformed(reason: string, cause?: unknown): WeftError {
  return new WeftError("form-unparsable", { params: { reason }, cause });
}
