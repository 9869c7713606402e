import { hash } from "node:crypto";
import { WeftError } from "@weft/schema";

/** A strong entity tag of a representation (RFC 9110, 8.8.3). */
export function toEtag(content: string | Uint8Array): string {
  return `"${hash("sha256", content, "base64url")}"`;
}

/** Whether If-None-Match names the tag, so that GET answers 304. Compares weakly (RFC 9110, 13.1.2). */
export function isNotModified(ifNoneMatch: string | null, etag: string): boolean {
  return ifNoneMatch !== null && listsTag(ifNoneMatch.replaceAll("W/", ""), etag);
}

/** Throws `precondition-failed` unless If-Match names the tag, or is absent. Compares strongly (RFC 9110, 13.1.1). */
export function assertIfMatch(ifMatch: string | null, toCurrentEtag: () => string): void {
  if (ifMatch === null || listsTag(ifMatch, ifMatch.trim() === "*" ? "*" : toCurrentEtag())) return;
  throw new WeftError("precondition-failed");
}

function listsTag(list: string, etag: string): boolean {
  return list.split(",").some((item) => item.trim() === "*" || item.trim() === etag);
}
