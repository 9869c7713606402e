import { ActionIcon, Button } from "@mantine/core";
import { ChevronDown, Plus, X } from "lucide-react";
import { useRef } from "react";
import { formStrings } from "../../strings/forms.ts";
import type { Field } from "../fields/field.ts";
import { joinPath } from "../fields/field-problems.ts";
import { asObject, shownValue } from "../fields/update-value.ts";
import classes from "../form/form.module.css";
import type { WidgetProps } from "../form/form-scope.ts";
import { EntryMenu } from "./entry-menu.tsx";
import { ToolCard } from "./tool-card.tsx";
import { ToolChoice } from "./tool-choice.tsx";
import { useEntries } from "./use-entries.ts";

/** What an agent may call. */
export function ToolsWidget(props: WidgetProps) {
  const { field, path, isDisabled } = props;
  const { list, nameOf, add, replace, move, remove, duplicate } = useEntries(props);
  const newIndex = useRef(-1);
  return (
    <div className={classes.rows}>
      {list.map((entry, index) => (
        <ToolCard
          key={String(index)}
          saysProblems
          others={othersOf(field.entry)}
          value={asObject(entry)}
          onChange={(changed) => replace(index, changed)}
          path={joinPath(path, String(index))}
          isNew={newIndex.current === index}
          menu={
            <EntryMenu
              name={nameOf(index)}
              index={index}
              count={list.length}
              isDisabled={isDisabled}
              onMove={(to) => move(index, to)}
              onRemove={() => remove(index)}
              onDuplicate={() => duplicate(index)}
            />
          }
        />
      ))}
      <ToolChoice
        onChoose={(tool) => {
          newIndex.current = list.length;
          add(tool);
        }}
      >
        {(toggle, isOpen) => (
          <Button
            className={classes.add}
            variant="default"
            size="xs"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={toggle}
            disabled={isDisabled}
            aria-haspopup="listbox"
            aria-expanded={isOpen}
          >
            {formStrings.addTool}
          </Button>
        )}
      </ToolChoice>
    </div>
  );
}

/** One tool. */
export function ToolWidget({ field, value, onChange, path, isDisabled }: WidgetProps) {
  const reference = asObject(shownValue(field, value));
  const isChosen = typeof reference.type === "string" && reference.type !== "";
  return (
    <div className={classes.rows}>
      {isChosen && (
        <ToolCard
          key={String(reference.type)}
          others={othersOf(field)}
          value={reference}
          onChange={onChange}
          path={path}
          isNew
          menu={
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={formStrings.removeEntry(field.title)}
              onClick={() => onChange(undefined)}
              disabled={isDisabled}
            >
              <X size={16} aria-hidden />
            </ActionIcon>
          }
        />
      )}
      <ToolChoice onChoose={onChange}>
        {(toggle, isOpen) => (
          <Button
            className={classes.add}
            variant="default"
            size="xs"
            rightSection={<ChevronDown size={14} aria-hidden />}
            onClick={toggle}
            disabled={isDisabled}
            aria-haspopup="listbox"
            aria-expanded={isOpen}
          >
            {isChosen ? formStrings.changeTool : formStrings.chooseTool}
          </Button>
        )}
      </ToolChoice>
    </div>
  );
}

function othersOf(reference: Field | undefined): readonly Field[] {
  return reference?.fields.filter(({ name }) => name !== "type" && name !== "config") ?? [];
}
