import { ActionIcon, Group, Text } from "@mantine/core";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { chunksPerPage } from "../../../api/document-stores.ts";
import { documentStoresStrings } from "../../../strings/document-stores.ts";

const strings = documentStoresStrings.chunk;

/** Turns pages; nothing where there is one. */
export function ChunkPages({ page, total, onPage }: { page: number; total: number; onPage(page: number): void }) {
  if (total <= chunksPerPage) return null;
  const first = (page - 1) * chunksPerPage + 1;
  const last = Math.min(page * chunksPerPage, total);
  const turn = (to: number, label: string, Icon: typeof ChevronLeft, isDisabled: boolean) => (
    <ActionIcon variant="default" size={32} aria-label={label} disabled={isDisabled} onClick={() => onPage(to)}>
      <Icon size={18} aria-hidden />
    </ActionIcon>
  );
  return (
    <Group component="nav" justify="flex-end" gap="xs" aria-label={strings.pages}>
      <Text size="sm" c="dimmed" mr="xs" aria-live="polite">
        {strings.range(Math.min(first, last), last, total)}
      </Text>
      {turn(page - 1, strings.previous, ChevronLeft, page <= 1)}
      {turn(page + 1, strings.next, ChevronRight, last >= total)}
    </Group>
  );
}
