import { ActionIcon, Button, Menu, Popover, Text, TextInput, Tooltip, VisuallyHidden } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import type { Agent } from "@weft/client";
import type { Finding } from "@weft/schema";
import { useEffect, useRef } from "react";
import { createAgentDraft } from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import { useMay } from "../../api/settings.ts";
import { FindingsList, type FlowModel, toDocument, useCanvas, useEditorState } from "../../canvas/index.ts";
import type { LucideIcon } from "../../icons/create-icon.ts";
import {
  ArrowLeft,
  Braces,
  CircleCheck,
  Copy,
  Download,
  EllipsisVertical,
  History,
  Keyboard,
  MessageCircle,
  Redo2,
  Share2,
  Sparkles,
  TriangleAlert,
  Undo2,
  Upload,
} from "../../icons/icons.gen.ts";
import { canvasStrings, draftingStrings, shareStrings } from "../../strings.ts";
import { Action, IconAction, MenuAction } from "../../ui/controls/actions.tsx";
import { downloadText } from "../../ui/download-text.ts";
import { useRequest } from "../../ui/page/requests.ts";
import { AgentMenuItems } from "../agents/agent-menu.tsx";
import classes from "./agent-editor.module.css";
import type { AgentSave, EditorMenuEntry } from "./editor-state.ts";
import findingsClasses from "./findings.module.css";
import type { DraftState, OpenDraft } from "./use-draft.ts";

const { editor: strings } = canvasStrings;

type Props = {
  agent: Agent;
  saving: AgentSave;
  draft: OpenDraft;
  findings: readonly Finding[];
  hasChat: boolean;
  onChat(): void;
  onOpen(entry: EditorMenuEntry): void;
  onPublish(): void;
  isPublishing: boolean;
  onDiscarded(): void;
};

export function EditorHeader(props: Props) {
  const { agent, saving, draft, findings, onDiscarded, hasChat, onChat, onOpen, onPublish, isPublishing } = props;
  const { editor } = useCanvas();
  const canUndo = useEditorState((state) => state.canUndo);
  const canRedo = useEditorState((state) => state.canRedo);
  const { name, setName, saveName, isDirty, isPublished } = saving;
  const mayWrite = useMay()("agents:write");
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
        readOnly={!mayWrite}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={saveName}
        onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
      />
      <span className={classes.state} role="status">
        {!mayWrite && strings.viewOnly}
        {mayWrite && (isDirty ? draftState(draft.shown) : isPublished ? publishedState(findings) : strings.unpublished)}
      </span>
      <div className={classes.spacer} />
      <HeaderButton icon={Undo2} label={strings.undo} isDisabled={!canUndo} onClick={editor.undo} />
      <HeaderButton icon={Redo2} label={strings.redo} isDisabled={!canRedo} onClick={editor.redo} />
      <FindingsButton findings={findings} />
      <HeaderButton icon={Share2} label={shareStrings.open} onClick={() => onOpen("share")} />
      <Button
        className={classes.chatButton}
        variant={hasChat ? "light" : "default"}
        leftSection={<MessageCircle size={16} aria-hidden />}
        aria-label={strings.chat}
        aria-pressed={hasChat}
        onClick={onChat}
      >
        <span className={classes.chatLabel}>{strings.chat}</span>
      </Button>
      {mayWrite && (
        <HeaderButton icon={Sparkles} label={draftingStrings.panel.title} onClick={() => onOpen("drafting")} />
      )}
      {mayWrite && (
        <Action
          label={strings.publish}
          loading={isPublishing}
          disabled={!isDirty}
          onClick={onPublish}
          variant="filled"
        />
      )}
      <EditorMenu agent={agent} saving={saving} onOpen={onOpen} onDiscarded={onDiscarded} />
    </header>
  );
}

function draftState(state: DraftState): string {
  return state.kind === "failed" ? strings.draft.failed({ problem: state.problem }) : strings.draft[state.kind];
}

function publishedState(findings: readonly Finding[]): string {
  const problems = findings.filter(({ level }) => level === "error").length;
  return findings.length === 0
    ? strings.published
    : strings.publishedWith({ problems, warnings: findings.length - problems });
}

function toAgents(props: object) {
  return <Link to="/agents" {...props} />;
}

type ButtonProps = { icon: LucideIcon; label: string; onClick(): void; isDisabled?: boolean };

