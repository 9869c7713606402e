import { Select, Textarea } from "@mantine/core";
import { useState } from "react";
import { client } from "../api/client.ts";
import { documentStoreKeys } from "../api/document-stores.ts";
import { commonStrings, storeQuestionStrings as strings } from "../strings.ts";
import { FormDialog } from "../ui/page/dialogs.tsx";

/** A question with what should be found. With an `id` it is in the set already. */
export type QuestionDraft = { id?: string; question: string; relevant: readonly string[]; words: readonly string[] };

type Props = {
  /** Where it may be added: the first, unless another is chosen. */
  stores: readonly { id: string; name: string }[];
  draft: QuestionDraft;
  onClose(): void;
};

/** Adds a question to the set of a store, or changes one. */
export function QuestionDialog({ stores, draft, onClose }: Props) {
  const [storeId, setStoreId] = useState(stores[0]?.id ?? "");
  const [question, setQuestion] = useState(draft.question);
  const [documents, setDocuments] = useState(draft.relevant.join("\n"));
  const [words, setWords] = useState(draft.words.join("\n"));
  const relevant = toLines(documents);
  const { id: questionId } = draft;
  const save = () => {
    const body = { question: question.trim(), relevant, words: toLines(words) };
    return questionId === undefined
      ? client.addStoreQuestion({ id: storeId }, body)
      : client.updateStoreQuestion({ id: storeId, questionId }, body);
  };
  return (
    <FormDialog
      title={questionId === undefined ? strings.addTitle : strings.editTitle}
      submitLabel={questionId === undefined ? strings.add : commonStrings.save}
      isComplete={question.trim() !== "" && relevant.length > 0 && storeId !== ""}
      onSubmit={save}
      stale={[[...documentStoreKeys.all, "questions", storeId]]}
      done={questionId === undefined ? strings.added : strings.saved}
      onClose={onClose}
    >
      {stores.length > 1 && (
        <Select
          label={strings.store}
          allowDeselect={false}
          data={stores.map(({ id, name }) => ({ value: id, label: name }))}
          value={storeId}
          onChange={(chosen) => setStoreId(chosen ?? storeId)}
        />
      )}
      <Textarea
        label={strings.question}
        data-autofocus
        required
        autosize
        minRows={1}
        maxRows={6}
        maxLength={2_000}
        value={question}
        onChange={(event) => setQuestion(event.currentTarget.value)}
      />
      <Textarea
        label={strings.documents}
        description={strings.documentsHelp}
        required
        autosize
        minRows={2}
        maxRows={8}
        value={documents}
        onChange={(event) => setDocuments(event.currentTarget.value)}
      />
      <Textarea
        label={strings.words}
        description={strings.wordsHelp}
        autosize
        minRows={1}
        maxRows={6}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

function toLines(text: string): string[] {
  return [...new Set(text.split("\n").map((line) => line.trim()))].filter((line) => line !== "");
}
