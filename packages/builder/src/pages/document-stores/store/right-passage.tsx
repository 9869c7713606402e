import { useState } from "react";
import type { StoreView } from "../../../api/document-stores.ts";
import { ListChecks } from "../../../icons/icons.gen.ts";
import { QuestionDialog } from "../../../questions/index.ts";
import { storeQuestionsStrings } from "../../../strings.ts";
import { Action } from "../../../ui/controls/actions.tsx";
import type { Found } from "./passage-parts.tsx";

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
