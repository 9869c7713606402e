/** The part of the catalogue about what runs may take; see `errorCatalogue`. */
export const budgetErrors = {
  "budget-runs": {
    status: 429,
    title: "Runs of the day used up",
    message: "{of} has had the {limit} runs that it may have in a day. Try again in {retryAfterSeconds} seconds.",
    retryable: true,
  },
  "budget-tokens-of-day": {
    status: 429,
    title: "Tokens of the day used up",
    message: "{of} has used the {limit} tokens that it may use in a day. Try again in {retryAfterSeconds} seconds.",
    retryable: true,
  },
  "budget-money": {
    status: 429,
    title: "Money of the day used up",
    message:
      "{of} has cost the {limit} US dollars that it may cost in a day. Try again in {retryAfterSeconds} seconds.",
    retryable: true,
  },
  "budget-bytes": {
    status: 429,
    title: "Storage of the day used up",
    message:
      "{of} has stored the {limit} bytes that it may store in a day, or would with this request. Try again in {retryAfterSeconds} seconds.",
    retryable: true,
  },
  "budget-model-calls": {
    status: 500,
    title: "Too many model calls",
    message: "The run and what it started made {limit} model calls, the most that this agent's budget allows.",
  },
  "budget-tool-calls": {
    status: 500,
    title: "Too many tool calls",
    message: "The run and what it started made {limit} tool calls, the most that this agent's budget allows.",
  },
  "budget-tokens": {
    status: 500,
    title: "Too many tokens",
    message:
      "The run and what it started would use more than {limit} tokens with its next model call, the most that this agent's budget allows.",
  },
  "budget-steps": {
    status: 500,
    title: "Too many steps",
    message: "The run and what it started made {limit} steps, the most that this agent's budget allows.",
  },
  "budget-spent": {
    status: 500,
    title: "Budget of the day used up",
    message: "The run ended because its next model call does not fit into the day's budget: {reason}",
  },
} as const;
