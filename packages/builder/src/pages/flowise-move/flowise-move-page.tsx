import { Alert, FileButton, Group, Progress, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { FlowiseImport, FlowiseImportRun, FlowiseReport } from "@weft/client";
import { useEffect, useState } from "react";
import { client, queryClient } from "../../api/client.ts";
import { isForbidden } from "../../api/settings.ts";
import { ArrowLeft, CloudOff, Download, FileUp, LockKeyhole } from "../../icons/icons.gen.ts";
import { flowiseMoveStrings as strings } from "../../strings.ts";
import { CodeBlock } from "../../ui/content/code-block.tsx";
import { formatSize } from "../../ui/content/format.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { TextLink } from "../../ui/controls/links.tsx";
import { downloadText } from "../../ui/download-text.ts";
import { ConfirmDialog } from "../../ui/page/dialogs.tsx";
import { ErrorNotice, ListBody } from "../../ui/page/notices.tsx";
import { EmptyState, Page, Section } from "../../ui/page/page.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { type Choices, ChoicesForm, toStart } from "./choices-form.tsx";
import { flowiseImportQuery, isIncomplete, showState, type Upload, useUpload } from "./flowise-import-query.ts";
import classes from "./flowise-move.module.css";
import { kindOf, ReportView } from "./report-view.tsx";

/** Takes over an installation of Flowise: its file, a dry run, the import, and the report. */
export function FlowiseMovePage() {
  const query = useQuery(flowiseImportQuery);
  if (isForbidden(query.error)) {
    return (
      <Page title={strings.title}>
        <EmptyState icon={LockKeyhole} title={strings.forbiddenTitle} text={strings.forbiddenText} />
      </Page>
    );
  }
  const back = (
    <TextLink to="/settings">
      <ArrowLeft size={14} aria-hidden className={classes.back} /> {strings.back}
    </TextLink>
  );
  return (
    <Page title={strings.title} summary={strings.summary} actions={back}>
      {query.data !== undefined && query.error !== null && (
        <Alert color="yellow" role="alert" icon={<CloudOff size={18} aria-hidden />}>
          {strings.outOfReach}
        </Alert>
      )}
      <ListBody query={query} rowHeight={120}>
        {(state) => <Move state={state} />}
      </ListBody>
    </Page>
  );
}

function Move({ state }: { state: FlowiseImport }) {
  const { file, run } = state;
  useFreshPages(run);
  if (run !== null && !run.dryRun) {
    if (run.state === "running") return <Running run={run} />;
    if (run.state === "done") return <Imported report={run.report} />;
  }
  return (
    <>
      <FileSection file={file} isBusy={run?.state === "running"} />
      {file !== null && !isIncomplete(state) && <Preparation key={file.name} state={state} file={file} />}
    </>
  );
}

/** What other pages show was changed by an import. */
function useFreshPages(run: FlowiseImport["run"]): void {
  const isImported = run !== null && !run.dryRun && run.state !== "running";
  useEffect(() => {
    if (!isImported) return;
    const [key] = flowiseImportQuery.queryKey;
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== key });
  }, [isImported]);
}

type PreparationProps = { state: FlowiseImport; file: NonNullable<FlowiseImport["file"]> };

/** What is chosen for a file, its dry run, and the button that imports it. */
function Preparation({ state: { run, hasKey }, file }: PreparationProps) {
  const [choices, setChoices] = useState<Choices>({
    key: keptKey(hasKey),
    workspace: run?.workspace ?? null,
    openFlows: run?.openFlows ?? "closed",
    confirmDestinations: run?.confirmDestinations ?? false,
  });
  const start = useMutation({
    mutationFn: (dryRun: boolean) => client.startFlowiseImport({ ...toStart(choices), dryRun }),
    onSuccess(next) {
      showState(next);
      setChoices({ ...choices, key: keptKey(next.hasKey) });
    },
    // Someone else may have begun one.
    onError: () => queryClient.invalidateQueries({ queryKey: flowiseImportQuery.queryKey }),
  });
  const isChanged =
    run !== null &&
    (choices.key !== keptKey(hasKey) || choices.workspace !== run.workspace || choices.openFlows !== run.openFlows);
  const isRunning = run?.state === "running";
  return (
    <>
      <ChoicesForm
        {...{ file, hasKey, choices, isBusy: isRunning || start.isPending }}
        submitLabel={run === null ? strings.startDryRun : strings.repeatDryRun}
        isPrimary={run?.state !== "done" || isChanged}
        onChange={setChoices}
        onSubmit={() => start.mutate(true)}
      />
      <ErrorNotice error={start.error} />
      {isRunning && <Running run={run} />}
      {run?.state === "failed" && <Failed run={run} />}
      {run?.state === "done" && (
        <Section title={strings.dryRun}>
          <ReportView report={run.report} />
          {isChanged && (
            <Text size="sm" fw={500} role="status">
              {strings.changed}
            </Text>
          )}
          <Group>
            <Action
              label={strings.submit}
              disabled={isChanged}
              loading={start.isPending}
              onClick={() => start.mutate(false)}
              variant="filled"
            />
          </Group>
        </Section>
      )}
    </>
  );
}

const keptKey = (hasKey: boolean) => (hasKey ? undefined : "");