function HeaderButton({ icon: Icon, label, onClick, isDisabled = false }: ButtonProps) {
  return (
    <IconAction
      icon={Icon}
      label={label}
      tip
      className={classes.quiet}
      disabled={isDisabled}
      onClick={onClick}
      size={36}
    />
  );
}

const { menu } = canvasStrings.editor;

type EditorMenuProps = {
  agent: Agent;
  saving: AgentSave;
  onOpen(entry: EditorMenuEntry): void;
  onDiscarded(): void;
};

function EditorMenu({ agent, saving: { name, isDirty, isPublished }, onOpen, onDiscarded }: EditorMenuProps) {
  const { editor } = useCanvas();
  const navigate = useNavigate();
  const button = useRef<HTMLButtonElement>(null);
  const discard = useRequest(() => client.discardAgentDraft({ id: agent.id }), { next: onDiscarded, isLoud: true });
  const duplicate = useRequest(
    () => {
      const { chatbotConfig, apiConfig, analytic, speechToText, category, type } = agent;
      const flowData = JSON.stringify(toDocument(editor.state().model));
      const settings = { chatbotConfig, apiConfig, analytic, speechToText, category, type };
      const copy = { ...settings, name: menu.copyOf({ name }), flowData };
      return isPublished ? client.createAgent(copy) : createAgentDraft(copy);
    },
    { next: ({ id }) => navigate({ to: "/agents/$agentId", params: { agentId: id } }), isLoud: true },
  );
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <IconAction icon={EllipsisVertical} label={menu.label} ref={button} size={36} />
      </Menu.Target>
      {/* What an item opens gives the focus back to what had it: the item is gone then. */}
      <Menu.Dropdown onClickCapture={() => button.current?.focus()}>
        <MenuAction icon={History} label={menu.versions} onClick={() => onOpen("versions")} />
        {isDirty && isPublished && <MenuAction icon={Undo2} label={menu.discard} onClick={() => discard.mutate()} />}
        <MenuAction icon={Braces} label={menu.code} onClick={() => onOpen("code")} />
        <MenuAction icon={Copy} label={menu.duplicate} onClick={() => duplicate.mutate()} />
        <Menu.Divider />
        <MenuAction icon={Upload} label={menu.import} onClick={() => onOpen("import")} />
        <MenuAction icon={Download} label={menu.export} onClick={() => downloadFlow(name, editor.state().model)} />
        <Menu.Divider />
        <AgentMenuItems agentId={agent.id} />
        <Menu.Divider />
        <MenuAction icon={Keyboard} label={menu.help} onClick={() => onOpen("help")} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Gives the browser a file with the flow in the native format, as `npm run flow` and the import take it. */
function downloadFlow(name: string, model: FlowModel): void {
  const text = `${JSON.stringify(toDocument(model), null, 2)}\n`;
  downloadText(`${toFileName(name)}.flow.json`, text, "application/json");
}

function toFileName(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-");
  return plain.replaceAll(/^-+|-+$/g, "").slice(0, 100) || "agent";
}

/** How many things are wrong, and which. Choosing one selects its step. */
function FindingsButton({ findings }: { findings: readonly Finding[] }) {
  const errors = findings.filter(({ level }) => level === "error").length;
  const color = errors > 0 ? "red" : findings.length > 0 ? "orange" : "gray";
  const Icon = findings.length === 0 ? CircleCheck : TriangleAlert;
  const dropdown = useRef<HTMLDivElement>(null);
  // A fix takes its button away, and the focus with it: the list keeps it, so that the keyboard stays in here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new findings may have removed the focused button
  useEffect(() => {
    if (document.activeElement === document.body) dropdown.current?.focus();
  }, [findings]);
  return (
    <Popover position="bottom-end" width={380} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant={findings.length === 0 ? "subtle" : "light"}
          color={color}
          px={10}
          aria-label={canvasStrings.editor.findings.label({ count: findings.length })}
        >
          <Icon size={18} aria-hidden />
          {findings.length > 0 && <span className={findingsClasses.count}>{findings.length}</span>}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={8} ref={dropdown}>
        {findings.length === 0 ? (
          <Text size="sm" p={8}>
            {canvasStrings.editor.findings.none}
          </Text>
        ) : (
          <FindingsList findings={findings} />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
