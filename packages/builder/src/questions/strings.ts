import { localized } from "../languages/index.ts";

/** Texts of the form for a question of a document store. */
export const storeQuestionStrings = localized("storeQuestion", {
  addTitle: "Add a question",
  editTitle: "Edit the question",
  add: "Add question",
  question: "Question",
  documents: "Documents that answer it",
  documentsHelp: "One per line, named as in search results. Any of them counts.",
  words: "A passage must contain",
  wordsHelp: "Optional, one text per line. A passage counts only if it contains all of them.",
  store: "Document store",
  added: "The question was added to the store’s question set.",
  saved: "The question was saved.",
  fromAnswer: "Add to questions",
  noStore: "The document store of these sources no longer exists.",
});
