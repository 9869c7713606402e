import { WeftError } from "@weft/schema";
import type { Splitter } from "./define-splitter.ts";
import { html } from "./html.ts";
import { character, code, recursiveCharacter } from "./separator-splitters.ts";
import { markdown } from "./split-markdown.ts";
import { token } from "./token.ts";

/** Every splitter by its name in stores. A new splitter is one definition and one line here. */
export const splitters = {
  "recursive-character": recursiveCharacter,
  character,
  token,
  markdown,
  html,
  code,
} as const satisfies Record<string, Splitter>;

type SplitterName = keyof typeof splitters;

/** The default splitter. */
export const defaultSplitterName: SplitterName = "recursive-character";

/** A splitter by its name or that of existing clients. Throws `parameters-invalid`, listing the known ones. */
export function findSplitter(name: string): Splitter {
  const found = Object.values<Splitter>(splitters).find(
    (splitter) => splitter.name === name || splitter.aliases.names.includes(name),
  );
  if (found !== undefined) return found;
  const reason = `No splitter is called "${name}". Use one of: ${Object.keys(splitters).join(", ")}.`;
  throw new WeftError("parameters-invalid", { params: { reason } });
}
