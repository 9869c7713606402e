import fc from "fast-check";

const marks = [
  '"',
  "\\",
  "{",
  "}",
  "{{",
  "}}",
  "/",
  ".",
  "..",
  "?",
  "#",
  "&",
  "=",
  "%",
  "%2e",
  ":",
  "@",
  ";",
  ",",
  " ",
];
const characters = fc.nat({ max: 0xff_ff }).map((code) => String.fromCharCode(code));

/** Texts of characters that end strings, segments and parameters, of line breaks, and of any UTF-16 code units. */
export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...marks, "\r\n", "\n", "\0", "é", "😀"), characters), { maxLength: 12 })
  .map((pieces) => pieces.join(""));
