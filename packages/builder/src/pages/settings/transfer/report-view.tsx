import { Stack, Text } from "@mantine/core";
import type { ImportReport } from "@weft/client";
import { formatList, formatNumber } from "../../../languages/index.ts";
import { commonStrings, transferStrings as strings } from "../../../strings.ts";
import { type Column, DataTable } from "../../../ui/list/list-page.tsx";
import { Hint } from "../../../ui/text/hint.tsx";

type TransferKind = keyof typeof strings.kinds;
type Outcome = keyof typeof strings.outcomes;

/** The kinds of entries in a file, in the order in which they are shown. */
export const transferKinds = Object.keys(strings.kinds) as TransferKind[];
const outcomes = Object.keys(strings.outcomes) as Outcome[];
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
export function ReportView({ report, summary }: Props) {
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
