import { toMediaType } from "@weft/chats";
import { type DocumentFormat, mediaTypesOf } from "@weft/documents";
import { parseJson } from "@weft/schema";
import { z } from "zod";

/** An agent's settings for files. */
export type UploadPolicy = {
  /** Why a file of that declared type and, for a document, format is rejected; undefined if it is accepted. */
  refusal(declaredType: string, format: DocumentFormat | undefined): string | undefined;
  /** The pages of a PDF are joined without blank lines. */
  joinsPages: boolean;
};

const settingsSchema = z
  .object({
    fullFileUpload: z
      .object({
        status: z.boolean().optional().catch(undefined),
        allowedUploadFileTypes: z.string().optional().catch(undefined),
        pdfFile: z.object({ usage: z.string().optional() }).optional().catch(undefined),
      })
      .optional()
      .catch(undefined),
  })
  .catch({});

/** Reads `chatbotConfig.fullFileUpload` of an agent. If absent, every readable format is allowed. */
export function readUploadPolicy(chatbotConfig: string): UploadPolicy {
  const { status, allowedUploadFileTypes, pdfFile } = readSettings(chatbotConfig).fullFileUpload ?? {};
  const listed = allowedUploadFileTypes?.split(",").map((type) => type.trim().toLowerCase());
  return {
    refusal(declaredType, format) {
      if (status === false) return "This agent takes no files. They can be allowed in its settings.";
      const type = toMediaType(declaredType);
      const types = [type, ...(format === undefined ? [] : mediaTypesOf(format))];
      if (listed === undefined || types.some((one) => listed.includes(one))) {
        return undefined;
      }
      return `This agent takes no files of the type ${type}. It takes ${listed.join(", ") || "none"}.`;
    },
    joinsPages: pdfFile?.usage === "perFile",
  };
}

function readSettings(chatbotConfig: string): z.infer<typeof settingsSchema> {
  return settingsSchema.safeParse(parseJson(chatbotConfig)).data ?? {};
}
