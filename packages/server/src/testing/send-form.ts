import type { TestPlatform } from "./test-platform.ts";

export type FormPart = string | { name: string; type?: string; bytes: string | Uint8Array };

/** Sends a form to `/api/v1<path>` with the operator's token, unless the headers say otherwise. */
export async function sendForm(
  { fetch, token }: Pick<TestPlatform, "fetch" | "token">,
  path: string,
  parts: readonly (readonly [string, FormPart])[],
  headers: Record<string, string> = { authorization: `Bearer ${token}` },
): Promise<Response> {
  const form = new FormData();
  for (const [field, part] of parts) {
    if (typeof part === "string") form.append(field, part);
    else form.append(field, new File([part.bytes as Uint8Array<ArrayBuffer>], part.name, { type: part.type ?? "" }));
  }
  return fetch(new Request(`http://platform/api/v1${path}`, { method: "POST", headers, body: form }));
}