function Failed({ run: { dryRun, error } }: { run: Extract<FlowiseImportRun, { state: "failed" }> }) {
  return <ErrorNotice error={new Error(error)} title={dryRun ? strings.dryRunFailed : strings.importFailed} />;
}

/** How far a dry run or an import is. */
function Running({ run: { dryRun, progress } }: { run: Extract<FlowiseImportRun, { state: "running" }> }) {
  const [isStopping, setStopping] = useState(false);
  const title = dryRun ? strings.dryRun : strings.import;
  const share = progress === null || progress.total === 0 ? 0 : (progress.done / progress.total) * 100;
  return (
    <Section title={title}>
      <div>
        <Progress value={share} size="md" aria-label={title} />
        <Text size="sm" mt={6} role="status">
          {progress === null
            ? strings.opening
            : strings.reading({ kind: kindOf(progress.table), done: progress.done, total: progress.total })}
        </Text>
      </div>
      <Hint>{strings.goesOn}</Hint>
      <Group>
        <Action label={strings.stop} onClick={() => setStopping(true)} />
      </Group>
      <ConfirmDialog
        opened={isStopping}
        title={strings.stopTitle}
        confirmLabel={strings.stop}
        onConfirm={forget}
        onClose={() => setStopping(false)}
      >
        {dryRun ? strings.stopDryRunText : strings.stopImportText}
      </ConfirmDialog>
    </Section>
  );
}

function Imported({ report }: { report: FlowiseReport }) {
  const close = useMutation({ mutationFn: forget });
  const download = () =>
    downloadText("flowise-import-report.json", `${JSON.stringify(report, null, 2)}\n`, "application/json");
  return (
    <Section title={strings.import}>
      <ReportView report={report} />
      <Hint>{strings.removed}</Hint>
      <ErrorNotice error={close.error} />
      <Group>
        <Action icon={Download} label={strings.downloadReport} onClick={download} />
        <Action label={strings.close} runs={close} />
      </Group>
    </Section>
  );
}

async function forget(): Promise<void> {
  showState(await client.cancelFlowiseImport());
}

type UploadedFile = NonNullable<FlowiseImport["file"]>;

type Props = { file: UploadedFile | null; isBusy: boolean };

const command = `npm run -s import-flowise -- --database ~/.flowise/database.sqlite \\
  --key ~/.flowise/encryption.key --storage ~/.flowise/storage --dry-run`;

/** Uploads the database or the export, goes on with an upload that was interrupted, and removes it. */
function FileSection({ file, isBusy }: Props) {
  const { start, running, error } = useUpload();
  const isComplete = file !== null && file.receivedBytes === file.sizeBytes && running === undefined;
  return (
    <Section title={strings.file} text={isComplete ? undefined : strings.fileText}>
      {running !== undefined ? (
        <Uploading upload={running} />
      ) : (
        <>
          {file !== null && <Text size="sm">{describe(file)}</Text>}
          <ErrorNotice error={error} />
          <Buttons {...{ file, isBusy, start }} />
        </>
      )}
      {file === null && running === undefined && (
        <div>
          <Hint mb={6}>{strings.commandText}</Hint>
          <CodeBlock text={command} />
        </div>
      )}
    </Section>
  );
}

function describe({ name, sizeBytes, receivedBytes }: UploadedFile): string {
  if (receivedBytes === sizeBytes) return strings.complete({ name, size: formatSize(sizeBytes) });
  return strings.incomplete({ received: formatSize(receivedBytes), size: formatSize(sizeBytes), name });
}

function Uploading({ upload }: { upload: NonNullable<Upload["running"]> }) {
  const { name, sentBytes, sizeBytes, isLost, stop } = upload;
  return (
    <>
      <div>
        <Progress value={(sentBytes / sizeBytes) * 100} size="md" aria-label={strings.uploading({ name })} />
        <Text size="sm" mt={6}>
          {strings.uploaded({ sent: formatSize(sentBytes), size: formatSize(sizeBytes) })}
        </Text>
      </div>
      <Hint role="status">{isLost ? strings.lost : strings.uploadGoesOn}</Hint>
      <Group>
        <Action label={strings.stopUpload} onClick={stop} />
      </Group>
    </>
  );
}

type ButtonsProps = Props & Pick<Upload, "start">;

function Buttons({ file, isBusy, start }: ButtonsProps) {
  const remove = useMutation({ mutationFn: () => client.cancelFlowiseImport(), onSuccess: showState });
  const isComplete = file !== null && file.receivedBytes === file.sizeBytes;
  const choose = (chosen: File | null) => {
    if (chosen === null) return;
    const isSame = file !== null && file.name === chosen.name && file.sizeBytes === chosen.size;
    start(chosen, isSame ? file.receivedBytes : 0);
  };
  return (
    <>
      <ErrorNotice error={remove.error} />
      <Group>
        {!isComplete && (
          <FileButton accept=".sqlite,.sqlite3,.db,.json" onChange={choose}>
            {(props) => (
              <Action
                {...props}
                icon={FileUp}
                label={file === null ? strings.choose : strings.chooseAgain}
                variant="filled"
              />
            )}
          </FileButton>
        )}
        {file !== null && <Action label={strings.remove} disabled={isBusy} runs={remove} />}
      </Group>
    </>
  );
}
