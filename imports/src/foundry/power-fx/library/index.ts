import { conversationHelpers } from "./conversations.ts";
import { dateHelpers } from "./dates.ts";
import { tableHelpers } from "./tables.ts";
import { valueHelpers } from "./values.ts";

const helpers: ReadonlyMap<string, string> = new Map(
  [valueHelpers, tableHelpers, dateHelpers, conversationHelpers]
    .flatMap((source) => source.split(/^(?=function )/m))
    .flatMap((text) => {
      const name = /^function (fx_\w+)/.exec(text)?.[1];
      return name === undefined ? [] : [[name, text.trimEnd()] as const];
    }),
);

/** The body of a function behind the helpers that it calls, and those that they call. */
export function withLibrary(body: string): string {
  const used = new Set<string>();
  const open = [body];
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    for (const [name] of text.matchAll(/\bfx_\w+/g)) {
      const helper = helpers.get(name);
      if (helper === undefined || used.has(name)) continue;
      used.add(name);
      open.push(helper);
    }
  }
  const library = [...helpers].filter(([name]) => used.has(name)).map(([, text]) => text);
  return library.length === 0
    ? body
    : `${body}\n\n// What Power Fx means by its functions and operators.\n${library.join("\n")}\n`;
}
