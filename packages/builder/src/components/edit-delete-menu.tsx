import { Menu } from "@mantine/core";
import { Pencil, Trash2 } from "lucide-react";
import { commonStrings } from "../strings/common.ts";
import { RowMenu } from "./row-menu.tsx";

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
