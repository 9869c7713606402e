import { Button, Checkbox, Divider, FileButton, Group, Radio, Stack, Text } from "@mantine/core";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import type { ImportFile, ImportReport } from "@weft/client";
import { useState } from "react";
import { client, queryClient } from "../../../api/client.ts";
import { Download, FileUp } from "../../../icons/icons.gen.ts";
import { formatList, formatNumber } from "../../../languages/index.ts";
import { commonStrings, namesIn, transferStrings as strings } from "../../../strings.ts";
import { Action } from "../../../ui/controls/actions.tsx";
import { downloadText } from "../../../ui/download-text.ts";
import { type Column, DataTable } from "../../../ui/list/list-page.tsx";
import { ErrorNotice } from "../../../ui/page/notices.tsx";
import { Section } from "../../../ui/page/page.tsx";
import { Hint } from "../../../ui/text/hint.tsx";

type ImportMode = keyof typeof strings.modes;

/** Everything out as one file, and such a file in: first what it would do, then its import. */
export function TransferSection() {
  return (
    <Section title={strings.title} text={strings.text}>
      <ExportForm />
      <Divider />
      <ImportForm />
    </Section>
  );
}

function ExportForm() {
  const [withVersions, setWithVersions] = useState(true);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.exportInstallation({ versions: withVersions ? "all" : "current" }),
    onSuccess(file) {
      const name = strings.fileName({ isoDay: file.createdDate.slice(0, "2026-01-31".length) });
      downloadText(name, `${JSON.stringify(file, null, 2)}\n`, "application/json");
    },
  });
  return (
    <Stack gap="sm">
      <Checkbox
        label={strings.withVersions}
        checked={withVersions}
        onChange={(event) => setWithVersions(event.currentTarget.checked)}
      />
      <ErrorNotice error={error} />
      <Group>
        <Action icon={Download} label={strings.download} runs={{ mutate, isPending }} />
      </Group>
    </Stack>
  );
}

/** A file that was chosen, and what is done where it differs from what is here. */
type Choice = { name: string; content: ImportFile; mode: ImportMode };

function ImportForm() {
  const [choice, setChoice] = useState<Choice>();
  const read = useMutation({ mutationFn: readExport, onSuccess: (file) => setChoice({ ...file, mode: "skip" }) });
  const choose = (file: File | null) => {
    if (file === null) return;
    setChoice(undefined);
    read.mutate(file);
  };
  return (
    <Stack gap="sm">
      <Group>
        <FileButton accept=".json,application/json" onChange={choose}>
          {(props) => <Action {...props} icon={FileUp} label={strings.choose} />}
        </FileButton>
      </Group>
      <ErrorNotice error={read.error} />
      {choice !== undefined && <ChosenFile choice={choice} onChange={setChoice} onClose={() => setChoice(undefined)} />}
    </Stack>
  );
}

type ChosenFileProps = { choice: Choice; onChange(choice: Choice): void; onClose(): void };

/** What the import of a chosen file would do; its import; and what that did. */
function ChosenFile({ choice, onChange, onClose }: ChosenFileProps) {
  const { name, mode } = choice;
  const preview = useQuery(previewQuery(choice));
  const write = useMutation({
    mutationFn: ({ content, mode }: Choice) => client.importInstallation({ mode, dryRun: false }, content),
    onSuccess: () => void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== previewKey }),
  });
  if (write.data !== undefined) {
    return (
      <>
        <ReportView report={write.data} summary={strings.imported({ name })} />
        <Group>
          <Button onClick={onClose}>{strings.done}</Button>
        </Group>
      </>
    );
  }
  const report = preview.isFetching ? undefined : preview.data;
  const changes = report !== undefined && wouldChange(report);
  return (
    <>
      <ModeChoice mode={mode} onChange={(mode) => onChange({ ...choice, mode })} />
      {preview.isFetching && <Hint role="status">{strings.checking}</Hint>}
      {report && <ReportView report={report} summary={(changes ? strings.preview : strings.nothingToDo)({ name })} />}
      <ErrorNotice error={preview.error ?? write.error} />
      <Group>
        <Action
          label={strings.submit}
          disabled={!changes}
          loading={write.isPending}
          onClick={() => write.mutate(choice)}
          variant="filled"
        />
        <Action label={strings.cancel} disabled={write.isPending} onClick={onClose} />
      </Group>
    </>
  );
}

