import { Alert, Button, Input, NumberInput, SegmentedControl, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import { client } from "../../../api/client.ts";
import type { StoreView } from "../../../api/document-store-view.ts";
import { ErrorNotice } from "../../../components/error-notice.tsx";
import { Section } from "../../../components/section.tsx";
import { documentStoresStrings } from "../../../strings/document-stores.ts";
import { QueryResult } from "./query-result.tsx";
import classes from "./query-tab.module.css";

const strings = documentStoresStrings.query;
const modes = ["vector", "keyword", "hybrid"] as const;
type Mode = (typeof modes)[number];

/** Asks a store as an agent does, and shows what it finds. */
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
