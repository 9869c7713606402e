import { type CredentialType, type CredentialValues, credentialTypes, WeftError } from "@weft/schema";

const typesWithHeaders = Object.values<CredentialType>(credentialTypes).filter(({ toHeaders }) => toHeaders);

/**
 * Headers that a stored credential stands for, by the fields it has: those of the first credential type with headers
 * whose values are all there, under the type's own names or its aliases. Throws `tool-invalid` when the fields are those
 * of no such type.
 */
export function credentialHeaders(stored: CredentialValues): Record<string, string> {
  for (const { fields, toHeaders } of typesWithHeaders) {
    const headers = toHeaders?.((name) => {
      const { aliases = [] } = fields.find((field) => field.name === name) ?? {};
      return [name, ...aliases].map((key) => stored[key]).find((value) => value !== undefined);
    });
    if (headers !== undefined) return headers;
  }
  throw new WeftError("tool-invalid", {
    params: {
      name: "credential",
      reason: "its credential has neither a token, nor a username and password, nor a key and value.",
    },
  });
}
