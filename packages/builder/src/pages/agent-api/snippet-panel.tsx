import { Group, SegmentedControl, Tabs, Text, Title } from "@mantine/core";
import { useState } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import { agentApiStrings } from "../../strings/agent-api.ts";
import classes from "./agent-api.module.css";
import { type SnippetLanguage, type SnippetTarget, snippetsOf, type Usage } from "./snippets.ts";

const usages = Object.keys(agentApiStrings.usages) as Usage[];

/** Examples by what they do and by language. */
export function SnippetPanel({ target }: { target: SnippetTarget }) {
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
  usage: Usage;
  target: SnippetTarget;
  language: SnippetLanguage;
  onLanguage(language: SnippetLanguage): void;
};

function Snippet({ usage, target, language, onLanguage }: SnippetProps) {
  const snippets = snippetsOf(usage, target);
  const languages = Object.keys(snippets) as SnippetLanguage[];
  const shown = languages.find((one) => one === language) ?? languages[0];
  const text = (shown && snippets[shown]) ?? "";
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {agentApiStrings.usageTexts[usage]}
      </Text>
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
