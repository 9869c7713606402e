import { Alert, Anchor, Code, Group, SegmentedControl, Tabs, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { agentQuery } from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import { apiKeyKeys } from "../../api/settings.ts";
import { Info, KeyRound, TriangleAlert } from "../../icons/icons.gen.ts";
import { agentApiStrings, namesIn } from "../../strings.ts";
import { CopyButton } from "../../ui/content/code-block.tsx";
import { Action } from "../../ui/controls/actions.tsx";
import { ErrorNotice, Loaded } from "../../ui/page/notices.tsx";
import { Page } from "../../ui/page/page.tsx";
import { useRequest } from "../../ui/page/requests.ts";
import { Hint } from "../../ui/text/hint.tsx";
import { BackToAgent } from "../agents/agent-menu.tsx";
import classes from "./agent-api.module.css";
import { addressesOf, type SnippetLanguage, type SnippetTarget, snippetsOf } from "./snippets.ts";

/** How programs call an agent, with examples that can be copied and run. */
export function AgentApiPage() {
  const { agentId } = useParams({ from: "/agents/$agentId/api" });
  const query = useQuery(agentQuery(agentId));
  const [apiKey, setApiKey] = useState<string>();
  const origin = window.location.origin;
  const name = query.data?.agent.name;
  return (
    <Page
      title={name === undefined ? agentApiStrings.loadingTitle : agentApiStrings.title({ agent: name })}
      summary={<BackToAgent agentId={agentId} />}
    >
      <Loaded query={query} until={320}>
        {({ agent }) => (
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
      </Loaded>
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

type FreshKeyProps = { agentName: string; apiKey: string | undefined; onCreated(apiKey: string): void };

/** Makes a key on a click and shows it while the page is open, which is the one time that it can be shown. */
function FreshKey({ agentName, apiKey, onCreated }: FreshKeyProps) {
  const creating = useRequest(() => client.createApiKey({ keyName: agentApiStrings.keyName({ agent: agentName }) }), {
    stale: [apiKeyKeys.all],
    next: ({ apiKey: created }) => onCreated(created),
  });
  if (apiKey !== undefined) {
    return (
      <Alert
        color="yellow"
        variant="light"
        icon={<TriangleAlert size={18} aria-hidden />}
        title={agentApiStrings.keyCreatedTitle}
        role="status"
      >
        <Text size="sm">{agentApiStrings.keyCreated}</Text>
        <Group mt="sm" gap="xs">
          <Code>{apiKey}</Code>
          <CopyButton text={apiKey} label={agentApiStrings.copyKey} size="xs" />
        </Group>
      </Alert>
    );
  }
  return (
    <section className={classes.panel} aria-labelledby="api-key">
      <Group justify="space-between" gap="md">
        <div style={{ flex: "1 1 320px" }}>
          <Title order={2} id="api-key">
            {agentApiStrings.key}
          </Title>
          <Hint>{agentApiStrings.keyText}</Hint>
        </div>
        <Action icon={KeyRound} label={agentApiStrings.createKey} variant="filled" runs={creating} />
      </Group>
      <ErrorNotice error={creating.error} />
    </section>
  );
}

const usages = namesIn(agentApiStrings.usages);

/** Examples by what they do and by language. */
function SnippetPanel({ target }: { target: SnippetTarget }) {
  const [language, setLanguage] = useState<SnippetLanguage>("curl");
  return (
    <section className={classes.panel} aria-labelledby="usage">
      <Title order={2} id="usage">
        {agentApiStrings.usage}
      </Title>
      <Tabs defaultValue="ask" keepMounted={false}>
        <Tabs.List mb="md">
          {usages.map((usage) => (
            <Tabs.Tab key={usage} value={usage}>
              {agentApiStrings.usages[usage]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {usages.map((usage) => (
          <Tabs.Panel key={usage} value={usage}>
            <Snippet usage={usage} target={target} language={language} onLanguage={setLanguage} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </section>
  );
}

type SnippetProps = {
  usage: (typeof usages)[number];
  target: SnippetTarget;
  language: SnippetLanguage;
  onLanguage(language: SnippetLanguage): void;
};

function Snippet({ usage, target, language, onLanguage }: SnippetProps) {
  const snippets = snippetsOf(usage, target);
  const languages = namesIn(snippets);
  const shown = languages.find((one) => one === language) ?? languages[0];
  const text = (shown && snippets[shown]) ?? "";
  return (
    <>
      <Hint mb="sm">{agentApiStrings.usageTexts[usage]}</Hint>
      <Group justify="space-between" mb="xs">
        {languages.length > 1 ? (
          <SegmentedControl
            size="xs"
            data={languages.map((value) => ({ value, label: agentApiStrings.languages[value] }))}
            value={shown ?? "curl"}
            onChange={onLanguage}
            aria-label={agentApiStrings.language}
          />
        ) : (
          <Text size="sm">{shown && agentApiStrings.languages[shown]}</Text>
        )}
        <CopyButton text={text} size="xs" />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an example that is wider than the page is scrolled by keyboard, too. */}
      <pre className={classes.code} tabIndex={0} data-language={shown}>
        {text}
      </pre>
    </>
  );
}
