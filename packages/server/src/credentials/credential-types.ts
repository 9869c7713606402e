import { type ChatProvider, chatProviders } from "@weft/providers";
import { type CredentialType, credentialTypes } from "@weft/schema";

/** A kind of credential, with what a form asks for. */
export type KnownCredentialType = {
  /** The credential's `credentialName`. */
  name: string;
  title: string;
  /** `model`: for chat models; `other`: for what flows call. */
  purpose: "model" | "other";
  /** False for names that existing clients use for what a model provider's own type is now. */
  isOffered: boolean;
  fields: { name: string; title: string; help?: string | undefined; secret: boolean; required: boolean }[];
};

/** Those of the model providers, then those that the platform reads besides. */
export function listCredentialTypes(): KnownCredentialType[] {
  const providers = Object.values<ChatProvider>(chatProviders).filter(
    ({ credentialFields }) => credentialFields.length,
  );
  const aliases = new Set(
    providers.flatMap(({ credentialFields }) => credentialFields.flatMap((field) => field.aliases ?? [])),
  );
  return [
    ...providers.map(({ name, title, credentialFields }) => ({
      name,
      title,
      purpose: "model" as const,
      isOffered: true,
      fields: [...credentialFields],
    })),
    ...Object.entries<CredentialType>(credentialTypes).map(([name, { title, fields }]) => {
      const isModels = fields.every((field) => aliases.has(field.name));
      return {
        name,
        title,
        purpose: isModels ? ("model" as const) : ("other" as const),
        isOffered: !isModels,
        fields: fields.map((field) => ({ ...field, required: true })),
      };
    }),
  ];
}
