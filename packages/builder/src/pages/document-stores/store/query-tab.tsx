import {
  Alert,
  Badge,
  Button,
  Group,
  Highlight,
  Input,
  NumberInput,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { VectorQueryResult } from "@weft/client";
import { Search } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import { client } from "../../../api/client.ts";
import type { StoreView } from "../../../api/document-stores.ts";
import { CodeBlock, Disclosure } from "../../../ui/content/code-block.tsx";
import { prettyJson } from "../../../ui/content/format.ts";
import { ErrorNotice } from "../../../ui/page/notices.tsx";
import { Section } from "../../../ui/page/page.tsx";
import { documentStoresStrings } from "../strings.ts";
import { markedWords, PassageSource } from "./passage-parts.tsx";
import classes from "./query-tab.module.css";

const strings = documentStoresStrings.query;
const modes = ["vector", "keyword", "hybrid"] as const;
type Mode = (typeof modes)[number];

/** Queries a store as an agent does, and shows the results. */
export function QueryTab({ store }: { store: StoreView }) {
  const { id: storeId, status } = store;
  const [query, setQuery] = useState("");
  const [topK, setTopK] = useState(4);
  const [mode, setMode] = useState<Mode>("hybrid");
  const { mutate, data, error, isPending, variables } = useMutation({
    mutationFn: (asked: string) => client.queryDocumentStore({ storeId, query: asked, topK, mode }),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (query.trim() !== "") mutate(query.trim());
  };
  const isOutdated = status === "STALE" || status === "SYNC" || status === "NEW";
  return (
    <Section title={strings.title} text={strings.help}>
      {status === "EMPTY" && <Notice text={strings.empty} />}
      {isOutdated && <Notice text={strings.outdated} />}
      <form className={classes.form} onSubmit={submit}>
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
          max={100}
          clampBehavior="strict"
          allowDecimal={false}
          value={topK}
          onChange={(value) => setTopK(Number(value) || 1)}
        />
        <Input.Wrapper label={strings.mode} labelElement="div">
          <SegmentedControl
            fullWidth
            data={modes.map((one) => ({ value: one, label: strings.modes[one] }))}
            value={mode}
            onChange={(chosen) => setMode(chosen as Mode)}
            aria-label={strings.mode}
          />
        </Input.Wrapper>
        <Button type="submit" leftSection={<Search size={16} aria-hidden />} loading={isPending}>
          {strings.run}
        </Button>
      </form>
      <Text size="xs" c="dimmed">
        {strings.modeHelp}
      </Text>
      <ErrorNotice error={error} />
      {data !== undefined && <QueryResult store={store} result={data} question={variables ?? ""} />}
    </Section>
  );
}

function Notice({ text }: { text: string }) {
  return (
    <Alert color="yellow" variant="light">
      {text}
    </Alert>
  );
}

const relevanceColors = { strong: "green", fair: "blue", weak: "gray" } as const;

type QueryResultProps = { store: StoreView; result: VectorQueryResult; question: string };

/** Search results: each passage with its source, how relevant it is and the question's words highlighted. */
function QueryResult({ store, result: { docs, timeTaken, warnings }, question }: QueryResultProps) {
  const words = markedWords(question);
  return (
    <Stack gap="sm">
      {warnings.map((warning) => (
        <Notice key={warning} text={warning} />
      ))}
      <Text size="sm" c="dimmed" role="status">
        {docs.length === 0 ? strings.none : strings.found(docs.length, timeTaken)}
      </Text>
      <ol className={classes.results} aria-label={strings.results}>
        {docs.map((found) => (
          <li key={found.id} className={classes.result}>
            <Group justify="space-between" gap="xs" wrap="nowrap">
              <PassageSource store={store} found={found} />
              <Badge
                variant="light"
                color={relevanceColors[found.relevanceWord]}
                className={classes.score ?? ""}
                title={strings.score(found.score)}
              >
                {strings.relevance(strings.relevanceWords[found.relevanceWord], found.relevance)}
              </Badge>
            </Group>
            <Highlight size="sm" component="div" className={classes.text ?? ""} highlight={words} wholeWord>
              {found.pageContent}
            </Highlight>
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
