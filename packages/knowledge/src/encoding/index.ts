export { decodeBytes, type EncodingHints, htmlCharset, isText, toCharset, xmlEncoding } from "./decode-bytes.ts";
export { tryDecode } from "./detect-encoding.ts";
