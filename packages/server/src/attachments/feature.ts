import { defineRoute, type Route } from "@weft/http";
import { ownerOf, reachOf } from "@weft/http/identity";
import { askerOf, shareOf } from "@weft/run-host";
import { attachmentResultSchema, uploadedFileSchema, uuidSchema } from "@weft/schema";
import { z } from "zod";
import { defineFeature } from "../feature.ts";
import { type AttachmentService, createAttachmentService } from "./attachment.service.ts";

export const attachments = defineFeature({
  name: "attachments",
  needs: ["chats", "documents", "runnables"],
  service: createAttachmentService,
  routes: attachmentRoutes,
});

/** A boolean in a form. Source: contract "Resources". */
const formFlagSchema = z
  .string()
  .regex(/^(true|false|1|0)$/i, "must be true or false")
  .meta({ default: false })
  .transform((text) => /^(true|1)$/i.test(text));

const attachmentFormSchema = z
  .object({
    files: z
      .array(uploadedFileSchema)
      .transform((files) => files.filter(({ fieldName }) => fieldName === "files"))
      .refine((files) => files.length > 0, "needs at least one file"),
    base64: formFlagSchema.optional(),
  })
  .meta({ id: "AttachmentForm" });

/** The operation of the reference, "Attachments". */
function attachmentRoutes(attachments: AttachmentService): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/v1/attachments/{chatflowId}/{chatId}",
      operationId: "createAttachments",
      summary: "Store files in a chat and return their text",
      description:
        "Supports text, Markdown, HTML, CSV, JSON, XML, YAML, PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, RTF, EPUB, EML, SRT, WebVTT and Jupyter notebooks. Send the text with a question as uploads of type `file:full`. With base64, files of any type are accepted and returned unchanged.",
      tag: "Attachments",
      permission: { permission: "attachments:write", agentOf: ({ params }) => params.chatflowId, counts: "write" },
      params: z.object({
        chatflowId: uuidSchema,
        chatId: z
          .string()
          .min(1)
          .max(200)
          .regex(/^\P{Cc}+$/u, "must not contain control characters"),
      }),
      body: attachmentFormSchema,
      multipart: { isRequired: true, maxFiles: 20 },
      bodyErrorStatus: 422,
      returns: { schema: z.array(attachmentResultSchema) },
      errors: [400, 404, 422],
      handle({ params: { chatflowId, chatId }, body, identity, clientAddress, signal }) {
        const { files, base64 = false } = body;
        const share = shareOf({ agentId: chatflowId, ...askerOf(identity, clientAddress) });
        const place = { agentId: chatflowId, chatId, owner: ownerOf(identity) };
        const sender = { isVisitor: identity === undefined, reach: reachOf(identity), share };
        return attachments.attach(place, { files, isBase64: base64, ...sender, signal });
      },
    }),
  ];
}
