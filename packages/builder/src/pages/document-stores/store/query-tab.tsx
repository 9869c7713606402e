import {
  Alert,
  Autocomplete,
  Badge,
  Group,
  Highlight,
  Input,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { VectorQueryResult } from "@weft/client";
import type { JsonObject } from "@weft/schema";
import { type SubmitEvent, useState } from "react";
import { client } from "../../../api/client.ts";
import type { StoreView } from "../../../api/document-stores.ts";
import { Plus, Search, X } from "../../../icons/icons.gen.ts";
import { documentStoresStrings, storeQueryStrings } from "../../../strings.ts";
import { CodeBlock, Disclosure } from "../../../ui/content/code-block.tsx";
import { prettyJson } from "../../../ui/content/format.ts";
import { Action, IconAction } from "../../../ui/controls/actions.tsx";
import { ErrorNotice } from "../../../ui/page/notices.tsx";
import { Section } from "../../../ui/page/page.tsx";
import { Hint } from "../../../ui/text/hint.tsx";
import { CompareModes, hasSteps, type ModeAnswer, plainSearch } from "./compare-modes.tsx";
import {
  type ConditionDraft,
  countConditions,
  type FilterDraft,
  newCondition,
  noFilter,
  operators,
  readFilterDraft,
  takesList,
  takesValue,
  turnFilterDraft,
} from "./passage-filter.ts";
import { markedWords, PassageSource, RightPassage } from "./passage-parts.tsx";
import { comparedDepth, modes } from "./passage-places.ts";
import classes from "./query-tab.module.css";

const strings = documentStoresStrings.query;

/** How the results are shown: those of one mode, or of all of them side by side. */
const views = ["vector", "keyword", "hybrid", "compare"] as const;
type View = (typeof views)[number];

export function QueryTab({ store }: { store: StoreView }) {
  const { status } = store;
  const [query, setQuery] = useState("");
  const [topK, setTopK] = useState(4);
  const [view, setView] = useState<View>("hybrid");
  const [filter, setFilter] = useState(noFilter);
  const read = readFilterDraft(filter);
  const { mutate, data, error, isPending } = useMutation({ mutationFn: (asked: Asked) => ask(store, asked) });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (query.trim() !== "" && read !== undefined) mutate({ question: query.trim(), topK, view, ...read });
  };
  const isOutdated = status === "STALE" || status === "SYNC" || status === "NEW";
  return (
    <Section title={strings.title} text={strings.help}>
      {status === "EMPTY" && <Notice text={strings.empty} />}
      {isOutdated && <Notice text={strings.outdated} />}
      <form onSubmit={submit}>
        <Stack gap="sm">
          <div className={classes.form}>
            <TextInput
              className={classes.question ?? ""}
              label={strings.question}
              placeholder={strings.placeholder}
              value={query}
              onChange={(event) => setQuery(event.currentTarget.value)}
            />
            <NumberInput
              label={strings.topK}
              min={1}
              max={view === "compare" ? comparedDepth : 100}
              clampBehavior="strict"
              allowDecimal={false}
              value={topK}
              onChange={(value) => setTopK(Number(value) || 1)}
            />
            <Input.Wrapper label={strings.mode} labelElement="div" className={classes.mode ?? ""}>
              <SegmentedControl
                fullWidth
                data={views.map((one) => ({
                  value: one,
                  label: one === "compare" ? storeQueryStrings.compare : strings.modes[one],
                }))}
                value={view}
                onChange={setView}
                aria-label={strings.mode}
              />
            </Input.Wrapper>
            <Action
              icon={Search}
              label={strings.run}
              type="submit"
              loading={isPending}
              disabled={read === undefined}
              variant="filled"
            />
          </div>
          <Hint size="xs">{view === "compare" ? compareHelp(store) : strings.modeHelp}</Hint>
          <Disclosure summary={filterSummary(countConditions(filter))}>
            <FilterFields draft={filter} names={metadataNames(data)} onChange={setFilter} />
          </Disclosure>
        </Stack>
      </form>
      <ErrorNotice error={error} />
      {data !== undefined &&
        ("answers" in data ? <CompareModes store={store} {...data} /> : <QueryResult store={store} {...data} />)}
    </Section>
  );
}

function filterSummary(conditions: number): string {
  return conditions === 0 ? storeQueryStrings.filter : storeQueryStrings.filterOf({ conditions });
}

function compareHelp({ retrieval }: StoreView): string {
  const { compareHelp: help, asSetUpHelp } = storeQueryStrings;
  return hasSteps(retrieval) ? `${help} ${asSetUpHelp}` : help;
}

type Asked = { question: string; topK: number; view: View; filter?: JsonObject };

type Answered =
  | { question: string; result: VectorQueryResult }
  | { question: string; topK: number; answers: readonly ModeAnswer[] };

async function ask(store: StoreView, { question, topK, view, ...filter }: Asked): Promise<Answered> {
  const body = { storeId: store.id, query: question, ...filter };
  if (view !== "compare") return { question, result: await client.queryDocumentStore({ ...body, topK, mode: view }) };
  const answers: ModeAnswer[] = [];
  // One after the other, so that the time of each is its own.
  for (const mode of modes) {
    if (mode === "store" && !hasSteps(store.retrieval)) continue;
    const how = mode === "store" ? {} : { mode, settings: plainSearch };
    try {
      answers.push({ mode, result: await client.queryDocumentStore({ ...body, ...how, topK: comparedDepth }) });
    } catch (error) {
      answers.push({ mode, error });
    }
  }
  return { question, topK: Math.min(topK, comparedDepth), answers };
}

