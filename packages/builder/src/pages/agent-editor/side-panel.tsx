import { SegmentedControl } from "@mantine/core";
import { type CSSProperties, lazy, Suspense, useEffect, useState } from "react";
import { useCanvas, useInspector } from "../../canvas/index.ts";
import { ChatPanel } from "../../chat/index.ts";
import { canvasStrings } from "../../strings.ts";

import classes from "./agent-editor.module.css";
import { ResizeHandle, usePanelWidth } from "./resize-handle.tsx";
import type { Draft } from "./use-draft.ts";
import { useLastRun } from "./use-last-run.ts";

const { panel } = canvasStrings.editor;

const FlowCode = lazy(async () => ({ default: (await import("./flow-code.tsx")).FlowCode }));

type Tab = "step" | "chat" | "code";
type Props = {
  agentId: string;
  draft: Draft;
  hasChat: boolean;
  onCloseChat(): void;
  hasCode: boolean;
  onCloseCode(): void;
};

/** The panel next to the canvas: the selected step, the chat, the code, or several in tabs. The chat keeps running in its tab. */
export function SidePanel({ agentId, draft, hasChat, onCloseChat, hasCode, onCloseCode }: Props) {
  const session = useCanvas();
  const { runStates } = session;
  const look = useLastRun(session, agentId);
  const { node, NodeInspector } = useInspector();
  const nodeId = node?.id;
  const size = usePanelWidth();
  const [tab, setTab] = useState<Tab>("step");
  useEffect(() => {
    if (nodeId !== undefined) setTab("step");
  }, [nodeId]);
  useEffect(() => {
    session.view.showStep = () => setTab("step");
  }, [session]);
  useEffect(() => {
    if (hasChat) setTab("chat");
  }, [hasChat]);
  useEffect(() => {
    if (hasCode) setTab("code");
  }, [hasCode]);
  const has = { step: node !== undefined, chat: hasChat, code: hasCode };
  const tabs = (["step", "chat", "code"] as const).filter((one) => has[one]);
  const shown = tabs.find((one) => one === tab) ?? tabs[0];
  if (shown === undefined) return null;
  return (
    // A click on its words keeps the focus in here, and the canvas's keys away.
    <aside
      className={classes.side}
      style={{ "--side-width": `${size.width}px` } as CSSProperties}
      aria-label={panel[shown]}
      tabIndex={-1}
    >
      <ResizeHandle {...size} />
      {tabs.length > 1 && (
        <div className={classes.tabs}>
          <SegmentedControl
            fullWidth
            size="xs"
            aria-label={panel.choose}
            value={shown}
            onChange={(value) => setTab(value as Tab)}
            data={tabs.map((value) => ({ value, label: panel[value] }))}
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
              onRunState={(step, state) => {
                runStates.set(step, state);
                look();
              }}
              beforeSend={async () => {
                await draft.flush();
                return { draft: true };
              }}
            />
          </Suspense>
        </div>
      )}
      {hasCode && (
        <div className={classes.panel} hidden={shown !== "code"}>
          <Suspense fallback={null}>
            <FlowCode onClose={onCloseCode} />
          </Suspense>
        </div>
      )}
    </aside>
  );
}
