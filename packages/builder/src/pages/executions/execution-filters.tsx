import { Button, Group, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { FilterX } from "lucide-react";
import { useState } from "react";
import classes from "./execution-filters.module.css";
import { type ExecutionState, type ExecutionsSearch, hasFilters } from "./executions-search.ts";
import { executionStrings } from "./strings.ts";

type Change = { [Key in keyof ExecutionsSearch]?: ExecutionsSearch[Key] | undefined };
type ExecutionFiltersProps = { search: ExecutionsSearch; onChange: (change: Change) => void; onClear: () => void };

const typingPauseMs = 300;

const ranges = Object.entries(executionStrings.ranges).map(([value, label]) => ({ value, label }));
const states = Object.entries(executionStrings.states) as [ExecutionState, string][];

/** Which runs are listed. What is typed takes effect after a short pause. */
export function ExecutionFilters({ search, onChange, onClear }: ExecutionFiltersProps) {
  return (
    <Group gap="sm" align="end" mb="md">
      <TextFilter
        label={executionStrings.filterAgent}
        placeholder={executionStrings.filterAgentPlaceholder}
        value={search.agent ?? ""}
        onChange={(agent) => onChange({ agent: agent || undefined })}
      />
      <TextFilter
        label={executionStrings.filterSession}
        placeholder={executionStrings.filterSessionPlaceholder}
        value={search.session ?? ""}
        onChange={(session) => onChange({ session: session || undefined })}
      />
      <Select
        label={executionStrings.filterStarted}
        placeholder={executionStrings.anyTime}
        data={ranges}
        value={search.range ?? null}
        clearable
        w={150}
        onChange={(range) => onChange({ range: (range ?? undefined) as ExecutionsSearch["range"] })}
      />
      <DayFilter label={executionStrings.filterFrom} value={search.from} onChange={(from) => onChange({ from })} />
      <DayFilter label={executionStrings.filterUntil} value={search.until} onChange={(until) => onChange({ until })} />
      <StateChips state={search.state} onChange={(state) => onChange({ state })} />
      {hasFilters(search) && (
        <Button variant="subtle" color="gray" leftSection={<FilterX size={16} aria-hidden />} onClick={onClear}>
          {executionStrings.filterClear}
        </Button>
      )}
    </Group>
  );
}

type StateChipsProps = { state: ExecutionState | undefined; onChange: (state: ExecutionState | undefined) => void };

/** The states as chips; the one that is chosen is let go by a second press. */
function StateChips({ state: chosen, onChange }: StateChipsProps) {
  return (
    <fieldset className={classes.chips} aria-label={executionStrings.filterState}>
      {states.map(([state, label]) => (
        <button
          key={state}
          type="button"
          className={classes.chip}
          aria-pressed={state === chosen}
          onClick={() => onChange(state === chosen ? undefined : state)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}

type TextProps = { label: string; placeholder: string; value: string; onChange: (value: string) => void };

function TextFilter({ label, placeholder, value, onChange }: TextProps) {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  // The address may change without a key being pressed here: by the browser's back button, or when filters are cleared.
  if (shown !== value) {
    setShown(value);
    setText(value);
  }
  const apply = useDebouncedCallback(onChange, typingPauseMs);
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={text}
      w={170}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        apply(currentTarget.value.trim());
      }}
    />
  );
}

type DayProps = { label: string; value: string | undefined; onChange: (value: string | undefined) => void };

function DayFilter({ label, value = "", onChange }: DayProps) {
  return (
    <TextInput
      type="date"
      label={label}
      value={value}
      w={150}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}
