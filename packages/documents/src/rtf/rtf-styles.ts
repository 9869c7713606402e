/** Collects the styles of a document, and finds the headings among them. */
export function createRtfStyles() {
  const headings = new Map<number, number>();
  let style = 0;
  let name = "";
  let heading: number | undefined;
  return {
    /** A word of the table of styles. */
    note(word: string, value: number | undefined): void {
      if (word === "s") style = value ?? 0;
      else if (word === "outlinelevel") heading = toHeading(value);
      else if (word === "sbasedon") heading ??= headings.get(value ?? 0);
    },
    name(text: string): void {
      name = (name + text).slice(0, 100);
    },
    /** The group of a style ends. */
    end(): void {
      const named = headingOfName(name) ?? heading;
      if (named !== undefined) headings.set(style, named);
      style = 0;
      name = "";
      heading = undefined;
    },
    headingOf: (id: number) => headings.get(id),
  };
}

/** The heading level of an outline level, which counts from 0; 9 is body text. */
export function toHeading(outline: number | undefined): number | undefined {
  return outline !== undefined && outline >= 0 && outline < 9 ? outline + 1 : undefined;
}

function headingOfName(name: string): number | undefined {
  const level = /^\s*heading ?([1-9])\s*(?:;\s*)?$/i.exec(name)?.[1];
  if (level !== undefined) return Number(level);
  return /^\s*title\s*(?:;\s*)?$/i.test(name) ? 1 : undefined;
}
