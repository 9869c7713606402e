import type { Json } from "@weft/schema";
import { formStrings } from "../../strings/forms.ts";
import { createRandomId, initialEntry } from "../fields/initial-value.ts";
import { asList, copied, moved, shownValue } from "../fields/update-value.ts";
import type { WidgetProps } from "../form/form-scope.ts";

/** The entries of a list and what can be done with them. An optional list without entries is not set. */
export function useEntries({ field, value, onChange }: Pick<WidgetProps, "field" | "value" | "onChange">) {
  const list = asList(shownValue(field, value));
  const item = field.schema.item ?? formStrings.entry;
  const change = (next: Json[]) => {
    const mayBeUnset =
      !field.isRequired && (field.schema.default === undefined || asList(field.schema.default).length === 0);
    onChange(next.length === 0 && mayBeUnset ? undefined : next);
  };
  return {
    list,
    item,
    nameOf: (index: number) => formStrings.entryNumber(item, index + 1),
    add: (entry: Json = initialEntry(field)) => change([...list, entry]),
    replace: (index: number, entry: Json | undefined) => change(list.with(index, entry ?? null)),
    remove: (index: number) => change(list.toSpliced(index, 1)),
    move: (from: number, to: number) => change(moved(list, from, to)),
    duplicate(index: number) {
      const entry = list[index];
      if (entry === undefined || field.entry === undefined) return;
      change(list.toSpliced(index + 1, 0, copied(field.entry, entry, createRandomId)));
    },
  };
}
