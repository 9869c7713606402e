import { ActionIcon, Button, TextInput, Tooltip, VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Agent } from "@weft/client";
import type { Finding } from "@weft/schema";
import { ArrowLeft, type LucideIcon, MessageCircle, Plus, Redo2, Undo2 } from "lucide-react";
import { useCanvas, useEditorState } from "../../canvas/canvas-context.ts";
import { canvasStrings } from "../../strings/canvas.ts";
import classes from "./agent-editor.module.css";
import type { EditorDialog } from "./editor-dialog.ts";
import { EditorMenu } from "./editor-menu.tsx";
import { FindingsButton } from "./findings-button.tsx";
import type { AgentSave } from "./use-agent-save.ts";

const { editor: strings, palette } = canvasStrings;

type Props = {
  agent: Agent;
  saving: AgentSave;
  findings: readonly Finding[];
  hasPalette: boolean;
  hasChat: boolean;
  onPalette(): void;
  onChat(): void;
  onOpen(dialog: EditorDialog): void;
};

export function EditorHeader({ agent, saving, findings, hasPalette, hasChat, onPalette, onChat, onOpen }: Props) {
  const { editor } = useCanvas();
  const canUndo = useEditorState((state) => state.canUndo);
  const canRedo = useEditorState((state) => state.canRedo);
  const { name, setName, isDirty, isSaving, save } = saving;
  return (
    <header className={classes.header}>
      <VisuallyHidden component="h1">{name}</VisuallyHidden>
      <Tooltip label={strings.back}>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={strings.back} renderRoot={toAgents}>
          <ArrowLeft size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <TextInput
        className={classes.name}
        variant="unstyled"
        aria-label={strings.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
      />
      <span className={classes.state} role="status">
        {isDirty ? strings.unsaved : savedState(findings)}
      </span>
      <div className={classes.spacer} />
      {!hasPalette && <HeaderButton icon={Plus} label={palette.open} onClick={onPalette} />}
      <HeaderButton icon={Undo2} label={strings.undo} isDisabled={!canUndo} onClick={editor.undo} />
      <HeaderButton icon={Redo2} label={strings.redo} isDisabled={!canRedo} onClick={editor.redo} />
      <FindingsButton findings={findings} />
      <Button
        variant={hasChat ? "light" : "default"}
        leftSection={<MessageCircle size={16} aria-hidden />}
        aria-pressed={hasChat}
        onClick={onChat}
      >
        {strings.chat}
      </Button>
      <Button loading={isSaving} disabled={!isDirty} onClick={() => void save()}>
        {strings.save}
      </Button>
      <EditorMenu agent={agent} name={name} onOpen={onOpen} />
    </header>
  );
}

function savedState(findings: readonly Finding[]): string {
  const problems = findings.filter(({ level }) => level === "error").length;
  return findings.length === 0 ? strings.saved : strings.savedWith(problems, findings.length - problems);
}

function toAgents(props: object) {
  return <Link to="/agents" {...props} />;
}

type ButtonProps = { icon: LucideIcon; label: string; onClick(): void; isDisabled?: boolean };

function HeaderButton({ icon: Icon, label, onClick, isDisabled = false }: ButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        className={classes.quiet}
        variant="subtle"
        color="gray"
        size={36}
        aria-label={label}
        disabled={isDisabled}
        onClick={onClick}
      >
        <Icon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
