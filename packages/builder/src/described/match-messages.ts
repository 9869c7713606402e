/** Puts the values of an English sentence into its translation; undefined for a sentence of no template. */
export type SayMessage = (message: string) => string | undefined;

/** A value of these names is a sentence of ours itself, or holds what another system said. */
const sentences = /^(message|reason|problem|remedy|refusal)\d?$/;

/** A value of these names is a text that the server describes what it offers with. */
const words = /^(title|path|parameterWords)\d?$/;

const deepest = 3;
/** What is longer holds another system's words for the most part, and would take long to match. */
const longest = 4_000;

type Template = { pattern: RegExp; names: readonly string[]; literals: number; translation: string };

/**
 * Translates sentences by the templates that they were made from: `Its tool {name} takes no argument {name2}.` The one
 * with the most words of its own wins. Values stay as they are, unless their name says that they are ours.
 */
export function createMatcher(
  translations: Readonly<Record<string, string>>,
  say: (text: string) => string,
): SayMessage {
  let templates: readonly Template[] | undefined;
  const translate = (message: string, depth: number): string | undefined => {
    const known = Object.hasOwn(translations, message) ? translations[message] : undefined;
    if (known !== undefined && !known.includes("{")) return known;
    if (message.length > longest) return undefined;
    templates ??= toTemplates(translations);
    for (const template of templates) {
      const found = template.pattern.exec(message);
      if (found) return fill(template, found, (text) => (depth < deepest ? translate(text, depth + 1) : undefined));
    }
    return undefined;
  };
  const fill = ({ names, translation }: Template, found: RegExpExecArray, inner: SayMessage): string => {
    const values = new Map(names.map((name, index) => [name, sayValue(name, found[index + 1] ?? "", inner)]));
    return translation.replaceAll(placeholder, (whole, name: string) => values.get(name) ?? whole);
  };
  const sayValue = (name: string, value: string, inner: SayMessage) => {
    if (words.test(name)) return say(value);
    return (sentences.test(name) ? inner(value) : undefined) ?? value;
  };
  return (message) => translate(message, 0);
}

const placeholder = /\{([a-z]\w*)\}/gi;

function toTemplates(translations: Readonly<Record<string, string>>): Template[] {
  return Object.entries(translations)
    .filter(([english]) => english.search(placeholder) !== -1)
    .map(([english, translation]) => ({ ...toPattern(english), translation }))
    .toSorted((a, b) => b.literals - a.literals);
}

const special = /[$()*+.?[\\\]^{|}]/g;

function toPattern(english: string): Omit<Template, "translation"> {
  const parts = english.split(placeholder);
  const literals = parts.filter((_, index) => index % 2 === 0);
  const names = parts.filter((_, index) => index % 2 === 1);
  const pattern = literals.map((literal) => literal.replaceAll(special, "\\$&")).join("(.*?)");
  return { pattern: new RegExp(`^${pattern}$`, "s"), names, literals: literals.join("").length };
}
