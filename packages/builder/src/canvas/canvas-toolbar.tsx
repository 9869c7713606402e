import { ActionIcon, Tooltip } from "@mantine/core";
import { Panel, useReactFlow } from "@xyflow/react";
import { CircleHelp, LayoutGrid, type LucideIcon, Map as MapIcon, Maximize, Minus, Plus } from "lucide-react";
import { canvasStrings } from "../strings/canvas.ts";
import { useCanvas } from "./canvas-context.ts";
import classes from "./flow-canvas.module.css";

const { toolbar } = canvasStrings;
const smooth = { duration: 200 };

type Props = { onHelp(): void; minimap: boolean; onMinimap(shown: boolean): void };

export function CanvasToolbar({ onHelp, minimap, onMinimap }: Props) {
  const { zoomIn, zoomOut } = useReactFlow();
  const { commands, view } = useCanvas();
  return (
    <Panel position="bottom-left">
      <div className={classes.toolbar} role="toolbar" aria-label={toolbar.label}>
        <Tool icon={Minus} label={toolbar.zoomOut} onClick={() => zoomOut(smooth)} />
        <Tool icon={Plus} label={toolbar.zoomIn} onClick={() => zoomIn(smooth)} />
        <Tool icon={Maximize} label={toolbar.fit} onClick={() => view.showAll()} />
        <Tool icon={LayoutGrid} label={toolbar.tidyUp} onClick={commands.tidyUp} />
        <Tool icon={MapIcon} label={toolbar.minimap} isOn={minimap} onClick={() => onMinimap(!minimap)} />
        <Tool icon={CircleHelp} label={toolbar.help} onClick={onHelp} />
      </div>
    </Panel>
  );
}

type ToolProps = { icon: LucideIcon; label: string; onClick(): unknown; isOn?: boolean };

function Tool({ icon: Icon, label, onClick, isOn }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={isOn ? "light" : "subtle"}
        color={isOn ? "iris" : "gray"}
        size={32}
        aria-label={label}
        aria-pressed={isOn}
        onClick={() => void onClick()}
      >
        <Icon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
