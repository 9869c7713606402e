import { Text } from "@mantine/core";
import type { Json, JsonObject } from "@weft/schema";
import { useMemo } from "react";
import { createProblemIndex, type FieldProblem, fieldProblems } from "../fields/field-problems.ts";
import { toForm } from "../fields/to-field.ts";
import { withProperty } from "../fields/values.ts";
import { formStrings } from "../strings.ts";
import { widgets } from "../widgets/index.ts";
import { FieldList } from "./field-list.tsx";
import { type FormContext, type FormScope, FormScopeContext } from "./form-scope.ts";

type Props = {
  /** JSON Schema of an object, with form hints. */
  schema: object;
  value: JsonObject;
  onChange(value: JsonObject): void;
  context?: FormContext;
  /** Problems found by the server, by dotted path, in addition to those of the form. */
  errors?: readonly FieldProblem[];
  isDisabled?: boolean;
};

const nothing: FormContext = {};
const noErrors: readonly FieldProblem[] = [];

/** A form generated from a schema. Its value has the schema's shape; fields that were never set are absent. */
export function ConfigForm({
  schema,
  value,
  onChange,
  context = nothing,
  errors = noErrors,
  isDisabled = false,
}: Props) {
  const form = toForm(schema);
  const problems = useMemo(() => createProblemIndex([...fieldProblems(form, value), ...errors]), [form, value, errors]);
  const scope: FormScope = useMemo(() => ({ widgets, context, problems, isDisabled }), [context, problems, isDisabled]);
  const change = (name: string, changed: Json | undefined) => onChange(withProperty(value, name, changed));
  return (
    <FormScopeContext value={scope}>
      {form.fields.length === 0 ? (
        <Text size="sm" c="dimmed">
          {formStrings.nothingToSet}
        </Text>
      ) : (
        <FieldList fields={form.fields} value={value} onChange={change} path="" />
      )}
    </FormScopeContext>
  );
}
