/** A line break and a tab as they can be typed into a field of one line: `\n`, `\t`, `\r`. */
export function unescapeBreaks(text: string): string {
  return text.replaceAll(/\\([ntr])/g, (_whole, letter: string) => signs[letter] ?? "");
}

const signs: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
