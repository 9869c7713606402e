import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { StoredDraft } from "../../api/use-stored-draft.ts";
import { DraftPage } from "../../components/draft-page.tsx";
import { toolsStrings } from "../../strings/tools.ts";
import type { ToolDraft } from "./tool-draft.ts";
import { ToolCode, ToolFacts } from "./tool-fields.tsx";
import { ToolTrial } from "./tool-trial.tsx";
import classes from "./tools.module.css";
import { useToolDraft } from "./use-tool-draft.ts";

export function ToolEditor({ stored }: { stored: StoredDraft<ToolDraft> }) {
  const { draft, change, ...editing } = useToolDraft(stored);
  return (
    <DraftPage
      title={draft.name || toolsStrings.newTitle}
      summary={
        <Anchor component={Link} to="/tools" size="sm" c="dimmed">
          <ArrowLeft size={14} aria-hidden style={{ verticalAlign: "-2px" }} /> {toolsStrings.back}
        </Anchor>
      }
      editing={editing}
      isNew={stored.id === undefined}
      isComplete={draft.name.trim() !== ""}
      strings={toolsStrings}
    >
      <div className={classes.columns}>
        <div className={classes.column}>
          <ToolFacts draft={draft} onChange={change} />
        </div>
        <div className={classes.column}>
          <ToolCode draft={draft} onChange={change} />
          <ToolTrial id={stored.id} draft={draft} />
        </div>
      </div>
    </DraftPage>
  );
}
