import { Button, Group, Menu, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { loaderTypesQuery, type StoreView } from "../../../api/document-stores.ts";
import { Bot, ChevronDown, Plus } from "../../../icons/icons.gen.ts";
import { commonStrings, documentStoresStrings as strings } from "../../../strings.ts";
import { ErrorNotice } from "../../../ui/page/notices.tsx";
import { useRequest } from "../../../ui/page/requests.ts";
import { Hint } from "../../../ui/text/hint.tsx";
import { WhereUsed } from "../store-parts.tsx";
import { FileDrop } from "../upload/file-drop.tsx";
import type { Upload } from "../upload/upload.ts";
import { upsertActions } from "../upsert-actions.ts";
import { LoaderIcon, LoaderTable } from "./loader-table.tsx";
import { UseInAgent } from "./use-in-agent.tsx";

export function DocumentsTab({ store, onUpsert }: { store: StoreView; onUpsert(id: string): void }) {
  const { mutate, isPending, error } = useRequest(
    (uploads: readonly Upload[]) => upsertActions.upload(store.id, uploads),
    {
      next: onUpsert,
    },
  );
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <WhereUsedLine store={store} />
        <AddMenu storeId={store.id} />
      </Group>
      <FileDrop text={strings.upload.or} isBusy={isPending} onFiles={mutate} />
      <ErrorNotice error={error} />
      {store.loaders.length > 0 && <LoaderTable store={store} onUpsert={onUpsert} />}
    </Stack>
  );
}

/** Who searches a store, and the way to another one. */
function WhereUsedLine({ store }: { store: StoreView }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Group gap={6}>
      <Hint>{strings.usedBy}</Hint>
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

/** Every kind of loader that the server has; each opens its form. */
function AddMenu({ storeId }: { storeId: string }) {
  const navigate = useNavigate();
  const { data: types } = useQuery(loaderTypesQuery);
  return (
    <Menu position="bottom-end" width={340}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<Plus size={16} aria-hidden />}
          rightSection={<ChevronDown size={14} aria-hidden />}
        >
          {strings.add}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {types === undefined && <Menu.Item disabled>{commonStrings.loading}</Menu.Item>}
        {types?.map(({ name, title, summary }) => (
          <Menu.Item
            key={name}
            leftSection={<LoaderIcon type={name} />}
            onClick={() =>
              void navigate({
                to: "/document-stores/$storeId/loaders/new",
                params: { storeId },
                search: { type: name },
              })
            }
          >
            {title}
            <Hint size="xs">{summary}</Hint>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
