/** The search parameters of the page: filters, and the conversation that is read. */
export type ConversationsSearch = {
  q?: string;
  agent?: string;
  rating?: "THUMBS_UP" | "THUMBS_DOWN";
  state?: "hand-over" | "taken-over" | "waiting" | "failed";
  label?: string;
  open?: string;
};

const ratings = ["THUMBS_UP", "THUMBS_DOWN"] as const;
const states = ["hand-over", "taken-over", "waiting", "failed"] as const;

/** Parses the search parameters and ignores unknown ones. */
export function readConversationsSearch(search: Record<string, unknown>): ConversationsSearch {
  const [q, agent, label, open] = [search.q, search.agent, search.label, search.open].map(textOf);
  const rating = ratings.find((one) => one === search.rating);
  const state = states.find((one) => one === search.state);
  return {
    ...(q !== undefined && { q }),
    ...(agent !== undefined && { agent }),
    ...(rating && { rating }),
    ...(state && { state }),
    ...(label !== undefined && { label }),
    ...(open !== undefined && { open }),
  };
}

/** The question to the API. */
export function toConversationQuery({ q, agent, rating, state, label }: ConversationsSearch) {
  return {
    ...(q !== undefined && { search: q }),
    ...(agent !== undefined && { agentId: agent }),
    ...(rating !== undefined && { rating }),
    ...(state !== undefined && { state }),
    ...(label !== undefined && { label }),
  };
}

export function hasFilters({ open: _open, ...filters }: ConversationsSearch): boolean {
  return Object.keys(filters).length > 0;
}

/** An address made of digits is read as a number. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text !== "" ? text : undefined;
}
