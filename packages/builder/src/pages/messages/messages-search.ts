/** The search parameters of the page: filters, conversation and tab. */
export type MessagesSearch = {
  from?: string;
  until?: string;
  where?: "INTERNAL" | "EXTERNAL";
  feedback?: "THUMBS_UP" | "THUMBS_DOWN" | "any";
  session?: string;
  /** The conversation that is read. */
  open?: string;
  tab?: "leads";
};

/** Goes to other search parameters, which follow from those of the address at that moment: it may be ahead of the page. */
export type ChangeSearch = (change: (now: MessagesSearch) => MessagesSearch) => void;

const wheres = ["INTERNAL", "EXTERNAL"] as const;
const feedbacks = ["THUMBS_UP", "THUMBS_DOWN", "any"] as const;

/** Parses the search parameters and ignores unknown ones. Days are in the reader's time zone. */
export function readMessagesSearch(search: Record<string, unknown>): MessagesSearch {
  const { from, until, where, feedback, tab } = search;
  const session = textOf(search.session);
  const open = textOf(search.open);
  const knownWhere = wheres.find((one) => one === where);
  const knownFeedback = feedbacks.find((one) => one === feedback);
  return {
    ...(isDay(from) && { from }),
    ...(isDay(until) && { until }),
    ...(knownWhere && { where: knownWhere }),
    ...(knownFeedback && { feedback: knownFeedback }),
    ...(session !== undefined && { session }),
    ...(open !== undefined && { open }),
    ...(tab === "leads" && { tab }),
  };
}

/** The question to the API. The last day is a whole one. */
export function toMessageFilter({ from, until, where, feedback, session }: MessagesSearch) {
  return {
    ...toStatsFilter({ ...(from && { from }), ...(until && { until }), ...(where && { where }) }),
    ...(feedback !== undefined && { feedback: "true" }),
    ...(feedback !== undefined && feedback !== "any" && { feedbackType: feedback }),
    ...(session !== undefined && { sessionId: session }),
  };
}

/** The filters that counts support as well. */
export function toStatsFilter({ from, until, where }: MessagesSearch) {
  return {
    ...(from !== undefined && { startDate: new Date(`${from}T00:00:00`).toISOString() }),
    ...(until !== undefined && { endDate: new Date(`${until}T23:59:59.999`).toISOString() }),
    ...(where !== undefined && { chatType: where }),
  };
}

export function hasFilters({ open: _open, tab: _tab, ...filters }: MessagesSearch): boolean {
  return Object.keys(filters).length > 0;
}

/** An address made of digits is read as a number. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text !== "" ? text : undefined;
}

function isDay(value: unknown): value is string {
  return typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
}
