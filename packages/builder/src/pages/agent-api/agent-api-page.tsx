import { Alert, Anchor, Skeleton, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Info } from "lucide-react";
import { useState } from "react";
import { agentQuery } from "../../api/agents.ts";
import { BackToAgent } from "../../components/back-to-agent.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { Page } from "../../components/page.tsx";
import { agentApiStrings } from "../../strings/agent-api.ts";
import classes from "./agent-api.module.css";
import { FreshKey } from "./fresh-key.tsx";
import { SnippetPanel } from "./snippet-panel.tsx";
import { addressesOf } from "./snippets.ts";

/** How programs call an agent, with examples that can be copied and run. */
export function AgentApiPage() {
  const { agentId } = useParams({ from: "/agents/$agentId/api" });
  const { data, error, refetch } = useQuery(agentQuery(agentId));
  const [apiKey, setApiKey] = useState<string>();
  const origin = window.location.origin;
  const agent = data?.agent;
  return (
    <Page
      title={agent === undefined ? agentApiStrings.loadingTitle : agentApiStrings.title(agent.name)}
      summary={<BackToAgent agentId={agentId} />}
    >
      {agent === undefined ? (
        error === null ? (
          <Skeleton height={320} />
        ) : (
          <ErrorNotice error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          {agent.apikeyid ? (
            <Alert variant="light" icon={<Info size={18} aria-hidden />}>
              {agentApiStrings.boundText}
            </Alert>
          ) : (
            <FreshKey agentName={agent.name} apiKey={apiKey} onCreated={setApiKey} />
          )}
          <SnippetPanel target={{ origin, agentId, apiKey: apiKey ?? agentApiStrings.placeholder }} />
          <Addresses origin={origin} agentId={agentId} />
        </>
      )}
    </Page>
  );
}

function Addresses({ origin, agentId }: { origin: string; agentId: string }) {
  const { prediction, openai, mcp } = addressesOf({ origin, agentId });
  const rows = [
    [agentApiStrings.prediction, prediction],
    [agentApiStrings.openaiBase, openai],
    [agentApiStrings.openaiModel, agentId],
    [agentApiStrings.mcpAddress, mcp],
  ] as const;
  return (
    <section className={classes.panel} aria-labelledby="addresses">
      <Title order={2} id="addresses">
        {agentApiStrings.addresses}
      </Title>
      <dl className={classes.addresses}>
        {rows.map(([name, address]) => (
          <Address key={name} name={name} address={address} />
        ))}
      </dl>
      <Anchor href="/docs" size="sm" target="_blank" rel="noopener">
        {agentApiStrings.documentation}
      </Anchor>
    </section>
  );
}

function Address({ name, address }: { name: string; address: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={classes.address}>{address}</dd>
      <dd>
        <CopyButton text={address} size="xs" variant="subtle" />
      </dd>
    </>
  );
}
