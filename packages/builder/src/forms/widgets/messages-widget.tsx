import { Select } from "@mantine/core";
import { formStrings } from "../../strings/forms.ts";
import { joinPath } from "../fields/field-problems.ts";
import { asObject, withProperty } from "../fields/update-value.ts";
import classes from "../form/form.module.css";
import { FormField } from "../form/form-field.tsx";
import type { WidgetProps } from "../form/form-scope.ts";
import { AddButton, useEntries } from "./add-button.tsx";
import { EntryMenu } from "./entry-menu.tsx";

/** A message with a role: the role is selected above the text. */
export function MessagesWidget(props: WidgetProps) {
  const { field, path, isDisabled } = props;
  const { list, item, nameOf, add, replace, move, remove, duplicate } = useEntries(props);
  const role = field.entry?.fields.find(({ widget }) => widget === "select");
  const text = field.entry?.fields.find((one) => one !== role);
  if (role === undefined || text === undefined) return null;
  const roles = (role.schema.enum ?? []).map(String);
  return (
    <div className={classes.rows}>
      {list.map((entry, index) => {
        const message = asObject(entry);
        return (
          <div className={classes.card} key={String(index)}>
            <div className={classes.cardHeader}>
              <Select
                variant="unstyled"
                size="xs"
                w={120}
                ml={8}
                data={roles.map((value) => ({ value, label: role.schema.labels?.[value] ?? value }))}
                value={String(message[role.name] ?? "")}
                onChange={(chosen) => replace(index, withProperty(message, role.name, chosen ?? undefined))}
                allowDeselect={false}
                disabled={isDisabled}
                aria-label={formStrings.cellOf(role.title, index + 1)}
              />
              <span style={{ flex: 1 }} />
              <EntryMenu
                name={nameOf(index)}
                index={index}
                count={list.length}
                isDisabled={isDisabled}
                onMove={(to) => move(index, to)}
                onRemove={() => remove(index)}
                onDuplicate={() => duplicate(index)}
              />
            </div>
            <div className={classes.messageBody}>
              <FormField
                field={text}
                value={message[text.name]}
                onChange={(changed) => replace(index, withProperty(message, text.name, changed))}
                path={joinPath(joinPath(path, String(index)), text.name)}
                siblings={message}
                label={formStrings.cellOf(text.title, index + 1)}
              />
            </div>
          </div>
        );
      })}
      <AddButton item={item} onClick={() => add()} isDisabled={isDisabled} />
    </div>
  );
}
