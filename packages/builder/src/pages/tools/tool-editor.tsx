import { Alert, Anchor, Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, Save } from "lucide-react";
import type { StoredDraft } from "../../api/use-stored-draft.ts";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { LeaveGuard } from "../../components/leave-guard.tsx";
import { Page } from "../../components/page.tsx";
import { toolsStrings } from "../../strings/tools.ts";
import type { ToolDraft } from "./tool-draft.ts";
import { ToolCode, ToolFacts } from "./tool-fields.tsx";
import { ToolTrial } from "./tool-trial.tsx";
import classes from "./tools.module.css";
import { useToolDraft } from "./use-tool-draft.ts";

export function ToolEditor({ stored }: { stored: StoredDraft<ToolDraft> }) {
  const { draft, change, isDirty, isSaving, error, hasConflict, save, reload } = useToolDraft(stored);
  const canSave = draft.name.trim() !== "" && (isDirty || stored.id === undefined);
  return (
    <Page
      title={draft.name || toolsStrings.newTitle}
      summary={
        <Anchor component={Link} to="/tools" size="sm" c="dimmed">
          <ArrowLeft size={14} aria-hidden style={{ verticalAlign: "-2px" }} /> {toolsStrings.back}
        </Anchor>
      }
      actions={
        <Button leftSection={<Save size={16} aria-hidden />} onClick={save} loading={isSaving} disabled={!canSave}>
          {isDirty || stored.id === undefined ? toolsStrings.save : toolsStrings.savedState}
        </Button>
      }
    >
      {hasConflict ? (
        <Alert color="orange" variant="light" role="alert">
          {toolsStrings.conflict}{" "}
          <Button size="compact-xs" variant="default" onClick={reload}>
            {toolsStrings.reload}
          </Button>
        </Alert>
      ) : (
        <ErrorNotice error={error} />
      )}
      <div className={classes.columns}>
        <div className={classes.column}>
          <ToolFacts draft={draft} onChange={change} />
        </div>
        <div className={classes.column}>
          <ToolCode draft={draft} onChange={change} />
          <ToolTrial id={stored.id} draft={draft} />
        </div>
      </div>
      <LeaveGuard isDirty={isDirty} text={toolsStrings.leaveText} />
    </Page>
  );
}
