import { hash } from "node:crypto";

/** A uuid (RFC 9562, version 8) derived from the key: the same in every process. */
export function uuidOf(key: string): string {
  const hex = hash("sha256", key, "hex");
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
