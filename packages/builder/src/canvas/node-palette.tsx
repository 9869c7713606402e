import { ActionIcon, Text, TextInput } from "@mantine/core";
import type { NodeType } from "@weft/client";
import { PanelLeftClose, Search } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useState } from "react";
import { canvasStrings } from "../../strings/canvas.ts";
import { useCanvas } from "../canvas-context.ts";
import { searchNodeTypes } from "../model/search-node-types.ts";
import { NodeIcon } from "../nodes/node-icon.tsx";
import { writeDraggedType } from "./dragged-type.ts";
import classes from "./node-palette.module.css";

const { palette } = canvasStrings;

type Props = {
  searchRef: RefObject<HTMLInputElement | null>;
  onClose(): void;
  onAdded(): void;
  /** Escape, when there is nothing more to clear in here. */
  onLeave(): void;
  /** Shown below the list. */
  children?: ReactNode;
};

/** A searchable list of all steps. Add one with a click or Enter, or drag it onto the canvas. */
export function NodePalette({ searchRef, onClose, onAdded, onLeave, children }: Props) {
  const { catalogue, commands, view } = useCanvas();
  const [query, setQuery] = useState("");
  const found = searchNodeTypes(catalogue.types, query);
  const groups = Map.groupBy(found, ({ group }) => group);
  const add = (type: NodeType) => {
    commands.add(type);
    onAdded();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter" && found[0]) {
      add(found[0]);
      setQuery("");
    }
    if (event.key !== "Escape") return;
    if (query !== "") {
      setQuery("");
      return;
    }
    view.focus();
    onLeave();
  };
  return (
    <aside className={classes.palette} aria-label={palette.title} tabIndex={-1}>
      <div className={classes.head}>
        <TextInput
          ref={searchRef}
          size="sm"
          flex={1}
          aria-label={palette.search}
          placeholder={palette.search}
          leftSection={<Search size={16} aria-hidden />}
          rightSection={query === "" ? <kbd className={classes.key}>{palette.key}</kbd> : null}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={palette.close} onClick={onClose}>
          <PanelLeftClose size={18} aria-hidden />
        </ActionIcon>
      </div>
      <div className={classes.list}>
        {[...groups].map(([group, types]) => (
          <section key={group} aria-label={groupTitle(group)}>
            <h2 className={classes.group}>{groupTitle(group)}</h2>
            {types.map((type) => (
              <PaletteEntry key={type.type} type={type} onAdd={() => add(type)} />
            ))}
          </section>
        ))}
        {found.length === 0 && (
          <Text size="sm" c="dimmed" p="md">
            {palette.nothing(query)}
          </Text>
        )}
      </div>
      <p className={classes.hint}>{palette.hint}</p>
      {children}
    </aside>
  );
}

function PaletteEntry({ type, onAdd }: { type: NodeType; onAdd(): void }) {
  return (
    <button
      type="button"
      className={classes.entry}
      draggable
      title={type.summary}
      onDragStart={(event) => writeDraggedType(event, type.type)}
      onClick={onAdd}
    >
      <NodeIcon icon={type.icon} group={type.group} size="sm" />
      <span className={classes.entryText}>
        <span className={classes.entryTitle}>{type.title}</span>
        <span className={classes.entrySummary}>{type.summary}</span>
      </span>
    </button>
  );
}

function groupTitle(group: string): string {
  return canvasStrings.groups[group] ?? group.charAt(0).toUpperCase() + group.slice(1);
}
