import { Button, Title, Tooltip } from "@mantine/core";
import { useDocumentTitle, useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { Agent, AgentDraft, NodeType } from "@weft/client";
import type { Finding } from "@weft/schema";
import { ReactFlowProvider } from "@xyflow/react";
import { useEffect, useRef, useState } from "react";
import { draftedKey, isUnpublished } from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import { credentialsQuery } from "../../api/settings.ts";
import { usePageActions } from "../../app-shell/page-actions.ts";
import {
  CanvasContext,
  type CanvasSession,
  createCanvasSession,
  FlowCanvas,
  NodePalette,
  OpenAgentContext,
  StepTrialsContext,
  toDocument,
  useCanvas,
  useEditorState,
} from "../../canvas/index.ts";
import { Plus } from "../../icons/icons.gen.ts";
import { canvasStrings, commonStrings, draftingStrings, shellStrings } from "../../strings.ts";
import { Action, IconAction } from "../../ui/controls/actions.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import classes from "./agent-editor.module.css";
import { EditorDialogs } from "./editor-dialogs.tsx";
import { EditorHeader } from "./editor-header.tsx";
import { type AgentSave, type EditorDialog, type OpenedFlow, useAgentSave } from "./editor-state.ts";
import emptyCanvasClasses from "./empty-canvas.module.css";
import { HelpSheet } from "./help-sheet.tsx";
import { SidePanel } from "./side-panel.tsx";
import { type OpenDraft, useDraft } from "./use-draft.ts";
import { useStepTrials } from "./use-step-trials.ts";
import { usePublishing } from "./versions/index.ts";

type Props = {
  agent: Agent;
  etag: string;
  /** The draft where there is one, otherwise the published flow. */
  flow: OpenedFlow;
  isDraft: boolean;
  draftEtag: string;
  pins: AgentDraft["pins"];
  nodeTypes: readonly NodeType[];
  onReload(): void;
};

/** An open agent. Starts with the loaded flow; reloading it creates a new editor. */
export function AgentEditor({ agent, etag, flow, isDraft, draftEtag, pins, nodeTypes, onReload }: Props) {
  const { chat = false, step } = useSearch({ from: "/agents/$agentId" });
  const [session] = useState(() => {
    const opened = createCanvasSession(flow.model, nodeTypes, { isForeign: flow.dialect !== "native", pins });
    if (isDraft) opened.editor.markUnsaved();
    if (step !== undefined) opened.elements.select([step]);
    return opened;
  });
  const draft = useDraft(session, agent.id, draftEtag);
  const trials = useStepTrials(session, draft, agent.id);
  const saving = useAgentSave(session, draft, {
    id: agent.id,
    name: agent.name,
    etag,
    isPublished: !isUnpublished(agent),
  });
  const publishing = usePublishing(session, saving);
  const findings = useLiveFindings(session);
  const palette = usePalette(session);
  const [hasChat, setChat] = useState(chat);
  const [hasCode, setCode] = useState(false);
  const wasDrafted = useQueryClient().getQueryData(draftedKey(agent.id)) !== undefined;
  const [hasDrafting, setDrafting] = useState(wasDrafted);
  const [dialog, setDialog] = useState<EditorDialog>();
  useDocumentTitle(`${saving.name} · ${shellStrings.product}`);
  useSaveKey(draft.flush);
  useEditorActions(session, {
    add: palette.openSearch,
    chat: () => setChat((isOpen) => !isOpen),
    code: () => setCode(true),
    drafting: () => setDrafting(true),
    versions: () => setDialog("versions"),
    help: () => setDialog("help"),
  });
  useEffect(() => session.elements.close, [session]);
  return (
    <CanvasContext value={session}>
      <div className={classes.editor}>
        <EditorHeader
          agent={agent}
          saving={saving}
          draft={draft}
          findings={findings}
          onPublish={publishing.open}
          isPublishing={publishing.isSending}
          onDiscarded={onReload}
          hasChat={hasChat}
          onChat={() => setChat(!hasChat)}
          onOpen={(asked) => {
            if (asked === "code") setCode(true);
            else if (asked === "drafting") setDrafting(true);
            else setDialog(asked);
          }}
        />
        <FlowNotice flow={flow} isDirty={saving.isDirty} />
        {step !== undefined && !flow.model.nodes.has(step) && <MissingStepNotice key={step} step={step} />}
        <OutdatedNotice saving={saving} onReload={onReload} />
        <DraftNotice draft={draft} onReload={onReload} />
        <div className={classes.body}>
          <CanvasWithPalette palette={palette} onHelp={() => setDialog("help")} />
          <OpenAgentContext value={agent.id}>
            <StepTrialsContext value={trials}>
              <SidePanel
                agentId={agent.id}
                draft={draft}
                hasChat={hasChat}
                onCloseChat={() => setChat(false)}
                hasCode={hasCode}
                onCloseCode={() => setCode(false)}
                hasDrafting={hasDrafting}
                onCloseDrafting={() => setDrafting(false)}
              />
            </StepTrialsContext>
          </OpenAgentContext>
        </div>
        <EditorDialogs
          agent={agent}
          saving={saving}
          draft={draft}
          dialog={dialog}
          publishing={publishing}
          findings={findings}
          onClose={() => setDialog(undefined)}
          onReload={onReload}
        />
        <HelpSheet opened={dialog === "help"} onClose={() => setDialog(undefined)} />
      </div>
    </CanvasContext>
  );
}

type EditorActions = Readonly<Record<"add" | "chat" | "code" | "drafting" | "versions" | "help", () => void>>;

/** What the command menu offers while the editor is open: its actions, and the way to each step. */
function useEditorActions({ editor, catalogue, elements, commands, view }: CanvasSession, acts: EditorActions): void {
  const { actions } = canvasStrings.editor;
  const steps = () =>
    [...editor.state().model.nodes.values()].map((node) => ({
      key: node.id,
      label: node.label,
      note: catalogue.typeOf(node)?.title,
      act: () => elements.select([node.id]),
    }));
  usePageActions(
    [
      { label: actions.add, act: acts.add },
      { label: actions.chat, act: acts.chat },
      { label: actions.code, act: acts.code },
      { label: draftingStrings.panel.title, act: acts.drafting },
      { label: actions.tidyUp, act: commands.tidyUp },
      { label: actions.fit, act: () => view.showAll() },
      { label: actions.versions, act: acts.versions },
      { label: actions.help, act: acts.help },
    ],
    steps,
  );
}

type Palette = ReturnType<typeof usePalette>;

/** The list of steps and the map below it: closed at first, and then as it was left in this browser. */
function usePalette(session: CanvasSession) {
  const isWide = useMediaQuery("(min-width: 1100px)", undefined, { getInitialValueInEffect: false }) ?? true;
  const [isKept, setKept] = useLocalStorage({
    key: "weft.palette",
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const [isOver, setOver] = useState(false);
  const [hasMinimap, setMinimap] = useState(true);
  const search = useRef<HTMLInputElement>(null);
  const setOpen = isWide ? setKept : setOver;
  useEffect(() => {
    if (isWide) setOver(false);
  }, [isWide]);
  return {
    isOpen: isWide ? isKept : isOver,
    hasMinimap: hasMinimap && isWide,
    search,
    /** In a narrow window the list overlays the canvas and closes when a step is added. False if it did not close. */
    closeOverlay() {
      if (!isOver) return false;
      setOver(false);
      return true;
    },
    close() {
      setOpen(false);
      session.view.focus();
    },
    showMinimap(isShown: boolean) {
      setMinimap(isShown);
      if (isShown) setOpen(true);
    },
    openSearch() {
      setOpen(true);
      // The list may only now be there.
      requestAnimationFrame(() => search.current?.focus());
    },
  };
}

function CanvasWithPalette({ palette, onHelp }: { palette: Palette; onHelp(): void }) {
  const { isOpen, hasMinimap, search, closeOverlay } = palette;
  return (
    <ReactFlowProvider>
      {isOpen && (
        <div className={classes.palette}>
          <NodePalette
            searchRef={search}
            onClose={palette.close}
            onAdded={closeOverlay}
            onLeave={closeOverlay}
            hasMinimap={hasMinimap}
          />
        </div>
      )}
      <div className={classes.canvas}>
        <FlowCanvas
          onSearch={palette.openSearch}
          onHelp={onHelp}
          onEscape={closeOverlay}
          minimap={isOpen && hasMinimap}
          onMinimap={palette.showMinimap}
        />
        {!isOpen && (
          <Tooltip label={`${canvasStrings.palette.open} (/)`} position="right">
            <IconAction
              className={classes.add}
              variant="default"
              icon={Plus}
              size={40}
              iconSize={20}
              label={canvasStrings.palette.open}
              onClick={palette.openSearch}
            />
          </Tooltip>
        )}
        <EmptyCanvas />
      </div>
    </ReactFlowProvider>
  );
}

/** That a flow is stored in another format than it is shown in, and what publishing does to it. */
function FlowNotice({ flow: { dialect, problems }, isDirty }: { flow: OpenedFlow; isDirty: boolean }) {
  if (dialect === "native") return null;
  const { foreign } = canvasStrings.editor;
  return (
    <div className={classes.notice} role="status">
      {problems.length > 0 ? `${problems.join(" ")} ${foreign.nothing}` : foreign.shown({ dialect })}{" "}
      {isDirty ? foreign.rewritten : foreign.untouched}
    </div>
  );
}

/** Says that the step in the address is not in the flow that was opened, until it is closed. */
function MissingStepNotice({ step }: { step: string }) {
  const [isOpen, setOpen] = useState(true);
  if (!isOpen) return null;
  return (
    <div className={classes.notice} role="status">
      <span>{canvasStrings.editor.missingStep({ id: step })}</span>
      <Action label={commonStrings.close} size="compact-sm" onClick={() => setOpen(false)} />
    </div>
  );
}

/** ⌘S or Ctrl+S, also while typing. */
function useSaveKey(save: () => Promise<boolean>): void {
  const latest = useRef(save);
  latest.current = save;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "s" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      void latest.current();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

const { outdated } = canvasStrings.editor;

/** Warns that someone else saved the agent while it is open here. */
function OutdatedNotice({ saving, onReload }: { saving: AgentSave; onReload(): void }) {
  if (!saving.isOutdated) return null;
  return (
    <div className={classes.notice} role="status">
      <span>{saving.isDirty ? outdated.withEdits : outdated.plain}</span>
      <Action label={outdated.load} size="compact-sm" onClick={onReload} />
    </div>
  );
}

const { draft: draftStrings } = canvasStrings.editor;

/** Nothing more is saved until it is clear whose draft holds. */
function DraftNotice({ draft, onReload }: { draft: OpenDraft; onReload(): void }) {
  if (draft.shown.kind !== "changed") return null;
  return (
    <div className={classes.notice} role="status">
      <span>{draftStrings.changed}</span>
      <Action label={draftStrings.loadTheirs} size="compact-sm" onClick={onReload} />
      <Action label={draftStrings.keepMine} size="compact-sm" onClick={() => void draft.overwrite()} />
    </div>
  );
}

const restMs = 500;

/** The findings of the edited flow: requested from the server after a pause in editing, and shown at the nodes. */
function useLiveFindings({ editor, findings: byNode }: CanvasSession): readonly Finding[] {
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  const { data: credentials } = useQuery(credentialsQuery);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other credentials, or other hosts of theirs, are other findings
  useEffect(() => {
    let checked: unknown;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking = new AbortController();
    const check = async () => {
      const { model } = editor.state();
      if (model === checked) return;
      checked = model;
      asking.abort();
      asking = new AbortController();
      const { signal } = asking;
      try {
        const { findings: found } = await client.readFlow({ flowData: JSON.stringify(toDocument(model)) }, { signal });
        setFindings(found);
        byNode.replace(Map.groupBy(found, ({ nodeId }) => nodeId ?? ""));
      } catch {
        // The next edit asks again; saving says what keeps the server from answering.
        if (!signal.aborted) checked = undefined;
      }
    };
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(check, restMs);
    };
    // Delayed, so that the flow is drawn first.
    wait();
    const stop = editor.subscribe(wait);
    return () => {
      stop();
      clearTimeout(timer);
      asking.abort();
    };
  }, [editor, byNode, credentials]);
  return findings;
}

/** Over a canvas without steps: how to begin. */
function EmptyCanvas() {
  const { catalogue, commands } = useCanvas();
  const isEmpty = useEditorState(({ model }) => model.nodes.size === 0);
  if (!isEmpty) return null;
  const start = catalogue.types.find(({ group }) => group === "start");
  const first = catalogue.types.find(({ group }) => group === "model");
  const types = [start, first].filter((type) => type !== undefined);
  return (
    <div className={emptyCanvasClasses.empty}>
      <Title order={2}>{canvasStrings.empty.title}</Title>
      <Hint maw={380}>{canvasStrings.empty.text}</Hint>
      <Button
        onClick={() => {
          for (const type of types) commands.add(type);
        }}
      >
        {canvasStrings.empty.begin({ titles: types.map(({ title }) => title).join(" + ") })}
      </Button>
    </div>
  );
}
