import {
  type CredentialType,
  type CredentialValues,
  httpCredentialTypes,
  readCredentialField,
  WeftError,
} from "@weft/schema";

const typesWithHeaders = Object.values<CredentialType>(httpCredentialTypes);

/** A model vendor's key, sent as a bearer token as OpenAI and compatible APIs expect. */
const vendorKey = { name: "apiKey", aliases: ["openAIApiKey"] };

/**
 * The headers for a stored credential, by its fields: those of the first credential type with headers whose values are
 * all present, under the type's own names or its aliases; else its API key as a bearer token. Throws `tool-invalid` if
 * the fields match no such type and hold no API key.
 */
export function credentialHeaders(stored: CredentialValues): Record<string, string> {
  for (const { fields, toHeaders } of typesWithHeaders) {
    const headers = toHeaders?.((name) => {
      const { aliases = [] } = fields.find((field) => field.name === name) ?? {};
      return [name, ...aliases].map((key) => stored[key]).find((value) => value !== undefined);
    });
    if (headers !== undefined) return headers;
  }
  const apiKey = readCredentialField(vendorKey, stored);
  if (apiKey !== undefined) return { authorization: `Bearer ${apiKey}` };
  throw new WeftError("tool-invalid", {
    params: {
      name: "credential",
      reason: "its credential has neither a token, nor a username and password, nor a key and value, nor an API key.",
    },
  });
}
