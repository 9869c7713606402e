import { Text } from "@mantine/core";
import type { VectorQueryResult } from "@weft/client";
import { useState } from "react";
import type { StoreView } from "../../../api/document-stores.ts";
import { chunksPerPage } from "../../../api/document-stores.ts";
import { ListChecks } from "../../../icons/icons.gen.ts";
import { QuestionDialog } from "../../../questions/question-dialog.tsx";
import { documentStoresStrings, storeQuestionsStrings } from "../../../strings.ts";
import { Action } from "../../../ui/controls/actions.tsx";
import { TextLink } from "../../../ui/controls/links.tsx";

/** A passage as a query finds it. */
export type Found = VectorQueryResult["docs"][number];

/** Where a passage is from, with a way to it among the chunks of its loader. */
export function PassageSource({ store, found: { metadata, chunkNo } }: { store: StoreView; found: Found }) {
  const loader = store.loaders.find(({ id }) => id === metadata.docId);
  const name = typeof metadata.source === "string" && metadata.source !== "" ? metadata.source : (loader?.name ?? "");
  const number = chunkNo > 0 ? documentStoresStrings.chunk.number({ number: chunkNo }) : "";
  if (loader === undefined || chunkNo === 0) {
    return (
      <Text size="sm" fw={500} truncate>
        {name} {number}
      </Text>
    );
  }
  const params = { storeId: store.id, loaderId: loader.id };
  const search = { page: Math.ceil(chunkNo / chunksPerPage) };
  return (
    <TextLink to="/document-stores/$storeId/loaders/$loaderId/chunks" params={params} search={search} fw={500} truncate>
      {name} {number}
    </TextLink>
  );
}

/** Words that every other sentence has: marked, they hide the telling ones. */
const common = new Set(
  (
    "about after all also and any are can could did does done for from had has have her him his how into its long " +
    "many may more most much not off one our out she should take than that the their them then there these they this " +
    "was were what when where which who whose why will with would you your"
  ).split(" "),
);
const maxWords = 50;

/** The significant words of a question, to highlight in its results. */
export function markedWords(question: string): string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*[\p{L}\p{N}]/gu) ?? [];
  const telling = words.filter((word) => (word.length > 2 || /\d/.test(word)) && !common.has(word));
  return [...new Set(telling.flatMap(withPlural))].slice(0, maxWords);
}

/** Treats an English word and its plural as the same. */
function withPlural(word: string): string[] {
  return word.endsWith("s") ? [word, word.slice(0, -1)] : [word, `${word}s`];
}

type Props = { store: StoreView; found: Found; question: string };

/** Adds the question to the store's set, with the document of a passage as what should be found. */
export function RightPassage({ store, found: { metadata }, question }: Props) {
  const [isOpen, setOpen] = useState(false);
  const name = [metadata.source, metadata.title].find((one): one is string => typeof one === "string" && one !== "");
  if (name === undefined || question === "") return null;
  const draft = { question, relevant: [name], words: [] };
  return (
    <>
      <Action
        icon={ListChecks}
        label={storeQuestionsStrings.passageIsRight}
        size="compact-xs"
        variant="subtle"
        mt={4}
        onClick={() => setOpen(true)}
      />
      {isOpen && <QuestionDialog stores={[store]} draft={draft} onClose={() => setOpen(false)} />}
    </>
  );
}
