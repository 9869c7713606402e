import { WeftError } from "@weft/schema";

/**
 * Headers that a stored credential stands for, by the fields it has: `token` (bearer), `username` and `password`
 * (basic, RFC 7617), `key` and `value` (a header of that name). Field names of existing credentials are read, too.
 * Throws `tool-invalid` when the fields are none of these.
 */
export function credentialHeaders(fields: Readonly<Record<string, string>>): Record<string, string> {
  const token = fields.token ?? fields.bearerToken;
  if (token) return { authorization: `Bearer ${token}` };
  const username = fields.username ?? fields.basicAuthUsername;
  const password = fields.password ?? fields.basicAuthPassword;
  if (username !== undefined && password !== undefined) {
    return { authorization: `Basic ${toBase64(`${username}:${password}`)}` };
  }
  const key = fields.key ?? fields.apiKeyHeaderName;
  const value = fields.value ?? fields.apiKeyHeaderValue;
  if (key && value !== undefined) return { [key.toLowerCase()]: value };
  throw new WeftError("tool-invalid", {
    params: {
      name: "credential",
      reason: "its credential has neither a token, nor a username and password, nor a key and value.",
    },
  });
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
