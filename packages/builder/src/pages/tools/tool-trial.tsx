import { Button, Group, Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { ToolTrial as Outcome } from "@weft/client";
import type { JsonObject } from "@weft/schema";
import { Play, Square } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { client } from "../../api/client.ts";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { ConfigForm } from "../../forms/form/config-form.tsx";
import { toolsStrings } from "../../strings/tools.ts";
import { type ToolDraft, toSchemaText, toTrialSchema } from "./tool-draft.ts";
import classes from "./tools.module.css";

/** Calls a tool as it stands in the form, with arguments that somebody enters. */
export function ToolTrial({ id, draft: { parameters, func } }: { id: string | undefined; draft: ToolDraft }) {
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
        <Text size="sm" c="dimmed">
          {id === undefined ? toolsStrings.saveFirst : toolsStrings.testHelp}
        </Text>
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
        {data !== undefined && !isPending && (
          <Text size="xs" c="dimmed">
            {toolsStrings.duration(data.durationMs)}
          </Text>
        )}
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
