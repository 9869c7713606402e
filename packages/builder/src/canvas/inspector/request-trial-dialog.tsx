import { Alert, Group, Loader, Modal, Select, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { RequestDescription, RequestTrial } from "@weft/client";
import { type JsonObject, toJsonObject } from "@weft/schema";
import { useMemo, useState } from "react";
import { client } from "../../api/client.ts";
import { ConfigForm } from "../../forms/form/config-form.tsx";
import { commonStrings, formStrings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { ErrorNotice } from "../../ui/page/notices.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import classes from "./request-trial.module.css";

const { trial: strings } = formStrings;

type Props = { type: string; config: JsonObject; onClose(): void };

/** Asks for the parameters of a request, really sends it, and shows the result. */
export function RequestTrialDialog({ type, config, onClose }: Props) {
  const described = useQuery({
    queryKey: ["request-trial", type, config],
    queryFn: ({ signal }) => client.describeRequests({ type, config }, { signal }),
    retry: false,
    gcTime: 0,
  });
  return (
    <Modal opened onClose={onClose} title={strings.open} size="lg">
      <Hint mb="md">{strings.help}</Hint>
      {described.isPending && <Loader size="sm" aria-label={formStrings.loading} />}
      <ErrorNotice error={described.error} />
      {described.data && <TrialForm type={type} config={config} described={described.data} />}
    </Modal>
  );
}

type FormProps = Omit<Props, "onClose"> & { described: RequestDescription };

function TrialForm({ type, config, described: { requests, references } }: FormProps) {
  const [chosen, setChosen] = useState(requests[0]?.name);
  const [input, setInput] = useState<JsonObject>({});
  const [values, setValues] = useState<JsonObject>({});
  const [isAsking, setAsking] = useState(false);
  const request = requests.find(({ name }) => name === chosen);
  const inputSchema = useMemo(() => withTitles(toJsonObject(request?.input)), [request]);
  const valuesSchema = useMemo(() => schemaOfReferences(references), [references]);
  const sending = useMutation({
    mutationFn: () =>
      client.sendTestRequest({ type, config, input, values, ...(type === "http" ? {} : { name: chosen ?? "" }) }),
  });
  if (!request) return <Text size="sm">{strings.nothing}</Text>;
  const send = () => {
    setAsking(false);
    sending.mutate();
  };
  return (
    <Stack>
      {requests.length > 1 && (
        <Select
          label={strings.request}
          data={requests.map(({ name }) => name)}
          value={request.name}
          onChange={(name) => {
            setChosen(name ?? undefined);
            setInput({});
            sending.reset();
          }}
          allowDeselect={false}
          searchable
        />
      )}
      {references.length > 0 && <ConfigForm schema={valuesSchema} value={values} onChange={setValues} />}
      {hasFields(inputSchema) && (
        <ConfigForm key={request.name} schema={inputSchema} value={input} onChange={setInput} />
      )}
      {isAsking ? (
        <Alert color="orange" variant="light" title={strings.changes({ name: request.name })}>
          <Group gap="xs">
            <Action label={strings.sendAnyway} color="red" size="xs" onClick={send} variant="filled" />
            <Action label={commonStrings.cancel} size="xs" onClick={() => setAsking(false)} />
          </Group>
        </Alert>
      ) : (
        <Group>
          <Action
            label={strings.send}
            loading={sending.isPending}
            onClick={request.changes ? () => setAsking(true) : send}
            variant="filled"
          />
        </Group>
      )}
      <div aria-live="polite">
        <ErrorNotice error={sending.error} />
        {sending.data && !sending.isPending && <Answer answer={sending.data} />}
      </div>
    </Stack>
  );
}

function Answer({ answer: { status, url, output, isError, durationMs } }: { answer: RequestTrial }) {
  return (
    <section aria-label={strings.answer}>
      <Text size="sm" fw={600} c={isError ? "var(--mantine-color-error)" : "var(--mantine-color-text)"}>
        {strings.outcome({ hasStatus: status !== null, status: status ?? "", durationMs })}
      </Text>
      <Hint size="xs" className={classes.address}>
        {url}
      </Hint>
      <pre className={classes.output} data-error={isError || undefined}>
        {output || strings.empty}
      </pre>
    </section>
  );
}

/** Models know parameters by name, so the form uses names too. */
function withTitles(schema: JsonObject): JsonObject {
  const properties = Object.entries(toJsonObject(schema.properties)).map(([name, property]) => {
    const { description, ...rest } = toJsonObject(property);
    return [name, { ...rest, title: name, ...(typeof description === "string" ? { help: description } : {}) }] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

function schemaOfReferences(references: readonly string[]): JsonObject {
  const properties = references.map((path) => [path, { type: "string", title: `{{ ${path} }}` }] as const);
  return { type: "object", properties: Object.fromEntries(properties), required: [...references] };
}

function hasFields({ properties }: JsonObject): boolean {
  return Object.keys(toJsonObject(properties)).length > 0;
}
