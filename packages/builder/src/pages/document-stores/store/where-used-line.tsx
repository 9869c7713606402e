import { Button, Group, Text } from "@mantine/core";
import { Bot } from "lucide-react";
import { useState } from "react";
import type { StoreView } from "../../../api/document-store-view.ts";
import { documentStoresStrings as strings } from "../../../strings/document-stores.ts";
import { WhereUsed } from "../where-used.tsx";
import { UseInAgent } from "./use-in-agent.tsx";

/** Who searches a store, and the way to another one. */
export function WhereUsedLine({ store }: { store: StoreView }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Group gap={6}>
      <Text size="sm" c="dimmed">
        {strings.usedBy}:
      </Text>
      <WhereUsed ids={store.whereUsed} />
      {store.loaders.length > 0 && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<Bot size={16} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          {strings.actions.use}
        </Button>
      )}
      {isOpen && <UseInAgent store={store} onClose={() => setOpen(false)} />}
    </Group>
  );
}
