import { z } from "zod";

/** Fields that the configs of several providers share. */
export function modelField(example: string) {
  return z.string().max(200).optional().meta({ title: "Model", placeholder: example });
}

export const credentialField = z.string().max(100).optional().meta({ title: "Credential", widget: "credential" });

export function baseUrlField(placeholder: string) {
  return z.string().max(2_000).optional().meta({ title: "Base URL", placeholder, advanced: true });
}

export const dimensionsField = z.coerce.number().int().min(1).max(16_000).optional().meta({
  title: "Dimensions",
  help: "Length of the vectors, for models that let it be chosen. Empty: the model's own.",
  advanced: true,
});
