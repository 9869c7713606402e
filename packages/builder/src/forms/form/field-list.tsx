import { Collapse, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Json, JsonObject } from "@weft/schema";
import { ChevronRight } from "lucide-react";
import { formStrings } from "../../strings/forms.ts";
import type { Field } from "../fields/field.ts";
import { joinPath } from "../fields/field-problems.ts";
import { isShown } from "../fields/update-value.ts";
import classes from "./form.module.css";
import { FormField } from "./form-field.tsx";
import { useFormScope } from "./form-scope.ts";

type Props = {
  fields: readonly Field[];
  value: JsonObject;
  onChange(name: string, value: Json | undefined): void;
  path: string;
};

/** The fields of an object: those that everybody needs, and the others folded away. */
export function FieldList({ fields, value, onChange, path }: Props) {
  const { problems } = useFormScope();
  const shown = fields.filter((field) => isShown(field, fields, value));
  const advanced = shown.filter(({ schema }) => schema.advanced);
  const count = advanced.reduce((sum, { name }) => sum + problems.count(joinPath(path, name)), 0);
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
      {shown.filter(({ schema }) => !schema.advanced).map(render)}
      {advanced.length > 0 && (
        <Fold title={formStrings.advanced} problemCount={count}>
          {advanced.map(render)}
        </Fold>
      )}
    </div>
  );
}

type FoldProps = { title: string; problemCount?: number; children: React.ReactNode };

/** A section that is folded until it is opened. */
export function Fold({ title, problemCount = 0, children }: FoldProps) {
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <div>
      <UnstyledButton className={classes.fold} onClick={toggle} aria-expanded={isOpen}>
        <ChevronRight size={14} className={classes.chevron} data-open={isOpen || undefined} aria-hidden />
        {title}
        {problemCount > 0 && (
          <Text span size="xs" c="var(--mantine-color-error)">
            {formStrings.problems(problemCount)}
          </Text>
        )}
      </UnstyledButton>
      <Collapse expanded={isOpen} keepMounted={false}>
        <div className={classes.folded}>{children}</div>
      </Collapse>
    </div>
  );
}
