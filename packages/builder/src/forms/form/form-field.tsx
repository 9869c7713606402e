import { ActionIcon, Input, Tooltip } from "@mantine/core";
import type { Json, JsonObject } from "@weft/schema";
import { RotateCcw } from "lucide-react";
import { useId, useState } from "react";
import { formStrings } from "../../strings/forms.ts";
import type { Field } from "../fields/field.ts";
import classes from "./form.module.css";
import { useFormScope } from "./form-scope.ts";

type Props = {
  field: Field;
  value: Json | undefined;
  onChange(value: Json | undefined): void;
  path: string;
  siblings: JsonObject;
  /** In place of a visible label. */
  label?: string;
};

/** One field with its label, its help and its problems. */
export function FormField({ field, value, onChange, path, siblings, label }: Props) {
  const { widgets, problems, isDisabled } = useFormScope();
  const id = useId();
  const [wasLeft, setWasLeft] = useState(false);
  const { component: Control, frame } = widgets[field.widget];
  const said = problems
    .at(path)
    .filter((message) => wasLeft || value !== undefined || message !== formStrings.required);
  const isInvalid = said.length > 0;
  const labelId = `${id}-label`;
  const { help } = field.schema;
  const hasHelp = help !== undefined && label === undefined;
  const describedBy = isInvalid ? `${id}-error` : hasHelp ? `${id}-help` : undefined;
  const control = (
    <Control
      {...{ field, value, onChange, path, siblings, labelId, describedBy, isInvalid, isDisabled }}
      id={`${id}-control`}
      {...(label === undefined ? {} : { label })}
    />
  );
  if (frame === "none") return null;
  const error = isInvalid && (
    <Input.Error id={`${id}-error`} mt={4}>
      {said.join(" ")}
    </Input.Error>
  );
  if (frame === "own" || label !== undefined) {
    return (
      <div className={classes.cell}>
        {control}
        {error}
      </div>
    );
  }
  const isGroup = frame === "group";
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the focus has left the control inside.
    <div
      className={classes.field}
      {...(isGroup ? { role: "group", "aria-labelledby": labelId } : {})}
      onBlur={() => setWasLeft(true)}
      data-field={path}
    >
      <div className={classes.label}>
        <Input.Label
          id={labelId}
          required={field.isRequired}
          {...(isGroup ? { labelElement: "div" as const } : { htmlFor: `${id}-control` })}
        >
          {field.title}
        </Input.Label>
        <ResetButton {...{ field, value, onChange, isDisabled }} />
      </div>
      {hasHelp && (
        <Input.Description id={`${id}-help`} mb={6}>
          {help}
        </Input.Description>
      )}
      {control}
      {error}
    </div>
  );
}

type ResetProps = Pick<Props, "field" | "value" | "onChange"> & { isDisabled: boolean };

/** Shown where a text says something else than its default; other defaults are a choice away. */
function ResetButton({ field, value, onChange, isDisabled }: ResetProps) {
  const { default: standard } = field.schema;
  const isOther = typeof standard === "string" && standard !== "" && value !== undefined && value !== standard;
  if (!isOther || isDisabled || field.schema.enum !== undefined) return null;
  const label = formStrings.reset(field.title);
  return (
    <Tooltip label={label}>
      <ActionIcon
        className={classes.reset}
        variant="subtle"
        color="gray"
        size={24}
        aria-label={label}
        onClick={() => onChange(undefined)}
      >
        <RotateCcw size={12} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
