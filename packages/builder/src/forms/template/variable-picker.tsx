import { ActionIcon, Combobox, Text, useCombobox } from "@mantine/core";
import { Braces } from "lucide-react";
import { useState } from "react";
import { formStrings } from "../../strings/forms.ts";
import classes from "./template-editor.module.css";
import type { TemplateVariable } from "./template-variable.ts";

type Props = { variables: readonly TemplateVariable[]; title: string; onPick(path: string): void };

/** A button that opens a list of variables with a search. */
export function VariablePicker({ variables, title, onPick }: Props) {
  const [search, setSearch] = useState("");
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setSearch("");
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  });
  const words = search.trim().toLowerCase();
  const found = variables.filter(({ path, title: name }) => `${path} ${name}`.toLowerCase().includes(words));
  const groups = [...new Set(found.map(({ group }) => group))];
  return (
    <Combobox
      store={combobox}
      width={280}
      position="bottom-end"
      withinPortal
      onOptionSubmit={(path) => {
        combobox.closeDropdown();
        onPick(path);
      }}
    >
      <Combobox.Target withAriaAttributes={false}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          aria-label={`${formStrings.insertVariable}: ${title}`}
          title={formStrings.insertVariable}
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
          onClick={() => combobox.toggleDropdown()}
        >
          <Braces size={14} aria-hidden />
        </ActionIcon>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={formStrings.searchVariables}
          aria-label={formStrings.searchVariables}
        />
        <Combobox.Options mah={280} style={{ overflowY: "auto" }}>
          {found.length === 0 && <Combobox.Empty>{formStrings.noVariables}</Combobox.Empty>}
          {groups.map((group) => (
            <Combobox.Group key={group} label={group}>
              {found
                .filter((one) => one.group === group)
                .map(({ path, title: name }) => (
                  <Combobox.Option key={path} value={path} className={classes.option}>
                    <span className={classes.path}>{path}</span>
                    <Text size="xs" c="dimmed" truncate>
                      {name}
                    </Text>
                  </Combobox.Option>
                ))}
            </Combobox.Group>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
