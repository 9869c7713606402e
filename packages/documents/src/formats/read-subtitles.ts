import { decodeText } from "../decode-text.ts";
import type { ReadContext, ReadResult } from "../read-context.ts";

/**
 * The spoken text of SubRip and WebVTT files, one line per cue, with speaker names: without numbers, times, notes,
 * styles and markup. Text repeated from the previous cue is left out.
 */
export function readSubtitles({ bytes, label, budget }: ReadContext): ReadResult {
  const spoken: string[] = [];
  for (const block of decodeText(bytes, { label })
    .replace(/\r\n?/g, "\n")
    .split(/\n{2,}/)) {
    const lines = block.split("\n");
    const time = lines.findIndex((line) => cueTime.test(line));
    if (time === -1) continue;
    for (const line of lines.slice(time + 1)) {
      const text = toSpoken(line);
      if (text !== "" && text !== spoken.at(-1)) spoken.push(budget.take(text));
    }
  }
  return { sections: [{ text: spoken.join("\n"), metadata: {} }] };
}

/** Hours are optional in WebVTT. */
const cueTime = /^\s*(\d+:)?\d{1,2}:\d{2}[.,]\d{3}\s+-->\s/;

function toSpoken(line: string): string {
  const named = line.replace(/<v(?:\.[^\s>]{0,100})?\s+([^>]{1,200})>/g, "$1: ");
  const plain = named.replace(/<[^>]{0,200}>|\{\\[^}]{0,200}\}/g, "");
  return plain.replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_whole, name: string) => entities[name] ?? "").trim();
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", nbsp: " " };
