import type { ReadContext, ReadResult } from "../read-context.ts";
import { maxDepth, tooDeep, Unreadable } from "../unreadable.ts";
import { createGroup, createRtfStyles, formatting, type Group, starred, structure, turns } from "./rtf-group.ts";
import { walkRtf } from "./rtf-tokens.ts";
import { createRtfWriter } from "./rtf-writer.ts";

/**
 * Headings, paragraphs, lists, tables and links in order, as Markdown, then the notes that the text refers to as `[1]`.
 * Hidden and deleted text, headers, footers, comments, pictures and other data are left out.
 */
export function readRtf({ bytes, budget }: ReadContext): ReadResult {
  const body = createRtfWriter(budget, "paragraph");
  const document: RtfDocument = {
    group: createGroup(body),
    groups: [],
    fonts: createRtfFonts(),
    styles: createRtfStyles(),
    notes: [],
    title: "",
    pending: [],
    toSkip: 0,
    createNote: () => createRtfWriter(budget, "line"),
  };
  walkRtf(bytes, {
    open: () => openGroup(document),
    close: () => closeGroup(document),
    word: (name, value) => readWord(document, name, value),
    bytes(text) {
      const { toSkip, group } = document;
      document.toSkip = Math.max(0, toSkip - text.length);
      if (text.length > toSkip && group.target !== "nothing") document.pending.push(text.subarray(toSkip));
    },
  });
  flush(document);
  // A truncated file still has its text so far.
  while (document.groups.length > 0) closeGroup(document);
  const text = [body.end(document.group.paragraph), document.notes.join("\n")].filter((part) => part !== "");
  return { sections: [{ text: text.join("\n\n"), metadata: {} }], title: document.title };
}

type RtfDocument = {
  group: Group;
  /** The enclosing groups. */
  groups: Group[];
  fonts: ReturnType<typeof createRtfFonts>;
  styles: ReturnType<typeof createRtfStyles>;
  notes: string[];
  title: string;
  /** Undecoded text: the bytes of a character may be written in different ways. */
  pending: Uint8Array[];
  /** Fallback characters left to skip. */
  toSkip: number;
  createNote(): Group["writer"];
};

function openGroup(document: RtfDocument): void {
  flush(document);
  document.toSkip = 0;
  document.groups.push(document.group);
  if (document.groups.length > maxDepth) throw new Unreadable(tooDeep);
  document.group = { ...document.group, isStarred: false, isLink: false, note: undefined };
}

function closeGroup(document: RtfDocument): void {
  flush(document);
  document.toSkip = 0;
  const { group, notes, styles, groups } = document;
  if (group.isLink) group.writer.closeLink();
  if (group.note !== undefined) {
    notes[group.note] = `[${group.note + 1}] ${group.writer.end(group.paragraph).trim()}`;
  }
  if (group.target === "styles") styles.end();
  // Some producers close more groups than they open.
  document.group = groups.pop() ?? group;
}

function readWord(document: RtfDocument, name: string, value: number | undefined): void {
  flush(document);
  document.toSkip = 0;
  const { group } = document;
  const wasStarred = group.isStarred;
  group.isStarred = name === "*";
  if (wasStarred && !starred.has(name)) group.target = "nothing";
  else if (name === "u") {
    emit(document, toCharacter(value ?? 0));
    document.toSkip = group.fallback;
  } else if (name === "footnote") startNote(document);
  else if (name === "fldrslt") startLink(group);
  else if (Object.hasOwn(signs, name)) emit(document, signs[name] ?? "");
  else if (Object.hasOwn(turns, name)) turns[name]?.(group);
  else noteWord(document, name, value);
}

function noteWord({ group, fonts, styles }: RtfDocument, name: string, value: number | undefined): void {
  if (name === "ansicpg") fonts.noteDocument(encodingOf(value ?? 0));
  else if (name === "mac") fonts.noteDocument("macintosh");
  else if (group.target === "fonts") fonts.note(name, value);
  else if (group.target === "styles") styles.note(name, value);
  else if (name === "s") group.paragraph = { ...group.paragraph, heading: styles.headingOf(value ?? 0) };
  else if (Object.hasOwn(structure, name) && group.target === "text") structure[name]?.(group);
  else if (Object.hasOwn(formatting, name)) formatting[name]?.(group, value);
}

function flush(document: RtfDocument): void {
  const { pending, fonts, group } = document;
  if (pending.length === 0) return;
  document.pending = [];
  emit(document, fonts.decode(pending.length === 1 && pending[0] ? pending[0] : Buffer.concat(pending), group.font));
}

