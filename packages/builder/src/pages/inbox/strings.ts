import { formatNumber, localized } from "../../languages/index.ts";

/** Texts of the Inbox page. */
export const inboxStrings = localized("inbox", {
  title: "Inbox",
  summary: "Runs that wait for a person. They continue with your answer.",
  list: "Questions",
  emptyTitle: "Nothing waits for an answer",
  emptyText: "When an agent asks for approval or for input, its question appears here, and you answer it in place.",
  exampleAgent: "Refunds",
  exampleQuestion: "Refund $40 for order 17?",
  exampleYes: "Approve",
  exampleNo: "Reject",
  stale: "The list may be out of date",
  agentGone: "Deleted agent",
  startedBy: {
    account: "Chat of an account",
    "api-key": "Chat over an API key",
    schedule: "Started by a schedule",
    visitor: "Chat of a visitor",
  },
  session: (id: string) => `Session ${id}`,
  asked: (moment: string) => `Asked ${moment}`,
  began: "Started with",
  viewRun: "View run",
  viewRunOf: (agent: string) => `View run of ${agent}`,
  failed: "Your answer was not sent",
  outcomes: {
    answered: (label: string) => `Answered: ${label}. The run continues.`,
    late: "Someone else answered first, or the run has ended. Your answer was not used.",
    gone: "Someone else answered this question, or the run has ended.",
  },
  range: (from: number, to: number, total: number) =>
    `${formatNumber(from)}–${formatNumber(to)} of ${formatNumber(total)}`,
  pages: "Pages of questions",
  previousPage: "Previous page",
  nextPage: "Next page",
});
