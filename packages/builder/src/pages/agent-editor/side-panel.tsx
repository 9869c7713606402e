import { Button, SegmentedControl } from "@mantine/core";
import { lazy, Suspense, useDeferredValue, useEffect, useState } from "react";
import { useCanvas, useNode, useSelectedNodeId } from "../../canvas/canvas-context.ts";
import { canvasStrings } from "../../strings/canvas.ts";
import classes from "./agent-editor.module.css";
import type { AgentSave } from "./use-agent-save.ts";

const loadInspector = () => import("../../canvas/inspector/node-inspector.tsx");
// The canvas does not wait for the forms.
const NodeInspector = lazy(async () => ({ default: (await loadInspector()).NodeInspector }));
const ChatPanel = lazy(async () => ({ default: (await import("../../chat/chat-panel.tsx")).ChatPanel }));

/** Forms are fetched before they are needed, but after the flow is drawn. */
const inspectorDelayMs = 500;

const { panel } = canvasStrings.editor;

type Tab = "step" | "chat";
type Props = { agentId: string; saving: AgentSave; hasChat: boolean; onCloseChat(): void };

/** The panel next to the canvas: the selected step, the chat, or both in tabs. The chat keeps running in its tab. */
export function SidePanel({ agentId, saving, hasChat, onCloseChat }: Props) {
  const { runStates } = useCanvas();
  // A form may be large, so the selection is drawn first.
  const nodeId = useDeferredValue(useSelectedNodeId());
  const node = useNode(nodeId);
  const [tab, setTab] = useState<Tab>("step");
  useEffect(() => {
    const timer = setTimeout(() => void loadInspector(), inspectorDelayMs);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (nodeId !== undefined) setTab("step");
  }, [nodeId]);
  useEffect(() => {
    if (hasChat) setTab("chat");
  }, [hasChat]);
  if (!node && !hasChat) return null;
  const shown: Tab = node && (tab === "step" || !hasChat) ? "step" : "chat";
  return (
    // A click on its words keeps the focus in here, and the canvas's keys away.
    <aside className={classes.side} aria-label={shown === "step" ? panel.step : panel.chat} tabIndex={-1}>
      {node && hasChat && (
        <div className={classes.tabs}>
          <SegmentedControl
            fullWidth
            size="xs"
            aria-label={panel.choose}
            value={shown}
            onChange={(value) => setTab(value as Tab)}
            data={[
              { value: "step", label: panel.step },
              { value: "chat", label: panel.chat },
            ]}
          />
        </div>
      )}
      {node && (
        <div className={classes.panel} hidden={shown !== "step"}>
          <Suspense fallback={null}>
            <NodeInspector node={node} />
          </Suspense>
        </div>
      )}
      {hasChat && (
        <div className={classes.panel} hidden={shown !== "chat"}>
          <Suspense fallback={null}>
            <ChatPanel
              agentId={agentId}
              onClose={onCloseChat}
              onRunStart={() => runStates.replace(new Map())}
              onRunState={runStates.set}
              notice={saving.isDirty && <UnsavedNotice saving={saving} />}
            />
          </Suspense>
        </div>
      )}
    </aside>
  );
}

function UnsavedNotice({ saving }: { saving: AgentSave }) {
  return (
    <div className={classes.chatNotice}>
      {panel.savedVersion}
      <Button size="compact-xs" variant="light" loading={saving.isSaving} onClick={() => void saving.save()}>
        {canvasStrings.editor.save}
      </Button>
    </div>
  );
}
