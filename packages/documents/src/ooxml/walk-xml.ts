import { Parser } from "htmlparser2";
import { maxDepth, tooDeep, Unreadable } from "../unreadable.ts";

export type XmlAttributes = Record<string, string>;

/** Receives elements by local name. Text arrives in pieces. */
export type XmlHandler = {
  open?(name: string, attributes: XmlAttributes): void;
  close?(name: string): void;
  text?(text: string): void;
  /** Elements to skip with their contents. */
  skipped?: ReadonlySet<string>;
};

/** Parses a part of an office file incrementally. Never resolves custom entities, internal or external. */
export function walkXml(bytes: Uint8Array, handler: XmlHandler): void {
  let depth = 0;
  let skipped = 0;
  const parser = new Parser(
    {
      onopentag(qualified, attributes) {
        const name = toLocal(qualified);
        depth += 1;
        if (depth > maxDepth) throw new Unreadable(tooDeep);
        if (skipped > 0 || handler.skipped?.has(name)) skipped += 1;
        else handler.open?.(name, attributes);
      },
      onclosetag(qualified) {
        depth -= 1;
        if (skipped > 0) skipped -= 1;
        else handler.close?.(toLocal(qualified));
      },
      ontext(text) {
        if (skipped === 0) handler.text?.(text);
      },
    },
    { xmlMode: true },
  );
  const decoder = new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8");
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    parser.write(decoder.decode(bytes.subarray(start, start + pieceBytes), { stream: true }));
  }
  parser.end(decoder.decode());
}

/** The value of an attribute of that local name, whatever its prefix. */
export function attributeOf(attributes: XmlAttributes, name: string): string | undefined {
  return attributes[name] ?? Object.entries(attributes).find(([key]) => toLocal(key) === name)?.[1];
}

const pieceBytes = 64 * 1024;

function toLocal(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
