import {
  Alert,
  ColorInput,
  ColorSwatch,
  FileButton,
  Group,
  Input,
  SegmentedControl,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
  UnstyledButton,
} from "@mantine/core";
import type { Agent } from "@weft/client";
import { largestPictureBytes, longestChatTexts, mostStarters, readChatLook, toShownName } from "@weft/schema";
import { useMemo, useState } from "react";
import { Check, ExternalLink, Upload } from "../../../../icons/icons.gen.ts";
import { shareStrings } from "../../../../strings.ts";
import { CopyButton } from "../../../../ui/content/code-block.tsx";
import { Action } from "../../../../ui/controls/actions.tsx";
import { bind } from "../../../../ui/controls/bind.ts";
import { ErrorNotice } from "../../../../ui/page/notices.tsx";
import { useRequest } from "../../../../ui/page/requests.ts";
import { Hint } from "../../../../ui/text/hint.tsx";
import classes from "./appearance.module.css";
import { type Appearance, judgeColour, mistakesIn, toAppearance, withAppearance } from "./appearance.ts";
import { ChatPreview } from "./chat-preview.tsx";

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

type FieldProps = { draft: Appearance; change(changed: Partial<Appearance>): void; mistakes: readonly string[] };

const schemes = ["system", "light", "dark"] as const;

function Fields({ agent, draft, change, mistakes }: FieldProps & { agent: Agent }) {
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

/** Each is seen on white and on black, and white or black is read on it. */
const swatches = {
  "#5b5bd6": strings.colours.violet,
  "#2563eb": strings.colours.blue,
  "#0f766e": strings.colours.teal,
  "#15803d": strings.colours.green,
  "#c2410c": strings.colours.orange,
  "#dc2626": strings.colours.red,
  "#be185d": strings.colours.pink,
  "#64748b": strings.colours.grey,
};

/** The colour of an agent's chat, with what it means for those who read on it. */
function ColourField({ draft: { colour, scheme }, change, mistakes }: FieldProps) {
  const judged = judgeColour(colour, scheme);
  return (
    <Stack gap="xs">
      <ColorInput
        label={strings.colour}
        placeholder={strings.ownColour}
        format="hex"
        value={colour}
        onChange={(chosen) => change({ colour: chosen })}
        error={mistakes.includes("colour") && strings.badColour}
        withEyeDropper={false}
        eyeDropperButtonProps={{ "aria-label": strings.colour }}
      />
      <Group gap={8} role="group" aria-label={strings.swatches}>
        {Object.entries(swatches).map(([value, name]) => (
          <ColorSwatch
            key={value}
            component="button"
            type="button"
            color={value}
            size={28}
            aria-label={name}
            aria-pressed={colour.toLowerCase() === value}
            onClick={() => change({ colour: value })}
            style={{ color: "#fff", cursor: "pointer" }}
          >
            {colour.toLowerCase() === value && <Check size={14} aria-hidden />}
          </ColorSwatch>
        ))}
      </Group>
      {judged && (
        <Hint size="xs" role="status">
          {strings.contrast[judged.text]({ ratio: Math.round(judged.ratio * 10) / 10 })}{" "}
          {judged.faintOn.map((one) => strings.faint[one]).join(" ")}
        </Hint>
      )}
    </Stack>
  );
}

const kinds = ["letter", "emoji", "picture"] as const;

/** The face of an agent: a letter that is drawn, an emoji or a picture. */
function AvatarField({ draft, change, mistakes }: FieldProps) {
  return (
    <Input.Wrapper label={strings.avatar} labelElement="div">
      <Stack gap="xs">
        <SegmentedControl
          aria-label={strings.avatar}
          data={kinds.map((value) => ({ value, label: strings.avatarKinds[value] }))}
          value={draft.avatar}
          onChange={(avatar) => change({ avatar })}
        />
        {draft.avatar === "emoji" && <EmojiChoice draft={draft} change={change} mistakes={mistakes} />}
        {draft.avatar === "picture" && <PictureChoice draft={draft} change={change} mistakes={mistakes} />}
      </Stack>
    </Input.Wrapper>
  );
}

const usual = ["👋", "💬", "🤖", "🌱", "🛟", "📚", "🛒", "🏨", "🩺", "⚖️", "🎓", "🚲"];

function EmojiChoice({ draft, change, mistakes }: FieldProps) {
  return (
    <>
      <Group gap={4} role="group" aria-label={strings.emojis}>
        {usual.map((emoji) => (
          <UnstyledButton
            key={emoji}
            className={classes.emoji}
            aria-pressed={draft.emoji === emoji}
            onClick={() => change({ emoji })}
          >
            {emoji}
          </UnstyledButton>
        ))}
      </Group>
      <TextInput
        label={strings.emoji}
        value={draft.emoji}
        maxLength={32}
        onChange={({ currentTarget }) => change({ emoji: currentTarget.value.trim() })}
        error={draft.emoji !== "" && mistakes.includes("emoji") && strings.badEmoji}
      />
    </>
  );
}

const types = ["image/png", "image/jpeg", "image/webp", "image/gif"];

function PictureChoice({ draft: { picture }, change, mistakes }: FieldProps) {
  const [problem, setProblem] = useState<string>();
  const isOwn = picture.startsWith("data:");
  const read = async (file: File | null) => {
    if (file === null) return;
    const refusal = refusalOf(file);
    setProblem(refusal);
    if (refusal === undefined) change({ picture: await toDataAddress(file) });
  };
  return (
    <>
      {isOwn ? (
        <Group gap="sm">
          <img src={picture} alt="" className={classes.picture} />
          <Action label={strings.removePicture} size="xs" onClick={() => change({ picture: "" })} />
        </Group>
      ) : (
        <TextInput
          type="url"
          label={strings.pictureAddress}
          placeholder="https://"
          maxLength={2_000}
          value={picture}
          onChange={({ currentTarget }) => change({ picture: currentTarget.value.trim() })}
          error={picture !== "" && mistakes.includes("picture") && strings.badPicture}
          description={picture.startsWith("http") && !mistakes.includes("picture") && strings.pictureElsewhere}
        />
      )}
      <Group gap="sm" wrap="nowrap">
        <FileButton accept={types.join(",")} onChange={(file) => void read(file)}>
          {(props) => <Action label={strings.upload} icon={Upload} size="xs" {...props} />}
        </FileButton>
        <Hint size="xs">{strings.uploadHelp}</Hint>
      </Group>
      {problem !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
    </>
  );
}

function refusalOf({ type, size }: File): string | undefined {
  if (!types.includes(type)) return strings.wrongType;
  return size > largestPictureBytes ? strings.tooLarge : undefined;
}

function toDataAddress(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error());
    reader.readAsDataURL(file);
  });
}
