import { Alert, FileButton, Group, Progress, Stack, Switch, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { StoreCheck, StoreEvaluation, StoreQuestion } from "@weft/client";
import { useEffect, useRef, useState } from "react";
import { client } from "../../../api/client.ts";
import {
  documentStoreKeys,
  type EvaluationProgress,
  evaluateStore,
  type StoreView,
  storeCheckQuery,
  storeEvaluationQuery,
  storeEvaluationsQuery,
  storeQuestionsQuery,
} from "../../../api/document-stores.ts";
import { Download, ListChecks, Play, Plus, TrendingDown, Upload } from "../../../icons/icons.gen.ts";
import { withDecimals } from "../../../languages/index.ts";
import { QuestionDialog, type QuestionDraft } from "../../../questions/question-dialog.tsx";
import { documentStoresStrings, storeQuestionsStrings as strings } from "../../../strings.ts";
import { formatMoment } from "../../../ui/content/format.ts";
import { Moment } from "../../../ui/content/time.tsx";
import { Action } from "../../../ui/controls/actions.tsx";
import { downloadText } from "../../../ui/download-text.ts";
import { ErrorNotice, ListBody, notifyDone, notifyFailed } from "../../../ui/page/notices.tsx";
import { EmptyState, Section } from "../../../ui/page/page.tsx";
import { useRequest } from "../../../ui/page/requests.ts";
import { Hint } from "../../../ui/text/hint.tsx";
import { QuestionTable, rankChange } from "./question-table.tsx";
import classes from "./questions.module.css";

const newQuestion: QuestionDraft = { question: "", relevant: [], words: [] };

/** The question set of a store: its questions, how well the store answers them, and how that changed. */
export function QuestionsTab({ store }: { store: StoreView }) {
  const questions = useQuery(storeQuestionsQuery(store.id));
  return (
    <ListBody query={questions}>{(asked: StoreQuestion[]) => <QuestionSet store={store} questions={asked} />}</ListBody>
  );
}

function QuestionSet({ store, questions }: { store: StoreView; questions: readonly StoreQuestion[] }) {
  const [edited, setEdited] = useState<QuestionDraft>();
  const { data: afterwards } = useQuery(storeCheckQuery(store.id));
  const { data: evaluations = [], error } = useQuery(storeEvaluationsQuery(store.id, afterwards?.afterIndexing));
  const last = evaluations[0]?.id ?? "";
  const { data: detail } = useQuery({ ...storeEvaluationQuery(store.id, last), enabled: last !== "" });
  const check = useCheck(store.id);
  const add = (
    <Action
      icon={Plus}
      label={strings.add}
      variant={questions.length === 0 ? "filled" : "default"}
      onClick={() => setEdited(newQuestion)}
    />
  );
  const dialog = edited !== undefined && (
    <QuestionDialog stores={[store]} draft={edited} onClose={() => setEdited(undefined)} />
  );
  if (questions.length === 0) {
    const action = (
      <Group justify="center">
        {add}
        <ImportButton storeId={store.id} />
      </Group>
    );
    return (
      <>
        <EmptyState icon={ListChecks} title={strings.emptyTitle} text={strings.emptyText} action={action} />
        {dialog}
      </>
    );
  }
  return (
    <Section title={strings.title} text={strings.help}>
      <Group gap="xs">
        <Action icon={Play} label={strings.check} loading={check.isRunning} onClick={check.run} variant="filled" />
        {add}
        <ImportButton storeId={store.id} />
        <ExportButton store={store} />
      </Group>
      {check.isRunning && <CheckProgress progress={check.progress} onCancel={check.cancel} />}
      <ErrorNotice error={check.error ?? error} />
      {afterwards !== undefined && <CheckSetting storeId={store.id} check={afterwards} />}
      <EvaluationSummary evaluations={evaluations} />
      <QuestionTable storeId={store.id} questions={questions} outcomes={detail?.outcomes ?? []} onEdit={setEdited} />
      {dialog}
    </Section>
  );
}

/** Asks all questions, until it is cancelled or the page is left. */
function useCheck(storeId: string) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<EvaluationProgress>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const { mutate, isPending, error } = useMutation({
    async mutationFn({ signal }: AbortController) {
      try {
        return await evaluateStore(storeId, { onProgress: setProgress, signal });
      } catch (cause) {
        if (signal.aborted) return undefined;
        throw cause;
      }
    },
    async onSuccess(evaluation, { signal }) {
      if (evaluation === undefined) {
        if (signal.aborted) notifyDone(strings.cancelled);
        return;
      }
      await queries.invalidateQueries({ queryKey: storeEvaluationsQuery(storeId).queryKey });
      const { outcomes } = await queries.fetchQuery(storeEvaluationQuery(storeId, evaluation.id));
      notifyDone(
        strings.checked({ regressions: outcomes.filter((outcome) => rankChange(outcome) === "worse").length }),
      );
    },
  });
  return {
    progress,
    error,
    isRunning: isPending,
    run() {
      setProgress(undefined);
      running.current = new AbortController();
      mutate(running.current);
    },
    cancel: () => running.current?.abort(),
  };
}

