/** The filters of the page, as its address has them. */
export type AuditSearch = { actor?: string; action?: string; thing?: string; from?: string; until?: string };

const names = ["actor", "action", "thing", "from", "until"] as const;

/** Parses the search parameters and ignores unknown ones. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  return Object.fromEntries(names.flatMap((name) => textOf(search[name]).map((text) => [name, text])));
}

/** An address made of digits is read as a number. */
function textOf(value: unknown): string[] {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text !== "" ? [text] : [];
}

/** The question to the API. A day is the reader's own: it begins and ends where they are. */
export function toAuditFilter({ from, until, ...rest }: AuditSearch) {
  const [begin, end] = [toMoment(from, "T00:00:00.000"), toMoment(until, "T23:59:59.999")];
  return { ...rest, ...(begin && { from: begin }), ...(end && { to: end }) };
}

function toMoment(day: string | undefined, time: string): string | undefined {
  const at = new Date(`${day}${time}`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
