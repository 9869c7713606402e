import type { JsonSchema } from "@weft/schema";
import fc from "fast-check";
import type { FuzzBody } from "./broken-body.ts";
import { anyText } from "./json-schema-arbitrary.ts";

const boundary = "fuzz-boundary";

/** Forms with the fields of a schema and some files; sometimes broken. */
export function formBody(schema: JsonSchema): fc.Arbitrary<FuzzBody> {
  const names = Object.keys((schema.properties ?? {}) as object);
  const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom("files", ...names) }, anyText);
  const field = fc.record({
    name,
    value: anyText,
    file: fc.option(
      fc.record({
        name: fc.oneof(fc.constantFrom("a.txt", "b.csv", "c.pdf", "d.docx", "../e.md"), anyText),
        type: fileType,
      }),
    ),
  });
  const cut = fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.nat(60));
  return fc.tuple(fc.array(field, { maxLength: 4 }), cut).map(([fields, missing]) => {
    const text = `${fields.map(toPart).join("")}--${boundary}--\r\n`;
    return { content: text.slice(0, text.length - missing), contentType: `multipart/form-data; boundary=${boundary}` };
  });
}

const fileType = fc.constantFrom("text/plain", "text/csv", "application/pdf", "application/json", "", "image/png");

type Part = { name: string; value: string; file: { name: string; type: string } | null };

function toPart({ name, value, file }: Part): string {
  const quoted = (text: string) => text.replaceAll(/["\r\n]/g, "_");
  const fileName = file === null ? "" : `; filename="${quoted(file.name)}"`;
  const type = file === null || file.type === "" ? "" : `Content-Type: ${file.type}\r\n`;
  return `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${fileName}\r\n${type}\r\n${value}\r\n`;
}
