import { Alert, Group, SegmentedControl, Stack, Switch, TagsInput, Text, Textarea, TextInput } from "@mantine/core";
import type { Agent } from "@weft/client";
import { longestChatTexts, mostStarters, readChatLook, toShownName } from "@weft/schema";
import { useMemo } from "react";
import { ExternalLink } from "../../../../icons/icons.gen.ts";
import { shareStrings } from "../../../../strings.ts";
import { CopyButton } from "../../../../ui/content/code-block.tsx";
import { Action } from "../../../../ui/controls/actions.tsx";
import { bind } from "../../../../ui/controls/bind.ts";
import { ErrorNotice } from "../../../../ui/page/notices.tsx";
import { useRequest } from "../../../../ui/page/requests.ts";
import classes from "./appearance.module.css";
import { type Appearance, mistakesIn, toAppearance, withAppearance } from "./appearance.ts";
import { AvatarField } from "./avatar-field.tsx";
import { ChatPreview } from "./chat-preview.tsx";
import { ColourField } from "./colour-field.tsx";

const { appearance: strings } = shareStrings;

type Props = {
  agent: Agent;
  /** What is edited and not saved yet. */
  edited: Appearance | undefined;
  onEdit(edited: Appearance | undefined): void;
  /** Stores the settings of the agent's chat. */
  save(chatbotConfig: string): Promise<void>;
  targets: { page: string; embed: string };
};

/** How the chat of an agent looks on its page and in websites, beside what it will look like. */
export function AppearanceTab({ agent, edited, onEdit, save, targets }: Props) {
  const stored = useMemo(() => toAppearance(agent.chatbotConfig), [agent.chatbotConfig]);
  const draft = edited ?? stored;
  const change = (changed: Partial<Appearance>) => onEdit({ ...draft, ...changed });
  const mistakes = mistakesIn(draft, stored);
  const config = withAppearance(agent.chatbotConfig, draft);
  const look = useMemo(() => readChatLook(config), [config]);
  const saving = useRequest(() => save(config), { next: () => onEdit(undefined) });
  const isChanged = edited !== undefined && config !== withAppearance(agent.chatbotConfig, stored);
  return (
    <div className={classes.columns}>
      <Stack gap="md">
        <Fields agent={agent} draft={draft} change={change} mistakes={mistakes} />
        <Stack gap="xs" className={classes.done}>
          <ErrorNotice error={saving.error} />
          {saving.isSuccess && !isChanged && (
            <Text size="sm" role="status">
              {strings.saved}
            </Text>
          )}
          <Group gap="sm">
            <Action
              label={strings.save}
              variant="filled"
              loading={saving.isPending}
              disabled={!isChanged || mistakes.length > 0}
              onClick={() => saving.mutate()}
            />
            {saving.isSuccess && !isChanged && (
              <>
                <CopyButton text={targets.embed} label={strings.copyEmbed} />
                <Action
                  label={strings.openPage}
                  icon={ExternalLink}
                  onClick={() => window.open(targets.page, "_blank", "noopener")}
                />
              </>
            )}
          </Group>
        </Stack>
      </Stack>
      <ChatPreview name={toShownName(agent.name)} look={look} />
    </div>
  );
}

type FieldsProps = {
  agent: Agent;
  draft: Appearance;
  change(changed: Partial<Appearance>): void;
  mistakes: readonly string[];
};

const schemes = ["system", "light", "dark"] as const;

function Fields({ agent, draft, change, mistakes }: FieldsProps) {
  const field = bind(draft, change);
  const schemeData = schemes.map((value) => ({ value, label: strings.schemes[value] }));
  return (
    <>
      <ColourField draft={draft} change={change} mistakes={mistakes} />
      <TextInput
        label={strings.name}
        placeholder={toShownName(agent.name)}
        maxLength={longestChatTexts.title}
        {...field.text("title")}
      />
      <AvatarField draft={draft} change={change} mistakes={mistakes} />
      <Textarea
        label={strings.greeting}
        placeholder={strings.greetingExample}
        autosize
        maxRows={6}
        maxLength={longestChatTexts.welcomeMessage}
        {...field.text("greeting")}
      />
      <Textarea
        label={strings.description}
        description={strings.descriptionHelp}
        autosize
        maxRows={6}
        maxLength={longestChatTexts.description}
        {...field.text("description")}
      />
      <TagsInput
        label={strings.starters}
        description={strings.startersHelp({ most: mostStarters })}
        splitChars={[]}
        maxTags={mostStarters}
        maxLength={longestChatTexts.prompt}
        value={[...draft.starters]}
        onChange={(starters) => change({ starters })}
      />
      <div>
        <Text size="sm" fw={500} mb={4}>
          {strings.scheme}
        </Text>
        <SegmentedControl
          fullWidth
          aria-label={strings.scheme}
          data={schemeData}
          value={draft.scheme}
          onChange={(scheme) => change({ scheme })}
        />
      </div>
      {draft.hasOtherColours && (
        <Alert variant="light" color="gray">
          <Stack gap="xs" align="flex-start">
            {strings.otherColours}
            <Action label={strings.dropColours} size="xs" onClick={() => change({ hasOtherColours: false })} />
          </Stack>
        </Alert>
      )}
      <Switch label={strings.tools} description={strings.toolsHelp} {...field.flag("showsTools")} />
    </>
  );
}
