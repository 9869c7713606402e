import type { Json, JsonObject } from "@weft/schema";
import { useMemo } from "react";
import { formStrings } from "../../strings.ts";
import { Hint } from "../../ui/text/hint.tsx";
import { askedProblems, createProblemIndex, type FieldProblem, fieldProblems } from "../fields/field-problems.ts";
import { type Field, toForm } from "../fields/to-field.ts";
import { withProperty } from "../fields/values.ts";
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
  /** Default: the fields of all sections. */
  section?: FormSection | undefined;
};

/** A field's section among the settings of a step. */
export type FormSection = "setup" | NonNullable<Field["schema"]["section"]>;

/** The sections of a form that have fields, with their problem counts. */
export function sectionsOf(
  schema: object,
  value: JsonObject,
  { errors, isAsked }: { errors: readonly FieldProblem[] } & Pick<FormContext, "isAsked">,
): SectionFacts[] {
  const form = toForm(schema);
  const problems = createProblemIndex([...askedProblems(fieldProblems(form, value), isAsked), ...errors]);
  const sections = Map.groupBy(form.fields, sectionOf);
  return (["setup", "output"] as const).flatMap((section) => {
    const fields = sections.get(section) ?? [];
    if (fields.length === 0 && section !== "setup") return [];
    return [{ section, problems: fields.reduce((sum, { name }) => sum + problems.count(name), 0) }];
  });
}

/** The section of a dotted path; without a path, set-up. */
export function sectionOfPath(schema: object, path: string | undefined): FormSection {
  const field = toForm(schema).fields.find(({ name }) => name === path?.split(".")[0]);
  return field ? sectionOf(field) : "setup";
}

type SectionFacts = { section: FormSection; problems: number };

function sectionOf({ schema }: Field): FormSection {
  return schema.section ?? "setup";
}

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
  section,
}: Props) {
  const form = toForm(schema);
  const fields = section === undefined ? form.fields : form.fields.filter((field) => sectionOf(field) === section);
  const { isAsked } = context;
  const problems = useMemo(
    () => createProblemIndex([...askedProblems(fieldProblems(form, value), isAsked), ...errors]),
    [form, value, errors, isAsked],
  );
  const scope: FormScope = useMemo(() => ({ widgets, context, problems, isDisabled }), [context, problems, isDisabled]);
  const change = (name: string, changed: Json | undefined) => onChange(withProperty(value, name, changed));
  return (
    <FormScopeContext value={scope}>
      {fields.length === 0 ? (
        <Hint>{formStrings.nothingToSet}</Hint>
      ) : (
        <FieldList fields={fields} value={value} onChange={change} path="" />
      )}
    </FormScopeContext>
  );
}
