import { defineRoute, type Route, toFileResponse } from "@weft/http";
import { readingReachOf } from "@weft/http/identity";
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
        const file = await files.find({ agentId: chatflowId, chatId, reach: readingReachOf(identity) }, fileName);
        return toFileResponse(file, { isDownload: download === "true" });
      },
    }),
  ];
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
