import { defineRoute, type Route } from "@weft/http";
import { reachOf } from "@weft/http/reach";
import { uuidSchema } from "@weft/schema";
import { z } from "zod";
import type { FileService } from "./file.service.ts";

/** `GET /get-upload-file` (contract, "Stream": also served). */
export function fileRoutes(files: FileService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/get-upload-file",
      operationId: "getUploadFile",
      summary: "Download a file of a chat",
      description:
        "Images, audio and video are served for display in a browser; everything else is served as a download.",
      tag: "Attachments",
      permission: { permission: "messages:read", agentOf: ({ query }) => firstOf(query.chatflowId), counts: "read" },
      query: z.object({
        chatflowId: uuidSchema,
        chatId: z.string().min(1).max(200),
        fileName: z.string().min(1).max(200).meta({ description: "File name, as given in the chat message" }),
        download: z
          .enum(["true", "false"])
          .default("false")
          .meta({ description: "Always serve the file as a download" }),
      }),
      returns: { schema: z.string().meta({ format: "binary" }), contentType: "*/*" },
      errors: [400, 404],
      async handle({ query: { chatflowId, chatId, fileName, download }, identity }) {
        const file = await files.find({ agentId: chatflowId, chatId, reach: reachOf(identity) }, fileName);
        return toFileResponse(file, { isDownload: download === "true" });
      },
    }),
  ];
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

type FoundFile = Awaited<ReturnType<FileService["find"]>>;

/**
 * A stored file as an answer. Only what a browser cannot run is shown by it; the rest, and whatever it should turn out
 * to be, is saved or shown in a sandbox without scripts.
 */
function toFileResponse({ name, mime, bytes }: FoundFile, { isDownload }: { isDownload: boolean }): Response {
  const disposition = !isDownload && shown.has(mime) ? "inline" : "attachment";
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      "Content-Type": mime,
      "Content-Length": String(bytes.length),
      "Content-Disposition": `${disposition}; ${toFileNameParameters(name)}`,
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; sandbox",
    },
  });
}

/** What a browser shows without running anything in it. */
const shown = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "audio/mpeg",
  "audio/mp4",
  "audio/ogg",
  "audio/wav",
  "audio/webm",
  "video/mp4",
  "video/ogg",
  "video/webm",
]);

/** The name for old clients and for new ones. Source: RFC 6266, section 4.3, RFC 8187. */
function toFileNameParameters(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const extended = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${ascii}"; filename*=UTF-8''${extended}`;
}
