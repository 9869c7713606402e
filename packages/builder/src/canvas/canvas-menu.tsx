import { Menu } from "@mantine/core";
import type { LucideIcon } from "../icons/create-icon.ts";
import { Copy, LayoutGrid, Maximize, MousePointer2, Plus, Spline, Trash2 } from "../icons/icons.gen.ts";
import { canvasStrings } from "../strings.ts";
import { MenuAction } from "../ui/controls/actions.tsx";
import { useCanvas } from "./canvas-context.ts";
import classes from "./canvas-menu.module.css";
import type { Point } from "./model/box.ts";
import { removeElements } from "./model/edits.ts";

/** A request for a menu. `at`: pixels from the corner of the window; `place`: the same point of the canvas. */
export type MenuRequest = { at: Point } & (
  | { kind: "steps" }
  | { kind: "edge"; edge: string }
  | { kind: "canvas"; place: Point }
);

type Props = { request: MenuRequest; onAdd(at: Point, place: Point): void; onClose(): void };

/** Actions for the target of a right click, or the focused element when the menu key was pressed. */
export function CanvasMenu({ request, onAdd, onClose }: Props) {
  const entries = useEntries(request, onAdd);
  return (
    <Menu
      opened
      onClose={onClose}
      position="bottom-start"
      offset={0}
      width={240}
      returnFocus
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          className={classes.target}
          style={{ left: request.at.x, top: request.at.y }}
          aria-label={canvasStrings.menu.label}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {entries.map(({ icon: Icon, label, keys, isDanger = false, act }) => (
          <MenuAction
            {...(isDanger && { c: "var(--mantine-color-error)" })}
            icon={Icon}
            label={label}
            key={label}
            rightSection={keys && <kbd className={classes.key}>{keys}</kbd>}
            onClick={act}
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

type Entry = { icon: LucideIcon; label: string; keys?: string; isDanger?: boolean; act(): void };

function useEntries(request: MenuRequest, onAdd: Props["onAdd"]): Entry[] {
  const { commands, editor, elements, view } = useCanvas();
  const { inspector, edge, menu, toolbar } = canvasStrings;
  if (request.kind === "edge") {
    const remove = () => editor.edit(removeElements(editor.state().model, [], [request.edge]));
    return [
      { icon: Plus, label: edge.insert, keys: "I", act: () => view.askInsertion(request.edge, request.at) },
      { icon: Trash2, label: edge.remove, keys: menu.deleteKey, isDanger: true, act: remove },
    ];
  }
  if (request.kind === "canvas") {
    return [
      { icon: Plus, label: menu.add, act: () => onAdd(request.at, request.place) },
      { icon: MousePointer2, label: menu.selectAll, act: commands.selectAll },
      { icon: LayoutGrid, label: toolbar.tidyUp, act: commands.tidyUp },
      { icon: Maximize, label: toolbar.fit, act: () => view.showAll() },
    ];
  }
  const isOne = elements.selectedNodeIds().length === 1;
  return [
    ...(isOne ? [{ icon: Spline, label: menu.connect, keys: "C", act: () => view.askConnection() }] : []),
    { icon: Copy, label: inspector.duplicate, act: commands.duplicateSelection },
    { icon: Trash2, label: inspector.remove, keys: menu.deleteKey, isDanger: true, act: commands.removeSelection },
  ];
}
