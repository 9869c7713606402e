/** Collects the fonts of a document, and decodes text in its font's encoding. */
export function createRtfFonts() {
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
export function encodingOf(codePage: number): string | undefined {
  return codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : ofCodePage[codePage];
}
