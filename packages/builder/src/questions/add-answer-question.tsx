import { useQuery } from "@tanstack/react-query";
import type { Document } from "@weft/client";
import { useEffect, useState } from "react";
import { errorSentence } from "../api/client.ts";
import { documentStoresQuery, type StoreView } from "../api/document-stores.ts";
import { ListChecks } from "../icons/icons.gen.ts";
import { storeQuestionStrings as strings } from "../strings.ts";
import { IconAction } from "../ui/controls/actions.tsx";
import { notifyFailed } from "../ui/page/notices.tsx";
import { QuestionDialog } from "./question-dialog.tsx";

type Props = { question: string; documents: readonly Document[] };

/**
 * Adds the question of a chat to the set of the store that answered it, with the documents that the answer cites, or all
 * that it had where it cites none. Nothing where no passage is of a store.
 */
export function AddAnswerQuestion({ question, documents }: Props) {
  const [isOpen, setOpen] = useState(false);
  const expected = expectedOf(documents);
  if (question.trim() === "" || expected.length === 0) return null;
  return (
    <>
      <IconAction icon={ListChecks} label={strings.fromAnswer} tip onClick={() => setOpen(true)} size={22} />
      {isOpen && <InStore question={question} expected={expected} onClose={() => setOpen(false)} />}
    </>
  );
}

type Expected = { loaderId: string; name: string };

/** The form, once it is known which stores have these documents. */
function InStore({
  question,
  expected,
  onClose,
}: {
  question: string;
  expected: readonly Expected[];
  onClose(): void;
}) {
  const { data, error } = useQuery({ ...documentStoresQuery, staleTime: 0 });
  const stores = data?.filter((store) => namesIn(store, expected).length > 0);
  const problem =
    error !== null && data === undefined ? errorSentence(error) : stores?.length === 0 ? strings.noStore : "";
  useEffect(() => {
    if (problem === "") return;
    notifyFailed(problem);
    onClose();
  }, [problem, onClose]);
  const [first] = stores ?? [];
  if (stores === undefined || first === undefined) return null;
  const relevant = [...new Set(stores.flatMap((store) => namesIn(store, expected)))];
  return <QuestionDialog stores={stores} draft={{ question, relevant, words: [] }} onClose={onClose} />;
}

function namesIn({ loaders }: StoreView, expected: readonly Expected[]): string[] {
  const ids = new Set(loaders.map(({ id }) => id));
  return expected.filter(({ loaderId }) => ids.has(loaderId)).map(({ name }) => name);
}

/** What an answer was based on, as questions name it. */
export function expectedOf(documents: readonly Document[]): Expected[] {
  const cited = documents.filter(({ metadata }) => metadata.isCited === true);
  return (cited.length > 0 ? cited : documents).flatMap(({ metadata }) => {
    const { docId: loaderId, source, title } = metadata;
    const name = [source, title].find((one): one is string => typeof one === "string" && one !== "");
    return typeof loaderId === "string" && name !== undefined ? [{ loaderId, name }] : [];
  });
}
