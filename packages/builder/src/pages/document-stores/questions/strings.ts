import { formatNumber, localized, withDecimals } from "../../../languages/index.ts";

const count = (number: number, one: string, many: string) => `${formatNumber(number)} ${number === 1 ? one : many}`;

/** Texts of the question set of a document store. */
export const storeQuestionsStrings = localized("storeQuestions", {
  tab: "Questions",
  title: "Question set",
  help: "Questions with the documents that should be found for them. Check them after a change to see whether the store answers better or worse.",
  emptyTitle: "No questions yet",
  emptyText:
    "Add questions that people really ask, with the documents that answer them: here, from a search on the Query tab, or from an answer in a chat.",
  add: "Add a question",
  import: "Import",
  export: "Export",
  imported: (added: number, skipped: number) =>
    `${count(added, "question", "questions")} added, ${formatNumber(skipped)} already there.`,
  check: "Check now",
  checking: "Checking the questions",
  progress: (done: number, total: number) => `${formatNumber(done)} of ${count(total, "question", "questions")} asked`,
  cancel: "Cancel",
  cancelled: "The check was cancelled. Nothing was kept of it.",
  checked: (regressions: number) =>
    regressions === 0 ? "All questions were checked." : `${count(regressions, "question", "questions")} got worse.`,

  afterIndexing: "Check the questions after every indexing",
  afterIndexingHelp:
    "When documents changed, all questions are asked once indexing has ended. A drop in recall is shown here, in the log and in the metrics.",
  checkWaiting: "Documents changed. The questions are checked once indexing has ended.",
  checkFailed: "The last check after indexing failed",
  results: "Last check",
  causedByIndexing: "after indexing",
  dropTitle: (drop: number) => `Recall@5 dropped by ${withDecimals(drop, 3)}`,
  dropText:
    "Fewer of the expected documents are among the first five than in the check before. Questions that got worse come first below.",
  recall1Help: "Share of the expected documents that came first",
  recall5Help: "Share of the expected documents among the first five",
  mrrHelp: "Mean of 1 / place of the first right document",
  change: (difference: number) => `${difference > 0 ? "+" : "−"}${withDecimals(Math.abs(difference), 3)}`,
  unchanged: "unchanged",
  settings: (model: string, mode: string, splitters: string, reranker: string) =>
    `${model} · ${mode} · ${splitters} · ${reranker}`,
  noReranker: "not reranked",
  took: (questions: number, ms: number) => `${count(questions, "question", "questions")} in ${formatNumber(ms)} ms`,
  chart: "Over time",
  chartSummary: (checks: number, first: string, last: string) =>
    `Recall and MRR of ${count(checks, "check", "checks")}; MRR from ${first} to ${last}`,

  list: "Questions",
  search: "Search questions",
  question: "Question",
  expected: "Expected",
  mustContain: (words: string) => `with “${words}”`,
  place: "Place",
  notFound: "Not found",
  notChecked: "Not checked yet",
  was: (place: number) => `was ${place}`,
  wasNotFound: "was not found",
  worse: "Worse",
  better: "Better",
  found: "Passages found",
  nothingFound: "Nothing was found.",
  right: "Right",
  deleteTitle: "Delete this question?",
  deleteText: (question: string) => `This deletes “${question}” from the set. Earlier checks keep their numbers.`,
  passageIsRight: "This passage is right",
});
