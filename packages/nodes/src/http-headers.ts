import { WeftError } from "@weft/schema";

/**
 * Header rows as an object with names in lower case; the last of a name counts.
 * Throws `flow-node-failed` for a name or value that HTTP does not permit (RFC 9110, section 5): a line break in a
 * value from a template would begin another header.
 */
export function toHeaders(rows: readonly (readonly [string, string])[]): Record<string, string> {
  for (const [name, value] of rows) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) throw refused(`A header cannot be named ${JSON.stringify(name)}.`);
    if (/[\r\n\0]/.test(value)) throw refused(`The value of the header ${name} must not contain a line break.`);
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw refused(`The value of the header ${name} has characters that headers cannot carry. Encode it.`);
    }
  }
  return Object.fromEntries(rows.map(([name, value]) => [name.toLowerCase(), value]));
}

function refused(reason: string): WeftError {
  return new WeftError("flow-node-failed", { params: { reason } });
}
