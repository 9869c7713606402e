import { assertWithin, predictionLimits } from "@weft/http";
import { type Upload, uploadedFileSchema } from "@weft/schema";
import { z } from "zod";
import { toMediaType } from "../files/index.ts";
import { toDataUrl } from "./data-url.ts";

const jsonTextSchema = z.string().transform((text, context) => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    context.addIssue("must be JSON text");
    return z.NEVER;
  }
  assertWithin(value, predictionLimits);
  return value;
});

/** A prediction as a form: fields that are objects or lists are JSON text, each file is an upload. */
export const predictionFormSchema = z
  .looseObject({
    overrideConfig: jsonTextSchema.optional(),
    form: jsonTextSchema.optional(),
    history: jsonTextSchema.optional(),
    humanInput: jsonTextSchema.optional(),
    files: z.array(uploadedFileSchema),
  })
  .transform(({ files, uploads: _, ...fields }) => ({
    ...fields,
    ...(files.length > 0 && { uploads: files.map(toUpload) }),
  }));

function toUpload({ name, mimeType, bytes }: z.infer<typeof uploadedFileSchema>): Upload {
  return { type: "file", name, mime: mimeType, data: toDataUrl({ mimeType: toMediaType(mimeType), bytes }) };
}