type ModeChoiceProps = { mode: ImportMode; onChange(mode: ImportMode): void };

function ModeChoice({ mode, onChange }: ModeChoiceProps) {
  return (
    <Radio.Group label={strings.mode} value={mode} onChange={onChange}>
      <Group mt={6}>
        {(["skip", "overwrite"] as const).map((value) => (
          <Radio key={value} value={value} label={strings.modes[value]} />
        ))}
      </Group>
    </Radio.Group>
  );
}

const previewKey = "import-preview";

/** What an import would do now; asked for each choice, and never answered from an earlier one. */
const previewQuery = ({ name, content, mode }: Choice) =>
  queryOptions({
    queryKey: [previewKey, name, mode],
    queryFn: ({ signal }) => client.importInstallation({ mode, dryRun: true }, content, { signal }),
    gcTime: 0,
    staleTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });

/** Reads a chosen file; whether it is an export is for the server to say. */
async function readExport(file: File): Promise<Omit<Choice, "mode">> {
  try {
    return { name: file.name, content: JSON.parse(await file.text()) as ImportFile };
  } catch {
    throw new Error(strings.notJson({ name: file.name }));
  }
}

function wouldChange(report: ImportReport): boolean {
  return transferKinds.some((kind) => report[kind].added.length > 0 || report[kind].overwritten.length > 0);
}

type TransferKind = keyof typeof strings.kinds;
type Outcome = keyof typeof strings.outcomes;

/** The kinds of entries in a file, in the order in which they are shown. */
const transferKinds = namesIn(strings.kinds);
const outcomes = namesIn(strings.outcomes);
/** What a person wants to know by name before saying yes. */
const namedOutcomes: readonly Outcome[] = ["added", "overwritten", "skipped"];

function toColumns(report: ImportReport): Column<TransferKind>[] {
  return [
    { key: "kind", header: strings.kind, cell: (kind) => strings.kinds[kind] },
    ...outcomes.map((outcome) => ({
      key: outcome,
      header: strings.outcomes[outcome],
      isNarrow: true,
      cell: (kind: TransferKind) => formatNumber(report[kind][outcome].length),
    })),
  ];
}

type Props = { report: ImportReport /** What the numbers say, in a sentence. */; summary: string };

/** What an import does, or did, with each entry of a file, and what is left for a person to do. */
function ReportView({ report, summary }: Props) {
  return (
    <Stack gap="sm">
      <Text size="sm" fw={500} role="status">
        {summary}
      </Text>
      <DataTable label={strings.report} columns={toColumns(report)} rows={transferKinds} idOf={(kind) => kind} />
      <Names report={report} />
      {report.next.length > 0 && (
        <section aria-label={strings.next}>
          <Text size="sm" fw={500}>
            {strings.next}
          </Text>
          <ul>
            {report.next.map(({ topic, id, message }) => (
              <Text key={`${topic} ${id} ${message}`} component="li" size="sm">
                {message}
              </Text>
            ))}
          </ul>
        </section>
      )}
    </Stack>
  );
}

function Names({ report }: Pick<Props, "report">) {
  return namedOutcomes.map((outcome) => {
    const names = transferKinds.flatMap((kind) => report[kind][outcome].map(({ name }) => name));
    return names.length === 0 ? null : (
      <Hint key={outcome} style={{ overflowWrap: "anywhere" }}>
        {commonStrings.labelled({ label: strings.outcomes[outcome], value: formatList(names) })}
      </Hint>
    );
  });
}
