import { Alert, Badge, Group, Highlight, Input, NumberInput, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { VectorQueryResult } from "@weft/client";
import type { JsonObject } from "@weft/schema";
import { type SubmitEvent, useState } from "react";
import { client } from "../../../api/client.ts";
import type { StoreView } from "../../../api/document-stores.ts";
import { Search } from "../../../icons/icons.gen.ts";
import { documentStoresStrings, storeQueryStrings } from "../../../strings.ts";
import { CodeBlock, Disclosure } from "../../../ui/content/code-block.tsx";
import { prettyJson } from "../../../ui/content/format.ts";
import { Action } from "../../../ui/controls/actions.tsx";
import { ErrorNotice } from "../../../ui/page/notices.tsx";
import { Section } from "../../../ui/page/page.tsx";
import { Hint } from "../../../ui/text/hint.tsx";
import { CompareModes, hasSteps, type ModeAnswer, plainSearch } from "./compare-modes.tsx";
import { FilterFields } from "./filter-fields.tsx";
import { countConditions, noFilter, readFilterDraft } from "./passage-filter.ts";
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
                onChange={(chosen) => setView(chosen as View)}
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
