import { ActionIcon, Menu } from "@mantine/core";
import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { commonStrings } from "../strings/common.ts";

/** The three dots at the end of a row or card. `children` are `Menu.Item`s. */
export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  const button = useRef<HTMLButtonElement>(null);
  // What an item opens gives the focus back, when it closes, to what had it: the item is gone then, the button is there.
  const focusButton = () => button.current?.focus();
  return (
    <Menu position="bottom-end" width={180} withinPortal>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" aria-label={commonStrings.actionsOf(name)}>
          <Ellipsis size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown onClickCapture={focusButton}>{children}</Menu.Dropdown>
    </Menu>
  );
}

type Props = { name: string; onEdit: () => void; onDelete: () => void };

export function EditDeleteMenu({ name, onEdit, onDelete }: Props) {
  return (
    <RowMenu name={name}>
      <Menu.Item leftSection={<Pencil size={16} aria-hidden />} onClick={onEdit}>
        {commonStrings.edit}
      </Menu.Item>
      <Menu.Item color="red" leftSection={<Trash2 size={16} aria-hidden />} onClick={onDelete}>
        {commonStrings.delete}
      </Menu.Item>
    </RowMenu>
  );
}
