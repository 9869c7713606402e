import { Group, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { agentQuery } from "../../api/agents.ts";
import { statsQuery } from "../../api/executions.ts";
import { Bot, FilterX, Search, X } from "../../icons/icons.gen.ts";
import { choicesIn, executionStrings, runStateStrings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { TextFilter } from "../../ui/text/text-filter.tsx";
import classes from "./execution-filters.module.css";
import { type ExecutionsSearch, hasFilters } from "./executions-search.ts";

type Change = { [Key in keyof ExecutionsSearch]?: ExecutionsSearch[Key] | undefined };
type ExecutionFiltersProps = { search: ExecutionsSearch; onChange: (change: Change) => void; onClear: () => void };

const ranges = choicesIn(executionStrings.ranges);
const states = choicesIn(runStateStrings);
const origins = choicesIn(executionStrings.origins);

/** Which runs are listed. What is typed takes effect after a short pause. */
export function ExecutionFilters({ search, onChange, onClear }: ExecutionFiltersProps) {
  const [clears, setClears] = useState(0);
  const clear = () => {
    setClears((count) => count + 1);
    onClear();
  };
  return (
    <div className={classes.filters}>
      {/* Fields that are new hold nothing that was typed a moment before. */}
      <div key={clears} className={classes.fields}>
        <TextFilter
          label={executionStrings.filterSearch}
          placeholder={executionStrings.filterSearchPlaceholder}
          value={search.q ?? ""}
          width={280}
          icon={<Search size={15} aria-hidden />}
          onChange={(q) => onChange({ q: q || undefined })}
        />
        <TextFilter
          label={executionStrings.filterAgent}
          placeholder={executionStrings.filterAgentPlaceholder}
          value={search.agent ?? ""}
          width={150}
          onChange={(agent) => onChange({ agent: agent || undefined })}
        />
        <Select
          label={executionStrings.filterStarted}
          placeholder={executionStrings.anyTime}
          data={ranges}
          value={search.range ?? null}
          clearable
          w={widthOf(140)}
          onChange={(range) => onChange({ range: range ?? undefined })}
        />
        <DayFilter label={executionStrings.filterFrom} value={search.from} onChange={(from) => onChange({ from })} />
        <DayFilter
          label={executionStrings.filterUntil}
          value={search.until}
          onChange={(until) => onChange({ until })}
        />
      </div>
      <Group gap="sm">
        <Chips
          label={executionStrings.filterState}
          options={states}
          chosen={search.state}
          onChange={(state) => onChange({ state })}
        />
        <Chips
          label={executionStrings.origin}
          options={origins}
          chosen={search.origin}
          onChange={(origin) => onChange({ origin })}
        />
        <AgentChips agentId={search.agentId} onChange={(agentId) => onChange({ agentId })} />
        {search.session !== undefined && (
          <Removable
            label={executionStrings.sessionChip({ id: search.session })}
            onRemove={() => onChange({ session: undefined })}
          />
        )}
        {hasFilters(search) && (
          <Action icon={FilterX} label={executionStrings.filterClear} variant="subtle" color="gray" onClick={clear} />
        )}
      </Group>
    </div>
  );
}

/** A filter that another page has set; one press lets it go. */
function Removable({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <button type="button" className={classes.chip} aria-pressed onClick={onRemove}>
      <span className={classes.chipText}>{label}</span> <X size={13} aria-hidden />
    </button>
  );
}

const mostAgents = 6;
const agentsRange = "30d";

type AgentChipsProps = { agentId: string | undefined; onChange: (agentId: string | undefined) => void };

/** The agents that ran most, and the one that is chosen. */
function AgentChips({ agentId: chosen, onChange }: AgentChipsProps) {
  const { data: stats } = useQuery(statsQuery(agentsRange));
  const busiest = (stats?.agents ?? []).flatMap(({ agentflowId: id, agentName: name }) =>
    name === null ? [] : [{ id, name }],
  );
  const shown = busiest.filter(({ id }, index) => index < mostAgents || id === chosen);
  const isMissing = chosen !== undefined && !shown.some(({ id }) => id === chosen);
  const { data: other } = useQuery({ ...agentQuery(chosen ?? ""), enabled: isMissing });
  const chips = isMissing ? [...shown, { id: chosen, name: other?.agent.name ?? executionStrings.agentChip }] : shown;
  if (chips.length === 0) return null;
  return (
    <fieldset className={classes.chips} aria-label={executionStrings.filterAgents}>
      {chips.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          className={classes.chip}
          aria-pressed={id === chosen}
          onClick={() => onChange(id === chosen ? undefined : id)}
        >
          <Bot size={13} aria-hidden /> <span className={classes.chipText}>{name}</span>
        </button>
      ))}
    </fieldset>
  );
}

type ChipsProps<T extends string> = {
  label: string;
  options: readonly { value: T; label: string }[];
  chosen: T | undefined;
  onChange: (value: T | undefined) => void;
};

/** Values as chips; the one that is chosen is let go by a second press. */
function Chips<T extends string>({ label: name, options, chosen, onChange }: ChipsProps<T>) {
  return (
    <fieldset className={classes.chips} aria-label={name}>
      {options.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          className={classes.chip}
          aria-pressed={value === chosen}
          onClick={() => onChange(value === chosen ? undefined : value)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}

/** On phones, fields are as wide as their places. */
function widthOf(px: number) {
  return { base: "100%", xs: px };
}

type DayProps = { label: string; value: string | undefined; onChange: (value: string | undefined) => void };

function DayFilter({ label, value = "", onChange }: DayProps) {
  return (
    <TextInput
      type="date"
      label={label}
      value={value}
      w={widthOf(140)}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}
