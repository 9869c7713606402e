import { Autocomplete, Group, SegmentedControl, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { Plus, X } from "../../../icons/icons.gen.ts";
import { storeQueryStrings as strings } from "../../../strings.ts";
import { Action, IconAction } from "../../../ui/controls/actions.tsx";
import { Hint } from "../../../ui/text/hint.tsx";
import {
  type ConditionDraft,
  type FilterDraft,
  newCondition,
  operators,
  readFilterDraft,
  takesList,
  takesValue,
  turnFilterDraft,
} from "./passage-filter.ts";
import classes from "./query-tab.module.css";

type Props = {
  draft: FilterDraft /** Of metadata, as suggestions. */;
  names: readonly string[];
  onChange(draft: FilterDraft): void;
};

/** The filter of a query: conditions of a name, an operator and a value, or the API's JSON. */
export function FilterFields({ draft, names, onChange }: Props) {
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="flex-start">
        <Hint size="xs" maw={560}>
          {strings.filterHelp}
        </Hint>
        <SegmentedControl
          size="xs"
          aria-label={strings.filterAs}
          data={[
            { value: "fields", label: strings.asFields },
            { value: "json", label: strings.asJson },
          ]}
          value={draft.kind}
          onChange={(kind) => onChange(turnFilterDraft(draft, kind as FilterDraft["kind"]))}
        />
      </Group>
      {draft.kind === "json" ? (
        <Textarea
          aria-label={strings.filterJson}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          autosize
          minRows={3}
          maxRows={12}
          placeholder={'{ "year": { "$gte": 2024 } }'}
          value={draft.text}
          error={readFilterDraft(draft) === undefined && strings.jsonWrong}
          onChange={(event) => onChange({ ...draft, text: event.currentTarget.value })}
        />
      ) : (
        <Conditions
          conditions={draft.conditions}
          names={names}
          onChange={(conditions) => onChange({ ...draft, conditions })}
        />
      )}
    </Stack>
  );
}

type ConditionsProps = {
  conditions: readonly ConditionDraft[];
  names: readonly string[];
  onChange(conditions: readonly ConditionDraft[]): void;
};

function Conditions({ conditions, names, onChange }: ConditionsProps) {
  const change = (index: number, changed: Partial<ConditionDraft>) =>
    onChange(conditions.map((one, at) => (at === index ? { ...one, ...changed } : one)));
  return (
    <>
      {conditions.map((condition, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a condition has no identity but its place, and no state of its own.
        <fieldset key={index} className={classes.condition} aria-label={strings.condition({ number: index + 1 })}>
          <Autocomplete
            aria-label={strings.field}
            placeholder="source"
            data={names}
            value={condition.name}
            onChange={(name) => change(index, { name })}
          />
          <Select
            aria-label={strings.operator}
            allowDeselect={false}
            data={operators.map((value) => ({ value, label: strings.operators[value] }))}
            value={condition.operator}
            onChange={(operator) => change(index, { operator: operator ?? "$eq" })}
          />
          <TextInput
            aria-label={strings.value}
            disabled={!takesValue(condition.operator)}
            placeholder={takesList(condition.operator) ? strings.valuesPlaceholder : ""}
            value={takesValue(condition.operator) ? condition.value : ""}
            onChange={(event) => change(index, { value: event.currentTarget.value })}
          />
          <IconAction
            icon={X}
            label={strings.removeCondition({ number: index + 1 })}
            onClick={() => onChange(conditions.filter((_, at) => at !== index))}
            size={36}
            iconSize={16}
          />
        </fieldset>
      ))}
      <Group>
        <Action
          icon={Plus}
          label={strings.addCondition}
          size="xs"
          onClick={() => onChange([...conditions, newCondition])}
        />
      </Group>
    </>
  );
}
