export { decodeBytes, htmlCharset, isText, xmlEncoding } from "./decode-bytes.ts";
export { tryDecode } from "./detect-encoding.ts";
