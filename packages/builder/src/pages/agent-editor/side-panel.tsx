import { SegmentedControl } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { KeyboardEvent, PointerEvent } from "react";
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { executionQuery, lastExecutionQuery } from "../../api/executions.ts";
import { useMay } from "../../api/settings.ts";
import { type CanvasSession, toStepRuns, useCanvas, useInspector } from "../../canvas/index.ts";
import { ChatPanel, chatConfigQuery } from "../../chat/index.ts";
import { canvasStrings } from "../../strings.ts";
import classes from "./agent-editor.module.css";
import handleClasses from "./resize-handle.module.css";
import type { OpenDraft } from "./use-draft.ts";

/** A run is looked up once its steps have stopped changing for so long. */
const restMs = 400;

/** Shows the agent's last run on its canvas. Returns what is to be called while a run goes on. */
function useLastRun({ lastRun }: CanvasSession, agentId: string): () => void {
  const queries = useQueryClient();
  const { data: id } = useQuery(lastExecutionQuery(agentId));
  const { data: execution } = useQuery({ ...executionQuery(id ?? ""), enabled: typeof id === "string" });
  // A replay may have made one step alone: the others are shown as they were.
  const replayed = execution?.replayedFrom ?? undefined;
  const { data: before } = useQuery({ ...executionQuery(replayed ?? ""), enabled: replayed !== undefined });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (!execution) return;
    const own = execution.steps.filter((step) => !step.isRepeated);
    const runs = toStepRuns(before ? { ...execution, steps: own } : execution);
    lastRun.replace(before ? new Map([...toStepRuns(before), ...runs]) : runs);
  }, [execution, before, lastRun]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void queries.invalidateQueries(lastExecutionQuery(agentId)), restMs);
  }, [queries, agentId]);
}

/** The chat begins as the draft says, once that is stored. */
function useDraftInChat({ shown: { kind } }: OpenDraft, agentId: string): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (kind === "saved") void queries.invalidateQueries(chatConfigQuery(agentId, true));
  }, [kind, agentId, queries]);
}

const { panel } = canvasStrings.editor;

const DraftingPanel = lazy(async () => ({ default: (await import("./drafting/drafting-panel.tsx")).DraftingPanel }));
const FlowCode = lazy(async () => ({ default: (await import("./flow-code.tsx")).FlowCode }));

type Tab = "step" | "chat" | "code" | "drafting";
type Props = {
  agentId: string;
  draft: OpenDraft;
  hasChat: boolean;
  onCloseChat(): void;
  hasCode: boolean;
  onCloseCode(): void;
  hasDrafting: boolean;
  onCloseDrafting(): void;
};

/** The panel next to the canvas: the selected step, the chat, the code, or several in tabs. The chat keeps running in its tab. */
export function SidePanel({ agentId, draft, hasChat, onCloseChat, hasCode, onCloseCode, ...more }: Props) {
  const { hasDrafting, onCloseDrafting } = more;
  const session = useCanvas();
  const { runStates } = session;
  const look = useLastRun(session, agentId);
  useDraftInChat(draft, agentId);
  const { node, NodeInspector } = useInspector();
  const size = usePanelWidth();
  const mayWrite = useMay()("agents:write");
  const { tabs, shown, setTab } = useTabs({ nodeId: node?.id, hasChat, hasCode, hasDrafting });
  if (shown === undefined) return null;
  return (
    // A click on its words keeps the focus in here, and the canvas's keys away.
    <aside
      className={classes.side}
      style={{ "--side-width": `${size.width}px` }}
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
            onChange={setTab}
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
              isDraft={mayWrite}
              onClose={onCloseChat}
              onRunStart={() => runStates.replace(new Map())}
              onRunState={(step, state) => {
                runStates.set(step, state);
                look();
              }}
              beforeSend={() => {
                session.attention.demandAll();
                return draft.flush();
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
      {hasDrafting && (
        <div className={classes.panel} hidden={shown !== "drafting"}>
          <Suspense fallback={null}>
            <DraftingPanel agentId={agentId} onClose={onCloseDrafting} />
          </Suspense>
        </div>
      )}
    </aside>
  );
}

type Opened = { nodeId: string | undefined; hasChat: boolean; hasCode: boolean; hasDrafting: boolean };

/** The tabs of what is open. What opens last is shown, and a step once it is selected. */
function useTabs({ nodeId, hasChat, hasCode, hasDrafting }: Opened) {
  const { view } = useCanvas();
  const [tab, setTab] = useState<Tab>("step");
  useEffect(() => {
    if (nodeId !== undefined) setTab("step");
  }, [nodeId]);
  useEffect(() => {
    view.showStep = () => setTab("step");
  }, [view]);
  useEffect(() => {
    if (hasChat) setTab("chat");
  }, [hasChat]);
  useEffect(() => {
    if (hasCode) setTab("code");
  }, [hasCode]);
  useEffect(() => {
    if (hasDrafting) setTab("drafting");
  }, [hasDrafting]);
  const has = { step: nodeId !== undefined, chat: hasChat, code: hasCode, drafting: hasDrafting };
  const tabs = (["step", "chat", "code", "drafting"] as const).filter((one) => has[one]);
  return { tabs, shown: tabs.find((one) => one === tab) ?? tabs[0], setTab };
}

/** Of the side panel, in pixels. */
const widths = { least: 360, atFirst: 420, most: 720, step: 16 } as const;

/** The width of the side panel, remembered in this browser. */
function usePanelWidth() {
  const [stored, setStored] = useLocalStorage<number | null>({
    key: "weft.side-panel",
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const width = typeof stored === "number" ? clamp(stored) : widths.atFirst;
  return { width, resize: (to: number) => setStored(clamp(to)), reset: () => setStored(null) };
}

function clamp(width: number): number {
  return Math.min(widths.most, Math.max(widths.least, width));
}

/** The left edge of the side panel: it is pulled, moved with the arrow keys, and put back by a double click. */
function ResizeHandle({ width, resize, reset }: ReturnType<typeof usePanelWidth>) {
  const onPointerMove = ({ currentTarget, pointerId, clientX }: PointerEvent<HTMLElement>) => {
    if (!currentTarget.hasPointerCapture(pointerId)) return;
    const panel = currentTarget.parentElement?.getBoundingClientRect();
    if (panel) resize(panel.right - clientX);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowLeft: 1, ArrowRight: -1 };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    resize(width + step * widths.step);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={canvasStrings.editor.panel.resize}
      aria-valuenow={width}
      aria-valuemin={widths.least}
      aria-valuemax={widths.most}
      className={handleClasses.handle}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
      onDoubleClick={reset}
    />
  );
}
