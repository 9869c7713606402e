import { Button, Modal, SimpleGrid, Text, Title } from "@mantine/core";
import { useDocumentTitle, useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { Agent } from "@weft/client";
import type { Finding } from "@weft/schema";
import { ReactFlowProvider } from "@xyflow/react";
import { useEffect, useRef, useState } from "react";
import { client } from "../../api/client.ts";
import { credentialsQuery } from "../../api/credentials.ts";
import { CanvasContext, useCanvas, useEditorState } from "../../canvas/canvas-context.ts";
import { CanvasMinimap } from "../../canvas/canvas-minimap.tsx";
import { type CanvasSession, createCanvasSession } from "../../canvas/canvas-session.ts";
import emptyCanvasClasses from "../../canvas/empty-canvas.module.css";
import { FlowCanvas } from "../../canvas/flow-canvas.tsx";
import helpSheetClasses from "../../canvas/help-sheet.module.css";
import { toDocument } from "../../canvas/model/flow-model.ts";
import type { NodeCatalogue } from "../../canvas/model/node-catalogue.ts";
import { NodePalette } from "../../canvas/palette/node-palette.tsx";
import { canvasStrings } from "../../strings/canvas.ts";
import { shellStrings } from "../../strings/common.ts";
import classes from "./agent-editor.module.css";
import type { EditorDialog } from "./editor-dialog.ts";
import { EditorDialogs } from "./editor-dialogs.tsx";
import { EditorHeader } from "./editor-header.tsx";
import type { OpenedFlow } from "./open-flow.ts";
import { SidePanel } from "./side-panel.tsx";
import { type AgentSave, useAgentSave } from "./use-agent-save.ts";

type Props = { agent: Agent; etag: string; flow: OpenedFlow; catalogue: NodeCatalogue; onReload(): void };

/** An open agent. Starts with the loaded flow; reloading it creates a new editor. */
export function AgentEditor({ agent, etag, flow, catalogue, onReload }: Props) {
  const [session] = useState(() => createCanvasSession(flow.model, catalogue));
  const saving = useAgentSave(session, { id: agent.id, name: agent.name, etag });
  const findings = useLiveFindings(session);
  const isWide = useMediaQuery("(min-width: 1100px)", undefined, { getInitialValueInEffect: false }) ?? true;
  const [hasPalette, setPalette] = useState(isWide);
  const [hasMinimap, setMinimap] = useState(isWide);
  const { chat = false } = useSearch({ from: "/agents/$agentId" });
  const [hasChat, setChat] = useState(chat);
  const [dialog, setDialog] = useState<EditorDialog>();
  const search = useRef<HTMLInputElement>(null);
  useDocumentTitle(`${saving.name} · ${shellStrings.product}`);
  useSaveKey(saving.save);
  useEffect(() => session.elements.close, [session]);
  useEffect(() => {
    setPalette(isWide);
    setMinimap(isWide);
  }, [isWide]);

  // In a narrow window the step list overlays the canvas and closes when a step is added.
  const closeOverlay = () => {
    if (isWide || !hasPalette) return false;
    setPalette(false);
    return true;
  };
  const closePalette = () => {
    setPalette(false);
    session.view.focus();
  };
  const showMinimap = (isShown: boolean) => {
    setMinimap(isShown);
    if (isShown) setPalette(true);
  };
  const openSearch = () => {
    setPalette(true);
    // The list may only now be there.
    requestAnimationFrame(() => search.current?.focus());
  };

  return (
    <CanvasContext value={session}>
      <div className={classes.editor}>
        <EditorHeader
          agent={agent}
          saving={saving}
          findings={findings}
          hasPalette={hasPalette}
          hasChat={hasChat}
          onPalette={openSearch}
          onChat={() => setChat(!hasChat)}
          onOpen={setDialog}
        />
        <FlowNotice flow={flow} isDirty={saving.isDirty} />
        <OutdatedNotice saving={saving} onReload={onReload} />
        <div className={classes.body}>
          <ReactFlowProvider>
            {hasPalette && (
              <div className={classes.palette}>
                <NodePalette searchRef={search} onClose={closePalette} onAdded={closeOverlay} onLeave={closeOverlay}>
                  {hasMinimap && <CanvasMinimap />}
                </NodePalette>
              </div>
            )}
            <div className={classes.canvas}>
              <FlowCanvas
                onSearch={openSearch}
                onHelp={() => setDialog("help")}
                onEscape={closeOverlay}
                minimap={hasPalette && hasMinimap}
                onMinimap={showMinimap}
              />
              <EmptyCanvas />
            </div>
          </ReactFlowProvider>
          <SidePanel agentId={agent.id} saving={saving} hasChat={hasChat} onCloseChat={() => setChat(false)} />
        </div>
        <EditorDialogs
          agent={agent}
          saving={saving}
          dialog={dialog}
          onClose={() => setDialog(undefined)}
          onReload={onReload}
        />
        <HelpSheet opened={dialog === "help"} onClose={() => setDialog(undefined)} />
      </div>
    </CanvasContext>
  );
}

/** That a flow is stored in another format than it is shown in, and what a save does to it. */
function FlowNotice({ flow: { dialect, problems }, isDirty }: { flow: OpenedFlow; isDirty: boolean }) {
  if (dialect === "native") return null;
  const { foreign } = canvasStrings.editor;
  return (
    <div className={classes.notice} role="status">
      {problems.length > 0 ? `${problems.join(" ")} ${foreign.nothing}` : foreign.shown(dialect)}{" "}
      {isDirty ? foreign.rewritten : foreign.untouched}
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
      <Button size="compact-sm" variant="default" onClick={onReload}>
        {outdated.load}
      </Button>
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
      <Text size="sm" c="dimmed" maw={380}>
        {canvasStrings.empty.text}
      </Text>
      <Button
        onClick={() => {
          for (const type of types) commands.add(type);
        }}
      >
        {canvasStrings.empty.begin(types.map(({ title }) => title).join(" + "))}
      </Button>
    </div>
  );
}

const { help } = canvasStrings;
const mod = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";

function HelpSheet({ opened, onClose }: { opened: boolean; onClose(): void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={help.title}
      size="lg"
      closeButtonProps={{ "aria-label": help.close }}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        {help.groups.map(({ title, rows }) => (
          <section key={title}>
            <Title order={3} mb="xs">
              {title}
            </Title>
            <dl className={helpSheetClasses.rows}>
              {rows.map(({ keys, text }) => (
                <div key={text} className={helpSheetClasses.row}>
                  <dt>{text}</dt>
                  <dd>
                    {keys.map((key) => (
                      <kbd key={key}>{key === "mod" ? mod : key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </SimpleGrid>
    </Modal>
  );
}
