import { Button, Menu, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronDown, Plus } from "lucide-react";
import { loaderTypesQuery } from "../../../api/document-stores.ts";
import { commonStrings } from "../../../strings/common.ts";
import { documentStoresStrings as strings } from "../../../strings/document-stores.ts";
import { LoaderIcon } from "./loader-icon.tsx";

/** Every kind of loader that the server has; each opens its form. */
export function AddMenu({ storeId }: { storeId: string }) {
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
            <Text size="xs" c="dimmed">
              {summary}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
