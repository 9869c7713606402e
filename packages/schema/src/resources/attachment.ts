import { z } from "zod";

/** A file stored with a chat (reference, "Attachment result"). */
export const attachmentResultSchema = z
  .object({
    name: z.string(),
    mimeType: z.string(),
    size: z.string().meta({ description: "In bytes" }),
    content: z.string().meta({ description: "The text of the file, or its bytes as base64" }),
  })
  .meta({
    id: "AttachmentResult",
    examples: [{ name: "notes.txt", mimeType: "text/plain", size: "24", content: "The meeting is at three." }],
  });
export type AttachmentResult = z.infer<typeof attachmentResultSchema>;
