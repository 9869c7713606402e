import { Menu } from "@mantine/core";
import { type Json, toJsonList } from "@weft/schema";
import { useRef } from "react";
import { ArrowDown, ArrowUp, Copy, Ellipsis, Plus, Trash2 } from "../../icons/icons.gen.ts";
import { formStrings } from "../../strings.ts";
import { Action, IconAction } from "../../ui/controls/actions.tsx";
import { joinPath } from "../fields/field-problems.ts";
import { copied, createRandomId, initialEntry, moved, shownValue } from "../fields/values.ts";
import classes from "./form.module.css";
import type { WidgetProps } from "./form-scope.ts";

/** Default name of an entry: "Header 2" for the second `header`. */
export function entryName(item: string, number: number): string {
  return formStrings.entryNumber({ item: `${item.charAt(0).toUpperCase()}${item.slice(1)}`, number });
}

type Props = {
  /** Of the entry. */
  name: string;
  index: number;
  count: number;
  isDisabled: boolean;
  onMove(to: number): void;
  onRemove(): void;
  onDuplicate?: () => void;
};

/** Actions for an entry of a list. */
export function EntryMenu({ name, index, count, isDisabled, onMove, onRemove, onDuplicate }: Props) {
  return (
    <Menu position="bottom-end" withinPortal disabled={isDisabled}>
      <Menu.Target>
        <IconAction
          icon={Ellipsis}
          label={formStrings.entryMenu({ name })}
          disabled={isDisabled}
          size={28}
          iconSize={16}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<ArrowUp size={14} aria-hidden />}
          disabled={index === 0}
          onClick={() => onMove(index - 1)}
        >
          {formStrings.moveUp}
        </Menu.Item>
        <Menu.Item
          leftSection={<ArrowDown size={14} aria-hidden />}
          disabled={index === count - 1}
          onClick={() => onMove(index + 1)}
        >
          {formStrings.moveDown}
        </Menu.Item>
        {onDuplicate !== undefined && (
          <Menu.Item leftSection={<Copy size={14} aria-hidden />} onClick={onDuplicate}>
            {formStrings.duplicate}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item c="var(--mantine-color-error)" leftSection={<Trash2 size={14} aria-hidden />} onClick={onRemove}>
          {formStrings.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Adds an entry to the list above it and focuses the entry's first field. */
export function AddButton({ item, onClick, isDisabled }: { item: string; onClick(): void; isDisabled: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  const add = () => {
    const before = button.current?.previousElementSibling;
    onClick();
    requestAnimationFrame(() => {
      const added = button.current?.previousElementSibling;
      if (added && added !== before) added.querySelector<HTMLElement>(fields)?.focus();
    });
  };
  return (
    <Action
      icon={Plus}
      label={formStrings.add({ item })}
      ref={button}
      className={classes.add}
      size="xs"
      onClick={add}
      disabled={isDisabled}
    />
  );
}

const fields = ["input:not([type=hidden])", "textarea", "[contenteditable=true]"]
  .map((field) => `${field}:not([aria-haspopup=listbox])`)
  .join();

/** The entries of a list, each with its operations and their menu. An optional list without entries is unset. */
export function useEntries({ field, value, onChange, path, isDisabled }: WidgetProps) {
  const list = toJsonList(shownValue(field, value));
  const item = field.schema.item ?? formStrings.entry;
  const change = (next: Json[]) => {
    const mayBeUnset =
      !field.isRequired && (field.schema.default === undefined || toJsonList(field.schema.default).length === 0);
    onChange(next.length === 0 && mayBeUnset ? undefined : next);
  };
  const add = (entry: Json = initialEntry(field)) => change([...list, entry]);
  const rows = list.map((entry, index) => {
    const name = entryName(item, index + 1);
    return {
      entry,
      name,
      path: joinPath(path, String(index)),
      replace: (changed: Json | undefined) => change(list.with(index, changed ?? null)),
      menu: (
        <EntryMenu
          name={name}
          index={index}
          count={list.length}
          isDisabled={isDisabled}
          onMove={(to) => change(moved(list, index, to))}
          onRemove={() => change(list.toSpliced(index, 1))}
          onDuplicate={() =>
            field.entry && change(list.toSpliced(index + 1, 0, copied(field.entry, entry, createRandomId)))
          }
        />
      ),
    };
  });
  return { rows, add, addButton: <AddButton item={item} onClick={() => add()} isDisabled={isDisabled} /> };
}
