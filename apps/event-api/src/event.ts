/** One event as it is stored and answered. Source: reference, "Event". */
export type Event = {
  readonly id: string;
  readonly name: string;
  /** `YYYY-MM-DDTHH:mm:ss`, optionally with `.sss` and `Z`; kept as it was sent. */
  readonly date: string;
  readonly location: string;
};

/** What a client sends on create and update. */
export type EventInput = Omit<Event, "id">;

const requiredFields = ["name", "date", "location"] as const;

// The format as the reference states it: it says nothing of the calendar, so the 31st of February passes.
const datePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z?$/;

/**
 * Checks a parsed body: first that nothing required is missing or empty, then the date's format.
 * Answers the three fields alone, or the sentence of the 400. Blank text counts as empty, and a name or location
 * that is not text as missing. Source: reference, "Reference event API", rule 2.
 */
export function parseEventInput(body: unknown): { input: EventInput } | { error: string } {
  const fields = new Map(Object.entries(body ?? {}));
  const missing = requiredFields.filter((field) => isMissing(field, fields.get(field)));
  if (missing.length > 0) return { error: `Missing required fields: ${missing.join(", ")}` };
  const date: unknown = fields.get("date");
  if (typeof date !== "string" || !datePattern.test(date)) {
    return { error: "Date must be in ISO 8601 format (YYYY-MM-DDTHH:mm:ssZ)" };
  }
  return { input: { name: String(fields.get("name")), date, location: String(fields.get("location")) } };
}

function isMissing(field: (typeof requiredFields)[number], value: unknown): boolean {
  if (typeof value === "string") return value.trim() === "";
  // A date that is a number is not missing, it has the wrong format; the second check says so.
  return field !== "date" || value === undefined || value === null;
}

/** The id a body brings, or undefined when it brings none that can be addressed. Numbers become text. */
export function suppliedId(body: unknown): string | undefined {
  const id: unknown = new Map(Object.entries(body ?? {})).get("id");
  if (typeof id === "number") return String(id);
  return typeof id === "string" && id.trim() !== "" ? id : undefined;
}
