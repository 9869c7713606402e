import { ActionIcon, Menu } from "@mantine/core";
import { ArrowDown, ArrowUp, Copy, Ellipsis, Trash2 } from "lucide-react";
import { formStrings } from "../../strings/forms.ts";

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
        <ActionIcon
          variant="subtle"
          color="gray"
          size="md"
          aria-label={formStrings.entryMenu(name)}
          disabled={isDisabled}
        >
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
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
        <Menu.Item color="red" leftSection={<Trash2 size={14} aria-hidden />} onClick={onRemove}>
          {formStrings.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
