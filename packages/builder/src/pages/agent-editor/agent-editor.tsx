import { useDocumentTitle, useMediaQuery } from "@mantine/hooks";
import { useSearch } from "@tanstack/react-router";
import type { Agent } from "@weft/client";
import { ReactFlowProvider } from "@xyflow/react";
import { useEffect, useRef, useState } from "react";
import { CanvasContext } from "../../canvas/canvas-context.ts";
import { CanvasMinimap } from "../../canvas/canvas-minimap.tsx";
import { createCanvasSession } from "../../canvas/canvas-session.ts";
import { EmptyCanvas } from "../../canvas/empty-canvas.tsx";
import { FlowCanvas } from "../../canvas/flow-canvas.tsx";
import { HelpSheet } from "../../canvas/help-sheet.tsx";
import type { NodeCatalogue } from "../../canvas/model/node-catalogue.ts";
import { NodePalette } from "../../canvas/palette/node-palette.tsx";
import { shellStrings } from "../../strings/shell.ts";
import classes from "./agent-editor.module.css";
import type { EditorDialog } from "./editor-dialog.ts";
import { EditorDialogs } from "./editor-dialogs.tsx";
import { EditorHeader } from "./editor-header.tsx";
import { FlowNotice } from "./flow-notice.tsx";
import type { OpenedFlow } from "./open-flow.ts";
import { OutdatedNotice } from "./outdated-notice.tsx";
import { SidePanel } from "./side-panel.tsx";
import { useAgentSave } from "./use-agent-save.ts";
import { useLiveFindings } from "./use-live-findings.ts";
import { useSaveKey } from "./use-save-key.ts";

type Props = { agent: Agent; etag: string; flow: OpenedFlow; catalogue: NodeCatalogue; onReload(): void };

/** An opened agent. Begins with what was loaded; loading it anew makes another editor. */
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

  // In a narrow window the list of steps lies over the canvas, and makes way for what was added.
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
