import { Collapse, Text, UnstyledButton } from "@mantine/core";
import type { Json } from "@weft/schema";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { formStrings } from "../../strings/forms.ts";
import type { Field } from "../fields/field.ts";
import { asObject, withProperty } from "../fields/update-value.ts";
import { FieldList } from "../form/field-list.tsx";
import classes from "../form/form.module.css";
import { useFormScope } from "../form/form-scope.ts";

type Props = {
  /** What it is called while it says nothing of itself. */
  name: string;
  fields: readonly Field[];
  value: Json;
  onChange(value: Json): void;
  path: string;
  menu: React.ReactNode;
};

/** An entry of a list as a card: its first text as the title, its fields when it is open. New ones are open. */
export function EntryCard({ name, fields, value, onChange, path, menu }: Props) {
  const { problems } = useFormScope();
  const object = asObject(value);
  const title = titleOf(fields, object) || name;
  const [isOpen, setOpen] = useState(() => titleOf(fields, object) === "");
  const count = problems.count(path);
  return (
    <div className={classes.card}>
      <div className={classes.cardHeader}>
        <UnstyledButton className={classes.cardToggle} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          <ChevronRight size={14} className={classes.chevron} data-open={isOpen || undefined} aria-hidden />
          <span className={classes.cardTitle}>{title}</span>
          {count > 0 && !isOpen && (
            <Text span size="xs" c="var(--mantine-color-error)">
              {formStrings.problems(count)}
            </Text>
          )}
        </UnstyledButton>
        {menu}
      </div>
      <Collapse expanded={isOpen} keepMounted={false}>
        <div className={classes.cardBody}>
          <FieldList
            fields={fields}
            value={object}
            onChange={(field, changed) => onChange(withProperty(object, field, changed))}
            path={path}
          />
        </div>
      </Collapse>
    </div>
  );
}

const titles = ["title", "label", "name", "description", "key"];

function titleOf(fields: readonly Field[], object: Record<string, Json>): string {
  const texts = titles.filter((name) => fields.some((field) => field.name === name)).map((name) => object[name]);
  const text = texts.find((one) => typeof one === "string" && one !== "");
  return typeof text === "string" ? text.slice(0, 120) : "";
}
