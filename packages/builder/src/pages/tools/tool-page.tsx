import { Button, Group, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ToolTrial as Outcome } from "@weft/client";
import type { JsonObject } from "@weft/schema";
import { useMemo, useRef, useState } from "react";
import { toolKeys, toolQuery } from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import { ConfigForm } from "../../forms/form/config-form.tsx";
import { Play, Square } from "../../icons/icons.gen.ts";
import { toolsStrings } from "../../strings.ts";
import { BackLink } from "../../ui/controls/links.tsx";
import { DraftPage, LoadedPage, type StoredDraft, useStoredDraft } from "../../ui/page/draft-page.tsx";
import { ErrorNotice, notifyDone } from "../../ui/page/notices.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { fromDraft, newDraft, type ToolDraft, toDraft, toSchemaText, toTrialSchema } from "./tool-draft.ts";
import { ToolCode, ToolFacts } from "./tool-fields.tsx";
import classes from "./tools.module.css";

export function ToolPage() {
  const { toolId } = useParams({ from: "/tools/$toolId" });
  const query = useQuery({ ...toolQuery(toolId), staleTime: 0, refetchOnWindowFocus: false });
  return (
    <LoadedPage query={query} title={toolsStrings.title}>
      {({ tool, etag }) => <ToolEditor key={toolId} stored={{ id: toolId, etag, draft: toDraft(tool) }} />}
    </LoadedPage>
  );
}

export function NewToolPage() {
  return <ToolEditor stored={{ id: undefined, etag: "", draft: newDraft }} />;
}

function ToolEditor({ stored }: { stored: StoredDraft<ToolDraft> }) {
  const { draft, change, ...editing } = useToolDraft(stored);
  return (
    <DraftPage
      title={draft.name || toolsStrings.newTitle}
      summary={<BackLink to="/tools" label={toolsStrings.back} />}
      editing={editing}
      isNew={stored.id === undefined}
      isComplete={draft.name.trim() !== ""}
      strings={toolsStrings}
    >
      <div className={classes.columns}>
        <div className={classes.column}>
          <ToolFacts draft={draft} onChange={change} />
        </div>
        <div className={classes.column}>
          <ToolCode draft={draft} onChange={change} />
          <ToolTrial id={stored.id} draft={draft} />
        </div>
      </div>
    </DraftPage>
  );
}

function useToolDraft(stored: StoredDraft<ToolDraft>) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useStoredDraft(stored, {
    create: (draft, options) => client.createTool(fromDraft(draft), options),
    update: (id, draft, options) => client.updateTool({ id }, fromDraft(draft), options),
    async load(id) {
      const { tool, etag } = await queries.fetchQuery({ ...toolQuery(id), staleTime: 0 });
      return { draft: toDraft(tool), etag };
    },
    async onSaved(tool) {
      notifyDone(toolsStrings.saved({ name: tool.name }));
      await queries.invalidateQueries({ queryKey: toolKeys.all, exact: true });
      if (stored.id !== undefined) return;
      await navigate({ to: "/tools/$toolId", params: { toolId: tool.id }, ignoreBlocker: true, replace: true });
    },
  });
}

/** Calls a tool as currently entered in the form, with arguments from the user. */
function ToolTrial({ id, draft: { parameters, func } }: { id: string | undefined; draft: ToolDraft }) {
  const schemaText = toSchemaText(parameters);
  const trialSchema = useMemo(() => toTrialSchema(parameters), [parameters]);
  const [input, setInput] = useState<JsonObject>({});
  const running = useRef<AbortController>(undefined);
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn(toolId: string) {
      const controller = new AbortController();
      running.current = controller;
      return client.testTool({ id: toolId }, { input, schema: schemaText, func }, { signal: controller.signal });
    },
  });
  const stop = () => {
    running.current?.abort();
    reset();
  };
  const hasFields = "properties" in trialSchema && Object.keys(trialSchema.properties as object).length > 0;
  return (
    <section className={classes.panel} aria-label={toolsStrings.test}>
      <div>
        <Title order={2}>{toolsStrings.test}</Title>
        <Hint>{id === undefined ? toolsStrings.saveFirst : toolsStrings.testHelp}</Hint>
      </div>
      {hasFields ? (
        <ConfigForm schema={trialSchema} value={input} onChange={setInput} isDisabled={id === undefined} />
      ) : (
        <Text size="sm">{toolsStrings.noInput}</Text>
      )}
      <Group>
        {isPending ? (
          <Button variant="default" leftSection={<Square size={14} aria-hidden />} onClick={stop}>
            {toolsStrings.stop}
          </Button>
        ) : (
          <Button
            variant="default"
            leftSection={<Play size={14} aria-hidden />}
            onClick={() => id !== undefined && mutate(id)}
            disabled={id === undefined}
          >
            {toolsStrings.run}
          </Button>
        )}
        {data !== undefined && !isPending && <Hint size="xs">{toolsStrings.duration({ ms: data.durationMs })}</Hint>}
      </Group>
      <div aria-live="polite">
        <ErrorNotice error={error} />
        {data !== undefined && <Result outcome={data} />}
      </div>
    </section>
  );
}

function Result({ outcome: { output, isError, logs } }: { outcome: Outcome }) {
  return (
    <>
      <Title order={3} mb={6}>
        {isError ? toolsStrings.failed : toolsStrings.result}
      </Title>
      <pre className={classes.output} data-error={isError || undefined}>
        {output || toolsStrings.emptyResult}
      </pre>
      {logs.length > 0 && (
        <>
          <Title order={3} mt="md" mb={6}>
            {toolsStrings.logs}
          </Title>
          <pre className={classes.output}>{logs.join("\n")}</pre>
        </>
      )}
    </>
  );
}
