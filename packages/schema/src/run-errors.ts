// The parts of `errorCatalogue` about runs.

/** What runs may take. */
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

/** Runs whose process ended under them. */
export const crashErrors = {
  "flow-crashed": {
    status: 500,
    title: "Run abandoned",
    message:
      "The server stopped {count} times in a row during this run without completing another step, so the run was abandoned. Check the server's log for the cause.",
  },
  "flow-outcome-unknown": {
    status: 500,
    title: "Outcome unknown",
    message:
      "The server stopped while {name} was running, so it is unknown whether it took effect. Check the called service before you retry.",
  },
} as const;

/** Agents, the answers of their models and the tools they call. */
export const toolErrors = {
  "model-answer-too-large": {
    status: 500,
    title: "Response from the model too large",
    message: "The model's response is longer than {limitBytes} bytes, the limit set by MODEL_ANSWER_LIMIT.",
  },
  "agent-no-answer": {
    status: 500,
    title: "The agent gave no answer",
    message:
      "The agent called tools in {rounds} answers in a row, which is its limit, and said nothing when it was asked for an answer without them. Raise the limit, or tell it in its instructions when to answer.",
  },
  "tool-invalid": { status: 500, title: "Tool not usable", message: "The tool {name} cannot be used: {reason}" },
  "tool-failed": { status: 500, title: "Tool failed", message: "The tool {name} failed: {reason}" },
} as const;
