import { Combobox, Group, Text, useCombobox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { JsonObject } from "@weft/schema";
import { type ReactElement, useState } from "react";
import { agentsQuery } from "../../api/agents.ts";
import { integrationsQuery } from "../../api/integrations.ts";
import { toolsQuery } from "../../api/tools.ts";
import { formStrings } from "../../strings/forms.ts";
import { ToolIcon } from "./tool-icon.tsx";
import { type ToolOption, toToolOptions } from "./tool-options.ts";

type Props = {
  /** What opens the list; it must take a ref. */
  children: (toggle: () => void, isOpen: boolean) => ReactElement;
  onChoose(tool: { type: string; config: JsonObject }): void;
};

/** Whatever an agent can call, with a search: integrations, stored tools, and other agents. */
export function ToolChoice({ children, onChoose }: Props) {
  const [search, setSearch] = useState("");
  const { data: integrations = [], isError } = useQuery(integrationsQuery);
  const { data: tools = [] } = useQuery(toolsQuery);
  const { data: agents = [] } = useQuery(agentsQuery);
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setSearch("");
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  });
  const options = toToolOptions({ integrations, tools, agents });
  const words = search.trim().toLowerCase();
  const found = options.filter(({ title, summary }) => `${title} ${summary}`.toLowerCase().includes(words));
  const groups = [...new Set(found.map(({ group }) => group))];
  return (
    <Combobox
      store={combobox}
      width={340}
      position="bottom-start"
      withinPortal
      onOptionSubmit={(key) => {
        const chosen = options.find((option) => option.key === key);
        combobox.closeDropdown();
        if (chosen) onChoose({ type: chosen.type, config: chosen.config });
      }}
    >
      <Combobox.Target withAriaAttributes={false}>
        {children(() => combobox.toggleDropdown(), combobox.dropdownOpened)}
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={formStrings.toolSearch}
          aria-label={formStrings.toolSearch}
        />
        <Combobox.Options mah={320} style={{ overflowY: "auto" }}>
          {found.length === 0 && (
            <Combobox.Empty>{isError ? formStrings.loadFailed : formStrings.noMatch}</Combobox.Empty>
          )}
          {groups.map((group) => (
            <Combobox.Group key={group} label={group}>
              {found
                .filter((option) => option.group === group)
                .map((option) => (
                  <Option key={option.key} option={option} />
                ))}
            </Combobox.Group>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function Option({ option }: { option: ToolOption }) {
  return (
    <Combobox.Option value={option.key}>
      <Group gap="sm" wrap="nowrap">
        <ToolIcon icon={option.icon} group={option.iconGroup} />
        <div style={{ minWidth: 0 }}>
          <Text size="sm" truncate>
            {option.title}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {option.summary}
          </Text>
        </div>
      </Group>
    </Combobox.Option>
  );
}
