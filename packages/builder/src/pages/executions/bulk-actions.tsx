import { Alert, List, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import type { ExecutionSummary } from "@weft/client";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { executionKeys } from "../../api/executions.ts";
import { CircleCheck, RotateCcw, Trash2, TriangleAlert } from "../../icons/icons.gen.ts";
import { commonStrings, executionStrings } from "../../strings.ts";
import { toPlainText } from "../../ui/content/markdown-blocks.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { ConfirmDialog } from "../../ui/page/dialogs.tsx";
import { useRequest } from "../../ui/page/requests.ts";
import classes from "./executions-table.module.css";
import { type BulkReport, forEachRun } from "./for-each-run.ts";

const { bulk: strings } = executionStrings;

type Kind = "retry" | "delete";

/** What can be done with the selected runs, and what came of it. Renders nothing while neither is there. */
export function BulkActions({ runs, onDone }: { runs: readonly ExecutionSummary[]; onDone(): void }) {
  const [report, setReport] = useState<BulkReport & { kind: Kind }>();
  const [isAsking, { open, close }] = useDisclosure(false);
  const finish = (kind: Kind) => (found: BulkReport) => {
    setReport({ kind, ...found });
    onDone();
  };
  const retry = useRequest(() => forEachRun(runs, ({ id }) => client.retryExecution({ id })), {
    stale: [executionKeys.all],
    next: finish("retry"),
  });
  const remove = async () => finish("delete")(await forEachRun(runs, ({ id }) => client.deleteExecution({ id })));
  return (
    <>
      {report && <Report {...report} onClose={() => setReport(undefined)} />}
      {runs.length > 0 && (
        <section className={classes.bulk} aria-label={strings.label}>
          <Text size="sm" mr="auto" role="status">
            {strings.selected({ count: runs.length })}
          </Text>
          <Action icon={RotateCcw} label={strings.retry} size="xs" runs={retry} />
          <Action icon={Trash2} label={commonStrings.delete} size="xs" disabled={retry.isPending} onClick={open} />
          <Action label={strings.clear} size="xs" variant="subtle" disabled={retry.isPending} onClick={onDone} />
        </section>
      )}
      <ConfirmDialog
        opened={isAsking}
        title={strings.deleteTitle({ count: runs.length })}
        confirmLabel={strings.deleteConfirm({ count: runs.length })}
        onConfirm={remove}
        stale={[executionKeys.all]}
        onClose={close}
      >
        {strings.deleteText}
      </ConfirmDialog>
    </>
  );
}

type ReportProps = BulkReport & { kind: Kind; onClose(): void };

function Report({ kind, done, failures, onClose }: ReportProps) {
  const isGood = failures.length === 0;
  return (
    <Alert
      color={isGood ? "green" : "yellow"}
      variant="light"
      mb="sm"
      role="status"
      icon={isGood ? <CircleCheck size={18} aria-hidden /> : <TriangleAlert size={18} aria-hidden />}
      title={kind === "retry" ? strings.retried({ count: done }) : strings.deleted({ count: done })}
      withCloseButton
      closeButtonLabel={commonStrings.close}
      onClose={onClose}
    >
      {!isGood && (
        <>
          <Text size="sm">
            {kind === "retry"
              ? strings.notRetried({ count: failures.length })
              : strings.notDeleted({ count: failures.length })}
          </Text>
          <List size="sm" mt={4}>
            {failures.map(({ run, reason }) => (
              <List.Item key={run.id}>
                <Link to="/executions/$executionId" params={{ executionId: run.id }} className={classes.failed}>
                  {toPlainText(run.question) || executionStrings.noQuestion}
                </Link>
                {` – ${reason}`}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Alert>
  );
}
