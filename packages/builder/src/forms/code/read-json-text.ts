import type { Json } from "@weft/schema";

/** The value of a JSON text, undefined for one that is empty; or what is wrong with it. */
export type ReadJsonText = { ok: true; value: Json | undefined } | { ok: false; problem: string };

export function readJsonText(text: string): ReadJsonText {
  if (text.trim() === "") return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(text) as Json };
  } catch (cause) {
    return { ok: false, problem: `${(cause as Error).message}.` };
  }
}
