import { Collapse, Input, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Json, JsonObject } from "@weft/schema";
import { useEffect, useId, useState } from "react";
import { ChevronRight, RotateCcw } from "../../icons/icons.gen.ts";
import { formatList } from "../../languages/index.ts";
import { formStrings } from "../../strings.ts";
import { IconAction } from "../../ui/controls/actions.tsx";
import { joinPath, saidAtField } from "../fields/field-problems.ts";
import type { Field } from "../fields/to-field.ts";
import { isShown } from "../fields/values.ts";
import classes from "./form.module.css";
import { useFormScope } from "./form-scope.ts";

type Props = {
  fields: readonly Field[];
  value: JsonObject;
  onChange(name: string, value: Json | undefined): void;
  path: string;
};

/** The fields of an object: the essential ones, and the others collapsed under headings that say what they are. */
export function FieldList({ fields, value, onChange, path }: Props) {
  const { problems } = useFormScope();
  const shown = fields.filter((field) => isShown(field, fields, value));
  const { open, folds } = toFolds(shown);
  const render = (field: Field) => (
    <FormField
      key={field.name}
      field={field}
      value={value[field.name]}
      onChange={(changed) => onChange(field.name, changed)}
      path={joinPath(path, field.name)}
      siblings={value}
    />
  );
  return (
    <div className={classes.list}>
      {open.map(render)}
      {folds.map(({ title, folded }) => (
        <Fold
          key={title}
          title={title}
          problemCount={folded.reduce((sum, { name }) => sum + problems.count(joinPath(path, name)), 0)}
        >
          {folded.map(render)}
        </Fold>
      ))}
    </div>
  );
}

/** Named in a heading; further ones are counted. */
const namedInHeading = 2;

/** The fields in sight, and the collapsed ones by heading: one of the schema's own, or their titles. */
function toFolds(fields: readonly Field[]): {
  open: Field[];
  folds: { title: string; folded: readonly Field[] }[];
} {
  const advanced = fields.filter(({ schema }) => schema.advanced && schema.fold === undefined);
  // A lone switch takes no more room than a heading.
  const rest = advanced.length === 1 && advanced[0]?.widget === "boolean" ? [] : advanced;
  const named = Map.groupBy(
    fields.filter(({ schema }) => schema.fold !== undefined),
    ({ schema }) => String(schema.fold),
  );
  const folds = [...named].map(([title, folded]) => ({ title, folded }));
  return {
    open: fields.filter((field) => field.schema.fold === undefined && !rest.includes(field)),
    folds: rest.length === 0 ? folds : [...folds, { title: toHeading(rest), folded: rest }],
  };
}

function toHeading(fields: readonly Field[]): string {
  const titles = fields.map(({ title }) => title);
  if (titles.length <= namedInHeading + 1) return formatList(titles);
  const first = titles.slice(0, namedInHeading).join(", ");
  return formStrings.foldOf({ first, count: titles.length - namedInHeading });
}

type FoldProps = { title: string; problemCount?: number; children: React.ReactNode };

/** A section that is collapsed at first. */
export function Fold({ title, problemCount = 0, children }: FoldProps) {
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <div>
      <UnstyledButton className={classes.fold} onClick={toggle} aria-expanded={isOpen}>
        <ChevronRight size={14} className={classes.chevron} data-open={isOpen || undefined} aria-hidden />
        {title}
        {problemCount > 0 && (
          <Text span size="xs" c="var(--mantine-color-error)">
            {formStrings.problems({ count: problemCount })}
          </Text>
        )}
      </UnstyledButton>
      <Collapse expanded={isOpen} keepMounted={false}>
        <div className={classes.folded}>{children}</div>
      </Collapse>
    </div>
  );
}

type FormFieldProps = {
  field: Field;
  value: Json | undefined;
  onChange(value: Json | undefined): void;
  path: string;
  siblings: JsonObject;
  /** Replaces a visible label. */
  label?: string;
};

export function FormField({ field, value, onChange, path, siblings, label }: FormFieldProps) {
  const { widgets, context, problems, isDisabled } = useFormScope();
  const id = useId();
  const [wasLeft, setWasLeft] = useState(false);
  const { component: Control, frame } = widgets[field.widget];
  const isSaid = wasLeft || context.isAsked !== undefined || value !== undefined;
  const said = saidAtField(
    problems.at(path).filter((message) => isSaid || message !== formStrings.required),
    field,
  );
  const isInvalid = said.length > 0;
  const labelId = `${id}-label`;
  const { help } = field.schema;
  const hasHelp = help !== undefined && label === undefined;
  const describedBy = isInvalid ? `${id}-error` : hasHelp ? `${id}-help` : undefined;
  useDescription(`${id}-control`, describedBy);
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
      onBlur={() => {
        setWasLeft(true);
        context.onLeft?.(path);
      }}
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

/** Mantine's inputs are described only by their own label and error, so this sets the attribute. */
function useDescription(controlId: string, describedBy: string | undefined): void {
  useEffect(() => {
    const element = document.getElementById(controlId);
    if (describedBy === undefined) element?.removeAttribute("aria-describedby");
    else element?.setAttribute("aria-describedby", describedBy);
  }, [controlId, describedBy]);
}

type ResetProps = Pick<FormFieldProps, "field" | "value" | "onChange"> & { isDisabled: boolean };

/** Shown if a text differs from its default; other defaults are one choice away. */
function ResetButton({ field, value, onChange, isDisabled }: ResetProps) {
  const { default: standard } = field.schema;
  const isOther = typeof standard === "string" && standard !== "" && value !== undefined && value !== standard;
  if (!isOther || isDisabled || field.schema.enum !== undefined) return null;
  const label = formStrings.reset({ title: field.title });
  return (
    <IconAction
      icon={RotateCcw}
      label={label}
      tip
      className={classes.reset}
      onClick={() => onChange(undefined)}
      size={24}
      iconSize={12}
    />
  );
}
