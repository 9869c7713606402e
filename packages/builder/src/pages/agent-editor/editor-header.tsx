import { ActionIcon, Button, Menu, TextInput, Tooltip, VisuallyHidden } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { Agent } from "@weft/client";
import type { Finding } from "@weft/schema";
import { useRef } from "react";
import { client, errorSentence } from "../../api/client.ts";
import { type FlowModel, toDocument, useCanvas, useEditorState } from "../../canvas/index.ts";
import type { LucideIcon } from "../../icons/create-icon.ts";
import {
  ArrowLeft,
  Braces,
  Copy,
  Download,
  EllipsisVertical,
  History,
  Keyboard,
  MessageCircle,
  Redo2,
  Share2,
  Undo2,
  Upload,
} from "../../icons/icons.gen.ts";
import { canvasStrings, shareStrings } from "../../strings.ts";
import { downloadText } from "../../ui/download-text.ts";
import { AgentMenuItems } from "../agents/agent-menu.tsx";
import classes from "./agent-editor.module.css";
import type { AgentSave, EditorMenuEntry } from "./editor-state.ts";
import { FindingsButton } from "./findings-button.tsx";
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
  onDiscarded(): void;
};

export function EditorHeader(props: Props) {
  const { agent, saving, draft, findings, onDiscarded, hasChat, onChat, onOpen, onPublish } = props;
  const { editor } = useCanvas();
  const canUndo = useEditorState((state) => state.canUndo);
  const canRedo = useEditorState((state) => state.canRedo);
  const { name, setName, saveName, isDirty, isPublishing } = saving;
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
        onBlur={saveName}
        onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
      />
      <span className={classes.state} role="status">
        {isDirty ? draftState(draft.shown) : publishedState(findings)}
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
      <Button loading={isPublishing} disabled={!isDirty} onClick={onPublish}>
        {strings.publish}
      </Button>
      <EditorMenu agent={agent} name={name} isDirty={isDirty} onOpen={onOpen} onDiscarded={onDiscarded} />
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

const { menu } = canvasStrings.editor;
const icon = { size: 16, "aria-hidden": true } as const;

type EditorMenuProps = {
  agent: Agent;
  name: string;
  isDirty: boolean;
  onOpen(entry: EditorMenuEntry): void;
  onDiscarded(): void;
};

/** Actions for the whole agent. */
function EditorMenu({ agent, name, isDirty, onOpen, onDiscarded }: EditorMenuProps) {
  const { editor } = useCanvas();
  const navigate = useNavigate();
  const button = useRef<HTMLButtonElement>(null);
  const discard = useMutation({
    mutationFn: () => client.discardAgentDraft({ id: agent.id }),
    onSuccess: onDiscarded,
    onError: (error) => notifications.show({ color: "red", message: errorSentence(error) }),
  });
  const duplicate = useMutation({
    mutationFn: () => {
      const { chatbotConfig, apiConfig, analytic, speechToText, category, type } = agent;
      const flowData = JSON.stringify(toDocument(editor.state().model));
      const settings = { chatbotConfig, apiConfig, analytic, speechToText, category, type };
      return client.createAgent({ ...settings, name: menu.copyOf({ name }), flowData });
    },
    onSuccess: ({ id }) => navigate({ to: "/agents/$agentId", params: { agentId: id } }),
    onError: (error) => notifications.show({ color: "red", message: errorSentence(error) }),
  });
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" size={36} aria-label={menu.label}>
          <EllipsisVertical size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      {/* What an item opens gives the focus back to what had it: the item is gone then. */}
      <Menu.Dropdown onClickCapture={() => button.current?.focus()}>
        <Menu.Item leftSection={<History {...icon} />} onClick={() => onOpen("versions")}>
          {menu.versions}
        </Menu.Item>
        {isDirty && (
          <Menu.Item leftSection={<Undo2 {...icon} />} onClick={() => discard.mutate()}>
            {menu.discard}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Braces {...icon} />} onClick={() => onOpen("code")}>
          {menu.code}
        </Menu.Item>
        <Menu.Item leftSection={<Copy {...icon} />} onClick={() => duplicate.mutate()}>
          {menu.duplicate}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Upload {...icon} />} onClick={() => onOpen("import")}>
          {menu.import}
        </Menu.Item>
        <Menu.Item leftSection={<Download {...icon} />} onClick={() => downloadFlow(name, editor.state().model)}>
          {menu.export}
        </Menu.Item>
        <Menu.Divider />
        <AgentMenuItems agentId={agent.id} />
        <Menu.Divider />
        <Menu.Item leftSection={<Keyboard {...icon} />} onClick={() => onOpen("help")}>
          {menu.help}
        </Menu.Item>
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
