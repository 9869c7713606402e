import { Badge, Stack, Text } from "@mantine/core";
import type { StoreEvaluationDetail, StoreQuestion } from "@weft/client";
import { useState } from "react";
import { client } from "../../../api/client.ts";
import { storeQuestionsQuery } from "../../../api/document-stores.ts";
import { TrendingDown, TrendingUp } from "../../../icons/icons.gen.ts";
import { storeQuestionsStrings as strings } from "../../../strings.ts";
import { Disclosure } from "../../../ui/content/code-block.tsx";
import { actionsColumn, type Column, EditDeleteMenu, SearchedTable } from "../../../ui/list/list-page.tsx";
import { ConfirmDialog } from "../../../ui/page/dialogs.tsx";
import { StatusBadge } from "../../../ui/page/page.tsx";
import { Hint } from "../../../ui/text/hint.tsx";
import classes from "./questions.module.css";

type Props = {
  storeId: string;
  questions: readonly StoreQuestion[];
  /** Of the last evaluation. */
  outcomes: readonly Outcome[];
  onEdit(question: StoreQuestion): void;
};

/** The questions, each with its place in the last evaluation and what was found. */
export function QuestionTable({ storeId, questions, outcomes, onEdit }: Props) {
  const [deleted, setDeleted] = useState<StoreQuestion>();
  const remove = async () => {
    if (deleted !== undefined) await client.deleteStoreQuestion({ id: storeId, questionId: deleted.id });
  };
  const menu = actionsColumn<QuestionRow>(({ question }) => (
    <EditDeleteMenu name={question.question} onEdit={() => onEdit(question)} onDelete={() => setDeleted(question)} />
  ));
  return (
    <>
      <SearchedTable
        searchLabel={strings.search}
        textOf={({ question: { question, relevant } }) => [question, ...relevant].join(" ")}
        label={strings.list}
        columns={[...columns, menu]}
        rows={toQuestionRows(questions, outcomes)}
        idOf={({ question }) => question.id}
      />
      <ConfirmDialog
        opened={deleted !== undefined}
        title={strings.deleteTitle}
        onConfirm={remove}
        stale={[storeQuestionsQuery(storeId).queryKey]}
        onClose={() => setDeleted(undefined)}
      >
        {strings.deleteText({ question: deleted?.question ?? "" })}
      </ConfirmDialog>
    </>
  );
}

const columns: readonly Column<QuestionRow>[] = [
  {
    key: "question",
    header: strings.question,
    cell: ({ question, outcome }) => (
      <div className={classes.question}>
        <Text size="sm">{question.question}</Text>
        {outcome !== undefined && (
          <Disclosure summary={strings.found}>
            <FoundPassages outcome={outcome} />
          </Disclosure>
        )}
      </div>
    ),
  },
  {
    key: "expected",
    header: strings.expected,
    cell: ({ question: { relevant, words } }) => (
      <>
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {relevant.join(", ")}
        </Text>
        {words.length > 0 && (
          <Hint size="xs" style={{ overflowWrap: "anywhere" }}>
            {strings.mustContain({ words: words.join("”, “") })}
          </Hint>
        )}
      </>
    ),
  },
  { key: "place", header: strings.place, isNarrow: true, cell: ({ outcome }) => <Place outcome={outcome} /> },
];

function Place({ outcome }: { outcome: Outcome | undefined }) {
  if (outcome === undefined) return <Hint>{strings.notChecked}</Hint>;
  const change = rankChange(outcome);
  const before = outcome.previousRank ?? null;
  return (
    <Stack gap={4} align="flex-start">
      <Text size="sm" fw={500} {...(outcome.rank === null && { c: "var(--mantine-color-error)" })}>
        {outcome.rank ?? strings.notFound}
      </Text>
      {change !== undefined && (
        <StatusBadge tone={change === "worse" ? "bad" : "good"} icon={change === "worse" ? TrendingDown : TrendingUp}>
          {strings[change]}
        </StatusBadge>
      )}
      {change !== undefined && (
        <Hint size="xs">{before === null ? strings.wasNotFound : strings.was({ place: before })}</Hint>
      )}
    </Stack>
  );
}

function FoundPassages({ outcome: { found } }: { outcome: Outcome }) {
  if (found.length === 0) return <Text size="sm">{strings.nothingFound}</Text>;
  return (
    <ol className={classes.found}>
      {found.map(({ document, chunkNo, text, isRight }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed.
        <li key={index}>
          <Text size="sm" fw={500} span>
            {document} {chunkNo > 0 && `#${chunkNo}`}
          </Text>{" "}
          {isRight && (
            <Badge size="sm" variant="light" color="green">
              {strings.right}
            </Badge>
          )}
          <Hint>{text}</Hint>
        </li>
      ))}
    </ol>
  );
}

export type Outcome = StoreEvaluationDetail["outcomes"][number];

/** Whether a question is answered worse or better than the time before; undefined where nothing changed or is known. */
export function rankChange({
  rank,
  previousRank,
}: Pick<Outcome, "rank" | "previousRank">): "worse" | "better" | undefined {
  if (previousRank === undefined || rank === previousRank) return undefined;
  const [now, before] = [rank ?? Number.POSITIVE_INFINITY, previousRank ?? Number.POSITIVE_INFINITY];
  return now > before ? "worse" : "better";
}

type QuestionRow = { question: StoreQuestion; outcome: Outcome | undefined };

/** The questions with their last outcome, those to look at first: what got worse, then what was not found. */
export function toQuestionRows(questions: readonly StoreQuestion[], outcomes: readonly Outcome[]): QuestionRow[] {
  const byId = new Map(outcomes.map((outcome) => [outcome.questionId, outcome]));
  const rows = questions.map((question) => ({ question, outcome: byId.get(question.id) }));
  return rows.sort((a, b) => urgency(a) - urgency(b));
}

function urgency({ outcome }: QuestionRow): number {
  if (outcome === undefined) return 2;
  if (rankChange(outcome) === "worse") return 0;
  return outcome.rank === null ? 1 : 2;
}
