import { toLiteral } from "@weft/engine/template";

export { toLiteral };

/** A piece of an f-string prompt. */
type Part = { kind: "literal" | "reference" | "variable"; text: string };

/** A prompt with variables in single braces, `{name}`, as LangChain reads it. */
export type PromptText = {
  /** Names of its variables, each once, in order. */
  readonly variables: readonly string[];
  /** The native template: each variable replaced by its own, and left in its braces where there is none. */
  render(toTemplate: (name: string) => string | undefined): string;
  /** The plain text with the values, as an f-string gives it. */
  fill(toText: (name: string) => string | undefined): string;
};

const pattern = /\{\{\s*\$(?:vars|flow)(?=[\s.[}])[^{}]*\}\}|\{\{|\}\}|\{([^{}]*)\}/g;

/**
 * Reads an f-string: `{{` and `}}` are braces, `{name}` is a variable, and a group with a colon in it is JSON. References
 * to the platform's variables (`{{$vars.x}}`, `{{$flow.x}}`) count before.
 */
export function parsePromptText(text: string): PromptText {
  const parts = split(text);
  return {
    variables: [...new Set(parts.flatMap((part) => (part.kind === "variable" ? [part.text] : [])))],
    fill: (toText) =>
      parts.map(({ kind, text: own }) => (kind === "variable" ? (toText(own) ?? `{${own}}`) : own)).join(""),
    render(toTemplate) {
      let rendered = "";
      let literal = "";
      for (const part of parts) {
        const template = part.kind === "variable" ? toTemplate(part.text) : undefined;
        if (part.kind === "literal") literal += part.text;
        else if (part.kind === "variable" && template === undefined) literal += `{${part.text}}`;
        else {
          rendered += toLiteral(literal) + (template ?? part.text);
          literal = "";
        }
      }
      return rendered + toLiteral(literal);
    },
  };
}

function split(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) parts.push({ kind: "literal", text: text.slice(end, match.index) });
    parts.push(toPart(match[0], match[1]));
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ kind: "literal", text: text.slice(end) });
  return parts;
}

function toPart(source: string, inner: string | undefined): Part {
  if (source === "{{" || source === "}}") return { kind: "literal", text: source.slice(1) };
  if (inner === undefined) return { kind: "reference", text: source };
  const name = inner.trim();
  if (name === "" || inner.includes(":")) return { kind: "literal", text: source };
  return { kind: "variable", text: name };
}
