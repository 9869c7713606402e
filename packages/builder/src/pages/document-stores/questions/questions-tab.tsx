import { Alert, FileButton, Group, Progress, Stack, Switch } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { StoreCheck, StoreQuestion } from "@weft/client";
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
import { Download, ListChecks, Play, Plus, Upload } from "../../../icons/icons.gen.ts";
import { QuestionDialog, type QuestionDraft } from "../../../questions/question-dialog.tsx";
import { storeQuestionsStrings as strings } from "../../../strings.ts";
import { Action } from "../../../ui/controls/actions.tsx";
import { downloadText } from "../../../ui/download-text.ts";
import { ErrorNotice, ListBody, notifyDone, notifyFailed } from "../../../ui/page/notices.tsx";
import { EmptyState, Section } from "../../../ui/page/page.tsx";
import { useRequest } from "../../../ui/page/requests.ts";
import { Hint } from "../../../ui/text/hint.tsx";
import { EvaluationSummary } from "./evaluation-summary.tsx";
import { QuestionTable, rankChange } from "./question-table.tsx";

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