function emit(document: RtfDocument, text: string): void {
  const { group } = document;
  if (group.isHidden) return;
  if (group.target === "text") group.writer.text(text, group.paragraph);
  else if (group.target === "mark") group.writer.mark(text);
  else if (group.target === "link") group.link.instruction = (group.link.instruction + text).slice(0, longestLink);
  else if (group.target === "title") document.title = (document.title + text).slice(0, longestLink);
  else if (group.target === "styles") document.styles.name(text);
}

const longestLink = 2_000;

const signs: Readonly<Record<string, string>> = {
  "~": "\u00a0",
  _: "-",
  "-": "",
  tab: "\t",
  line: "\n",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  bullet: "•",
  endash: "–",
  emdash: "—",
  enspace: " ",
  emspace: " ",
  qmspace: " ",
  zwj: "\u200d",
  zwnj: "\u200c",
  nestcell: " ",
  nestrow: " ",
};

/** Symbol fonts have their characters in a private use area. */
function toCharacter(value: number): string {
  const unit = value & 0xffff;
  return unit >= 0xf000 && unit <= 0xf0ff ? "•" : String.fromCharCode(unit);
}

function startNote({ group, notes, createNote }: RtfDocument): void {
  if (group.target !== "text" || group.isHidden) return;
  const index = notes.push("") - 1;
  group.writer.text(`[${index + 1}]`, group.paragraph);
  group.writer = createNote();
  group.paragraph = { inTable: false, heading: undefined, list: 0, level: 0 };
  group.note = index;
}

function startLink(group: Group): void {
  group.isLink = group.target === "text" && !group.isHidden;
  const address = /^\s*HYPERLINK\s+"?([^"\s]+)/i.exec(group.link.instruction)?.[1] ?? "";
  const url = URL.parse(address);
  const isShown = url !== null && /^(https?|mailto):$/.test(url.protocol);
  if (group.isLink) group.writer.openLink(isShown ? url.href.replaceAll(")", "%29") : undefined, group.paragraph);
}

/** Collects the fonts of a document, and decodes text in its font's encoding. */
function createRtfFonts() {
  const encodings = new Map<number, string>();
  const decoders = new Map<string, InstanceType<typeof TextDecoder>>();
  let documentEncoding = western;
  let current = 0;
  const decodeAs = (encoding: string, bytes: Uint8Array) => {
    const decoder = decoders.get(encoding) ?? new TextDecoder(encoding);
    decoders.set(encoding, decoder);
    return decoder.decode(bytes);
  };
  return {
    /** The default encoding for fonts without their own. */
    noteDocument(encoding: string | undefined): void {
      documentEncoding = encoding ?? documentEncoding;
    },
    /** A word of the table of fonts. */
    note(name: string, value = 0): void {
      const encoding = name === "fcharset" ? ofCharset[value] : name === "cpg" ? encodingOf(value) : undefined;
      if (name === "f") current = value;
      else if (encoding !== undefined) encodings.set(current, encoding);
    },
    decode(bytes: Uint8Array, font: number): string {
      const encoding = encodings.get(font) ?? documentEncoding;
      if (encoding === symbols) return decodeAs(western, bytes).replace(sign, "•");
      return decodeAs(encoding === western && !multibyte.has(documentEncoding) ? documentEncoding : encoding, bytes);
    },
  };
}

/** For Western fonts. If the document has another single-byte encoding, their text uses that. */
const western = "windows-1252";
const symbols = "symbols";
/** Symbol fonts have no searchable characters; most of them precede items. */
const sign = /[^\s\w.,()-]/g;
const multibyte = new Set(["shift_jis", "gbk", "euc-kr", "big5"]);

/** Source: Rich Text Format Specification 1.9.1, "Font Table": `\fcharset`. */
const ofCharset: Readonly<Record<number, string>> = {
  0: western,
  2: symbols,
  77: "macintosh",
  128: "shift_jis",
  129: "euc-kr",
  134: "gbk",
  136: "big5",
  161: "windows-1253",
  162: "windows-1254",
  163: "windows-1258",
  177: "windows-1255",
  178: "windows-1256",
  186: "windows-1257",
  204: "windows-1251",
  222: "windows-874",
  238: "windows-1250",
};

const ofCodePage: Readonly<Record<number, string>> = {
  866: "ibm866",
  874: "windows-874",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  10000: "macintosh",
  65001: "utf-8",
};

/** Undefined for an unsupported code page. */
function encodingOf(codePage: number): string | undefined {
  return codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : ofCodePage[codePage];
}