function CheckProgress({ progress, onCancel }: { progress: EvaluationProgress | undefined; onCancel(): void }) {
  const { done, total } = progress ?? { done: 0, total: 0 };
  return (
    <Group gap="sm">
      <Progress.Root style={{ flex: 1 }}>
        <Progress.Section value={total === 0 ? 0 : (done / total) * 100} aria-label={strings.checking} />
      </Progress.Root>
      <Hint role="status">{total === 0 ? strings.checking : strings.progress({ done, total })}</Hint>
      <Action label={strings.cancel} size="xs" onClick={onCancel} />
    </Group>
  );
}

function ImportButton({ storeId }: { storeId: string }) {
  const { mutate, isPending } = useRequest(
    async (file: File) => client.importStoreQuestions({ id: storeId }, { text: await file.text() }),
    {
      stale: [documentStoreKeys.all],
      done: ({ added, skipped }) => strings.imported({ added, skipped }),
      isLoud: true,
    },
  );
  return (
    <FileButton accept=".yaml,.yml,.json" onChange={(file) => file !== null && mutate(file)}>
      {(props) => <Action {...props} icon={Upload} label={strings.import} loading={isPending} />}
    </FileButton>
  );
}

function ExportButton({ store }: { store: StoreView }) {
  const download = useRequest(() => client.exportStoreQuestions({ id: store.id }), {
    next: (text) => downloadText("questions.yaml", text, "text/yaml"),
    isLoud: true,
  });
  return <Action icon={Download} label={strings.export} runs={download} />;
}

/** Whether the questions are checked after indexing, and what became of the last such check. */
export function CheckSetting({ storeId, check }: { storeId: string; check: StoreCheck }) {
  const queries = useQueryClient();
  const { queryKey } = storeCheckQuery(storeId);
  /** What was chosen and is not stored yet. A mutation says that it is pending a turn later, when the switch has sprung back. */
  const [chosen, setChosen] = useState<boolean>();
  const { mutate } = useMutation({
    mutationFn: (afterIndexing: boolean) => client.updateStoreCheck({ id: storeId }, { afterIndexing }),
    onMutate: () => queries.cancelQueries({ queryKey }),
    onSuccess: (changed) => queries.setQueryData(queryKey, changed),
    onError: notifyFailed,
    onSettled: () => setChosen(undefined),
  });
  const choose = (afterIndexing: boolean) => {
    setChosen(afterIndexing);
    mutate(afterIndexing);
  };
  const states = { idle: undefined, waiting: strings.checkWaiting, running: strings.checking };
  return (
    <Stack gap="xs">
      <Switch
        label={strings.afterIndexing}
        description={strings.afterIndexingHelp}
        checked={chosen ?? check.afterIndexing}
        onChange={({ currentTarget }) => choose(currentTarget.checked)}
      />
      <Hint role="status" hidden={check.state === "idle"}>
        {states[check.state]}
      </Hint>
      {check.error !== null && (
        <Alert color="red" variant="light" title={strings.checkFailed}>
          {check.error}
        </Alert>
      )}
    </Stack>
  );
}

const measures = [
  ["recallAt1", "Recall@1", strings.recall1Help],
  ["recallAt5", "Recall@5", strings.recall5Help],
  ["meanReciprocalRank", "MRR", strings.mrrHelp],
] as const;

