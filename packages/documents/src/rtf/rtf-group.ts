import type { createRtfWriter, RtfParagraph } from "./rtf-writer.ts";

/** State of a group. */
export type Group = {
  /** Where its text goes. `alternative`: what stands for text that follows in Unicode. */
  target: "text" | "mark" | "link" | "title" | "fonts" | "styles" | "alternative" | "object" | "info" | "nothing";
  writer: ReturnType<typeof createRtfWriter>;
  paragraph: RtfParagraph;
  font: number;
  /** Number of fallback characters after a Unicode one, for readers without Unicode support. */
  fallback: number;
  isHidden: boolean;
  /** The next word is optional for readers that do not know it. */
  isStarred: boolean;
  /** Shared by a field's instruction and its result. */
  link: { instruction: string };
  isLink: boolean;
  /** The place of the note that it is. */
  note: number | undefined;
};

const plainParagraph: RtfParagraph = { inTable: false, heading: undefined, list: 0, level: 0 };

export function createGroup(writer: Group["writer"]): Group {
  return {
    target: "text",
    writer,
    paragraph: plainParagraph,
    font: 0,
    fallback: 1,
    isHidden: false,
    isStarred: false,
    link: { instruction: "" },
    isLink: false,
    note: undefined,
  };
}

const lastLevel = 8;

/** Words that change how text is read. */
export const formatting: Readonly<Record<string, (group: Group, value: number | undefined) => void>> = {
  f(group, value = 0) {
    group.font = value;
  },
  uc(group, value = 1) {
    group.fallback = Math.min(Math.max(value, 0), 100);
  },
  v(group, value) {
    group.isHidden = value !== 0;
  },
  deleted(group, value) {
    group.isHidden = value !== 0;
  },
  plain(group) {
    group.isHidden = false;
  },
  pard(group) {
    group.paragraph = plainParagraph;
  },
  intbl: setInTable,
  trowd: setInTable,
  outlinelevel(group, value) {
    group.paragraph = { ...group.paragraph, heading: toHeading(value) };
  },
  ls(group, value = 0) {
    group.paragraph = { ...group.paragraph, list: value };
  },
  ilvl(group, value = 0) {
    group.paragraph = { ...group.paragraph, level: Math.min(Math.max(value, 0), lastLevel) };
  },
};

function setInTable(group: Group): void {
  group.paragraph = { ...group.paragraph, inTable: true };
}

/** Words that end paragraphs, cells and rows. */
export const structure: Readonly<Record<string, (group: Group) => void>> = {
  par: ({ writer, paragraph }) => writer.endParagraph(paragraph),
  sect: ({ writer, paragraph }) => writer.endParagraph(paragraph),
  page: ({ writer, paragraph }) => writer.endParagraph(paragraph),
  cell: ({ writer, paragraph }) => writer.endCell(paragraph),
  row: ({ writer, paragraph }) => writer.endRow(paragraph),
};

/** Words that say where the text of their group goes. */
export const turns: Readonly<Record<string, (group: Group) => void>> = {
  ...Object.fromEntries(
    [
      ...["colortbl", "filetbl", "listtable", "revtbl", "rsidtbl", "themedata", "datastore", "latentstyles"],
      ...["header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"],
      ...["pict", "objdata", "sp", "shprslt", "nonesttables", "annotation", "xe", "tc", "tcn", "rxe"],
      ...["ftnsep", "ftnsepc", "aftnsep", "aftnsepc", "formfield", "template"],
    ].map((word) => [word, turnTo("nothing")]),
  ),
  fonttbl: turnTo("fonts"),
  stylesheet: turnTo("styles"),
  listtext: turnTo("mark"),
  pntext: turnTo("mark"),
  fldinst: turnTo("link"),
  upr: turnTo("alternative"),
  info: turnTo("info"),
  title: turnTo("title", "info"),
  object: turnTo("object"),
  result: turnTo("text", "object"),
  ud: turnTo("text", "alternative"),
  field(group) {
    group.link = { instruction: "" };
  },
};

/** Words that are read although other readers may not know them. */
export const starred: ReadonlySet<string> = new Set(["fldinst", "ud", "shpinst", "footnote"]);

function turnTo(target: Group["target"], from: Group["target"] = "text"): (group: Group) => void {
  return (group) => {
    if (group.target === from) group.target = target;
  };
}

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
function toHeading(outline: number | undefined): number | undefined {
  return outline !== undefined && outline >= 0 && outline < 9 ? outline + 1 : undefined;
}

function headingOfName(name: string): number | undefined {
  const level = /^\s*heading ?([1-9])\s*(?:;\s*)?$/i.exec(name)?.[1];
  if (level !== undefined) return Number(level);
  return /^\s*title\s*(?:;\s*)?$/i.test(name) ? 1 : undefined;
}