/** Names of metadata that the passages found have. */
function metadataNames(answered: Answered | undefined): string[] {
  if (answered === undefined) return [];
  const results =
    "answers" in answered
      ? answered.answers.flatMap((one) => ("result" in one ? [one.result] : []))
      : [answered.result];
  const names = results.flatMap(({ docs }) => docs.flatMap(({ metadata }) => Object.keys(metadata)));
  return [...new Set(names)].sort();
}

function Notice({ text }: { text: string }) {
  return (
    <Alert color="yellow" variant="light">
      {text}
    </Alert>
  );
}

const relevanceColors = { strong: "green", fair: "blue", weak: "gray" } as const;

export type QueryResultProps = { store: StoreView; result: VectorQueryResult; question: string };

/** Search results: each passage with its source, how relevant it is and the question's words highlighted. */
function QueryResult({ store, result: { docs, timeTaken, warnings }, question }: QueryResultProps) {
  const words = markedWords(question);
  return (
    <Stack gap="sm">
      {warnings.map((warning) => (
        <Notice key={warning} text={warning} />
      ))}
      <Hint role="status">
        {docs.length === 0 ? strings.none : strings.found({ number: docs.length, ms: timeTaken })}
      </Hint>
      <ol className={classes.results} aria-label={strings.results}>
        {docs.map((found) => (
          <li key={found.id} className={classes.result}>
            <Group justify="space-between" gap="xs" wrap="nowrap">
              <PassageSource store={store} found={found} />
              <Badge
                variant="light"
                color={relevanceColors[found.relevanceWord]}
                className={classes.score ?? ""}
                title={strings.score({ score: found.score })}
              >
                {strings.relevance({ word: strings.relevanceWords[found.relevanceWord], relevance: found.relevance })}
              </Badge>
            </Group>
            <Highlight size="sm" component="div" className={classes.text ?? ""} highlight={words} wholeWord>
              {found.pageContent}
            </Highlight>
            <RightPassage store={store} found={found} question={question} />
            <div className={classes.metadata}>
              <Disclosure summary={documentStoresStrings.chunk.metadata}>
                <CodeBlock text={prettyJson(found.metadata)} />
              </Disclosure>
            </div>
          </li>
        ))}
      </ol>
    </Stack>
  );
}

type FilterFieldsProps = {
  draft: FilterDraft /** Of metadata, as suggestions. */;
  names: readonly string[];
  onChange(draft: FilterDraft): void;
};

/** The filter of a query: conditions of a name, an operator and a value, or the API's JSON. */
function FilterFields({ draft, names, onChange }: FilterFieldsProps) {
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="flex-start">
        <Hint size="xs" maw={560}>
          {storeQueryStrings.filterHelp}
        </Hint>
        <SegmentedControl
          size="xs"
          aria-label={storeQueryStrings.filterAs}
          data={[
            { value: "fields", label: storeQueryStrings.asFields },
            { value: "json", label: storeQueryStrings.asJson },
          ]}
          value={draft.kind}
          onChange={(kind) => onChange(turnFilterDraft(draft, kind))}
        />
      </Group>
      {draft.kind === "json" ? (
        <Textarea
          aria-label={storeQueryStrings.filterJson}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          autosize
          minRows={3}
          maxRows={12}
          placeholder={'{ "year": { "$gte": 2024 } }'}
          value={draft.text}
          error={readFilterDraft(draft) === undefined && storeQueryStrings.jsonWrong}
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
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: a condition has no identity but its place, and no state of its own.
          key={index}
          className={classes.condition}
          aria-label={storeQueryStrings.condition({ number: index + 1 })}
        >
          <Autocomplete
            aria-label={storeQueryStrings.field}
            placeholder="source"
            data={names}
            value={condition.name}
            onChange={(name) => change(index, { name })}
          />
          <Select
            aria-label={storeQueryStrings.operator}
            allowDeselect={false}
            data={operators.map((value) => ({ value, label: storeQueryStrings.operators[value] }))}
            value={condition.operator}
            onChange={(operator) => change(index, { operator: operator ?? "$eq" })}
          />
          <TextInput
            aria-label={storeQueryStrings.value}
            disabled={!takesValue(condition.operator)}
            placeholder={takesList(condition.operator) ? storeQueryStrings.valuesPlaceholder : ""}
            value={takesValue(condition.operator) ? condition.value : ""}
            onChange={(event) => change(index, { value: event.currentTarget.value })}
          />
          <IconAction
            icon={X}
            label={storeQueryStrings.removeCondition({ number: index + 1 })}
            onClick={() => onChange(conditions.filter((_, at) => at !== index))}
            size={36}
            iconSize={16}
          />
        </fieldset>
      ))}
      <Group>
        <Action
          icon={Plus}
          label={storeQueryStrings.addCondition}
          size="xs"
          onClick={() => onChange([...conditions, newCondition])}
        />
      </Group>
    </>
  );
}