/** The numbers of the newest evaluation against the one before, and all of them over time. `evaluations`: newest first. */
function EvaluationSummary({ evaluations }: { evaluations: readonly StoreEvaluation[] }) {
  const [last, before] = evaluations;
  if (last === undefined) return null;
  const { embedding, mode, splitters, reranker } = last.settings;
  const modes: Readonly<Record<string, string>> = documentStoresStrings.query.modes;
  return (
    <div className={classes.summary}>
      <Group gap="sm" align="baseline">
        <Title order={3} size="h5">
          {strings.results}
        </Title>
        <Moment at={last.createdDate} />
        {last.cause === "indexing" && <Hint>{strings.causedByIndexing}</Hint>}
      </Group>
      {last.recallDrop !== null && (
        <Alert
          color="red"
          variant="light"
          icon={<TrendingDown size={18} aria-hidden />}
          title={strings.dropTitle({ drop: last.recallDrop })}
        >
          {strings.dropText}
        </Alert>
      )}
      {last.warnings.map((warning) => (
        <Alert key={warning} color="yellow" variant="light">
          {warning}
        </Alert>
      ))}
      <dl className={classes.measures}>
        {measures.map(([key, name, help]) => (
          <div key={key}>
            <dt title={help} data-measure={key}>
              {name}
            </dt>
            <dd>
              {withDecimals(last[key], 3)}
              {before !== undefined && <Change difference={last[key] - before[key]} />}
            </dd>
          </div>
        ))}
      </dl>
      <Hint size="xs" style={{ overflowWrap: "anywhere" }}>
        {strings.settings({
          model: embedding,
          mode: modes[mode] ?? mode,
          splitters: splitters.join(", ") || "–",
          reranker: reranker === "none" ? strings.noReranker : reranker,
        })}
        {" · "}
        {strings.took({ questions: last.questions, ms: last.timeTaken })}
      </Hint>
      {evaluations.length > 1 && <Chart evaluations={evaluations.toReversed()} />}
    </div>
  );
}

function Change({ difference }: { difference: number }) {
  const isSame = Math.abs(difference) < 0.0005;
  return (
    <span className={classes.change} data-tone={isSame ? undefined : difference > 0 ? "better" : "worse"}>
      {isSame ? strings.unchanged : `${difference > 0 ? "+" : "−"}${withDecimals(Math.abs(difference), 3)}`}
    </span>
  );
}

function pointTitle(evaluation: StoreEvaluation): string {
  const numbers = measures.map(([key, name]) => `${name} ${withDecimals(evaluation[key], 3)}`);
  const cause = evaluation.cause === "indexing" ? [strings.causedByIndexing] : [];
  return [[formatMoment(evaluation.createdDate), ...cause].join(", "), ...numbers].join("\n");
}

const stepPx = 20;
const heightPx = 80;

/** One line for each measure. `evaluations`: oldest first. */
function Chart({ evaluations }: { evaluations: readonly StoreEvaluation[] }) {
  const widthPx = (evaluations.length - 1) * stepPx;
  const shown = (evaluation: StoreEvaluation | undefined) => withDecimals(evaluation?.meanReciprocalRank ?? 0, 3);
  const lineOf = (key: (typeof measures)[number][0]) =>
    evaluations.map((one, index) => `${index * stepPx},${heightPx - one[key] * heightPx}`).join(" ");
  return (
    <figure className={classes.chart}>
      <figcaption>{strings.chart}</figcaption>
      <div className={classes.plot}>
        <div className={classes.scale} aria-hidden>
          <span>1</span>
          <span>0</span>
        </div>
        <svg
          viewBox={`0 0 ${widthPx} ${heightPx}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={strings.chartSummary({
            checks: evaluations.length,
            first: shown(evaluations[0]),
            last: shown(evaluations.at(-1)),
          })}
        >
          {measures.map(([key]) => (
            <polyline key={key} points={lineOf(key)} data-measure={key} vectorEffect="non-scaling-stroke" />
          ))}
          {evaluations.map((one, index) => (
            <rect key={one.id} x={(index - 0.5) * stepPx} y={0} width={stepPx} height={heightPx} fill="transparent">
              <title>{pointTitle(one)}</title>
            </rect>
          ))}
        </svg>
      </div>
      <div className={classes.ends} aria-hidden>
        <span>{formatMoment(evaluations[0]?.createdDate ?? "")}</span>
        <span>{formatMoment(evaluations.at(-1)?.createdDate ?? "")}</span>
      </div>
    </figure>
  );
}
