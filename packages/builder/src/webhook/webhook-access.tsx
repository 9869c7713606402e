import { Alert, Code, Group, Select, Stack, Text } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { JsonObject } from "@weft/schema";
import { useState } from "react";
import { agentKeys } from "../api/agents.ts";
import { client } from "../api/client.ts";
import { namesIn, webhookStrings as strings } from "../strings.ts";
import { CodeBlock, CopyIcon, Disclosure } from "../ui/content/code-block.tsx";
import { formatMoment } from "../ui/content/format.ts";
import { Action } from "../ui/controls/actions.tsx";
import { FormDialog } from "../ui/page/dialogs.tsx";
import { ErrorNotice } from "../ui/page/notices.tsx";
import { useRequest } from "../ui/page/requests.ts";
import { Hint } from "../ui/text/hint.tsx";
import { webhookExample } from "./webhook-example.ts";
import { webhookCallOf } from "./webhook-settings.ts";

type Props = {
  agentId: string;
  /** Settings of the start step. */
  config: JsonObject;
};

/** Where an agent's webhook is, what proves its callers, and a request that can be sent as it is. */
export function WebhookAccess({ agentId, config }: Props) {
  const call = webhookCallOf(config);
  const { proof } = call;
  const [created, setCreated] = useState<string>();
  const url = `${window.location.origin}/webhook/${agentId}`;
  const isOwn = proof.type !== "none" && proof.credential === undefined;
  return (
    <Stack gap="xs" component="section" aria-label={strings.title}>
      <div>
        <Text size="sm" fw={500}>
          {strings.address}
        </Text>
        <Address method={call.method} url={url} />
        <Hint size="xs">{strings.published}</Hint>
      </div>
      {proof.type === "none" && <Hint>{strings.open}</Hint>}
      {proof.type !== "none" && !isOwn && <Hint>{strings.ofCredential}</Hint>}
      {isOwn && <Secret agentId={agentId} created={created} onCreated={setCreated} />}
      <Disclosure summary={strings.example}>
        <Stack gap="xs">
          {proof.type !== "none" && created === undefined && <Hint size="xs">{strings.exampleHelp}</Hint>}
          <CodeBlock text={webhookExample(url, call, created ?? "YOUR_SECRET")} label={strings.example} />
        </Stack>
      </Disclosure>
    </Stack>
  );
}

function Address({ method, url }: { method: string; url: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Code style={{ overflowWrap: "anywhere" }}>
        {method} {url}
      </Code>
      <CopyIcon text={url} label={strings.copyAddress} />
    </Group>
  );
}

const secretQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...agentKeys.one(agentId), "webhook-secret"],
    queryFn: ({ signal }) => client.getWebhookSecretState({ id: agentId }, { signal }),
    staleTime: 0,
  });

type SecretProps = { agentId: string; created: string | undefined; onCreated(secret: string): void };

/** The agent's own secret: it can be created, shown this once, and replaced. */
function Secret({ agentId, created, onCreated }: SecretProps) {
  const { data, error } = useQuery(secretQuery(agentId));
  const [isReplacing, setReplacing] = useState(false);
  const creating = useRequest(() => client.createWebhookSecret({ id: agentId }), {
    stale: [secretQuery(agentId).queryKey],
    next: ({ webhookSecret }) => onCreated(webhookSecret),
  });
  if (error !== null) return <ErrorNotice error={error} />;
  if (data === undefined) return null;
  return (
    <Stack gap="xs" align="flex-start">
      {created !== undefined && <NewSecret secret={created} />}
      {!data.exists && <Hint>{strings.none}</Hint>}
      {data.exists && created === undefined && <Hint>{strings.exists}</Hint>}
      {data.previousValidUntil !== null && (
        <Hint size="xs">{strings.previous({ time: formatMoment(data.previousValidUntil) })}</Hint>
      )}
      {data.exists ? (
        <Action label={strings.replace} size="xs" onClick={() => setReplacing(true)} />
      ) : (
        <Action label={strings.create} size="xs" variant="filled" runs={creating} />
      )}
      <ErrorNotice error={creating.error} />
      {isReplacing && <ReplaceDialog agentId={agentId} onCreated={onCreated} onClose={() => setReplacing(false)} />}
    </Stack>
  );
}

function NewSecret({ secret }: { secret: string }) {
  return (
    <Alert color="green" variant="light" w="100%" role="status" title={strings.shownOnce}>
      <Group gap={4} wrap="nowrap">
        <Code style={{ overflowWrap: "anywhere" }}>{secret}</Code>
        <CopyIcon text={secret} label={strings.copySecret} />
      </Group>
    </Alert>
  );
}

/** For how many seconds a replaced secret is accepted, too. */
const graces = { none: 0, hour: 3_600, day: 86_400, week: 604_800 } as const;
type Grace = keyof typeof graces;

type ReplaceProps = { agentId: string; onCreated(secret: string): void; onClose(): void };

function ReplaceDialog({ agentId, onCreated, onClose }: ReplaceProps) {
  const [grace, setGrace] = useState<Grace>("day");
  return (
    <FormDialog
      title={strings.replaceTitle}
      submitLabel={strings.replace}
      onSubmit={() => client.createWebhookSecret({ id: agentId }, { previousValidSeconds: graces[grace] })}
      stale={[secretQuery(agentId).queryKey]}
      next={({ webhookSecret }) => onCreated(webhookSecret)}
      onClose={onClose}
    >
      <Select
        label={strings.grace}
        data={namesIn(graces).map((value) => ({ value, label: strings.graces[value] }))}
        value={grace}
        onChange={(value) => setGrace(value ?? "day")}
        allowDeselect={false}
      />
      <Hint>{strings.replaceText}</Hint>
    </FormDialog>
  );
}
