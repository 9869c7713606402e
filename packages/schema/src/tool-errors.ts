/** The part of the catalogue about agents, their models' answers and the tools they call; see `errorCatalogue`. */
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
