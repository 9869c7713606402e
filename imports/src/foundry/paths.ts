import { parseExpression, pathOf } from "./power-fx/index.ts";

/** `Local.A.B` with the scope in lower case and `Topic` as `Local`, without what follows the name. */
export function idOf([root = "", name = ""]: readonly string[]): string {
  const scope = root.toLowerCase();
  return `${scope === "topic" ? "local" : scope}.${name}`;
}

/** The path in a target. `=` and `init:` before it mean nothing. */
export function pathIn(text: string): string[] | undefined {
  const parsed = parseExpression(text.trim().replace(/^(=|init:)\s*/, ""));
  return parsed.ok && !parsed.isRepaired ? pathOf(parsed.expression) : undefined;
}
