import { Combobox, Modal, useCombobox } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useRef, useState } from "react";
import { Braces, Maximize2 } from "../../icons/icons.gen.ts";
import { commonStrings, formStrings } from "../../strings.ts";
import { IconAction } from "../../ui/controls/actions.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { CodeEditor } from "./code-editor.tsx";
import type { EditorHandle, EditorProps, TemplateVariable } from "./editor-props.ts";
import classes from "./template-editor.module.css";

type Props = Omit<EditorProps, "language" | "handle"> & {
  /** The name of the field, shown in the larger editor. */
  title: string;
};

/** A text with `{{ … }}` references: known ones are marked, and variables are offered while typing or by a button. */
export function TemplateEditor({ title, ...props }: Props) {
  const handle = useRef<EditorHandle>(null);
  const large = useRef<EditorHandle>(null);
  const [isLarge, { open, close }] = useDisclosure(false);
  const { value, onChange, variables = [], isSingleLine = false } = props;
  const insertInto = (editor: EditorHandle | null) => (path: string) => {
    const text = `{{ ${path} }}`;
    if (editor) editor.insert(text);
    else onChange(`${value}${text}`);
  };
  return (
    <div className={isSingleLine ? classes.singleLine : classes.root}>
      <CodeEditor {...props} language="template" handle={handle} />
      <div className={classes.tools}>
        {!isSingleLine && (
          <IconAction
            tip={formStrings.openEditor}
            icon={Maximize2}
            label={commonStrings.labelled({ label: formStrings.openEditor, value: title })}
            onClick={open}
            size={24}
          />
        )}
        <VariablePicker variables={variables} title={title} onPick={(path) => insertInto(handle.current)(path)} />
      </div>
      <Modal opened={isLarge} onClose={close} size="xl" title={title}>
        <div className={classes.root}>
          <CodeEditor
            value={value}
            onChange={onChange}
            variables={variables}
            language="template"
            label={title}
            handle={large}
            minLines={18}
            maxLines={24}
          />
          <div className={classes.tools}>
            <VariablePicker variables={variables} title={title} onPick={(path) => insertInto(large.current)(path)} />
          </div>
        </div>
      </Modal>
    </div>
  );
}

type VariablePickerProps = { variables: readonly TemplateVariable[]; title: string; onPick(path: string): void };

/** A button that opens a list of variables with a search. */
function VariablePicker({ variables, title, onPick }: VariablePickerProps) {
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
        <IconAction
          icon={Braces}
          label={commonStrings.labelled({ label: formStrings.insertVariable, value: title })}
          title={formStrings.insertVariable}
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
          onClick={() => combobox.toggleDropdown()}
          size={24}
        />
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
                .map((variable) => (
                  <VariableOption key={variable.path} variable={variable} />
                ))}
            </Combobox.Group>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function VariableOption({ variable: { path, title, sample } }: { variable: TemplateVariable }) {
  const value = sample?.();
  return (
    <Combobox.Option value={path} className={classes.option}>
      <span className={classes.path}>{path}</span>
      <Hint size="xs" truncate>
        {title}
      </Hint>
      {value !== undefined && <span className={classes.sample}>{value}</span>}
    </Combobox.Option>
  );
}
