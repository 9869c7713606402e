import { FileButton, Group, Input, SegmentedControl, Stack, Text, TextInput, UnstyledButton } from "@mantine/core";
import { largestPictureBytes } from "@weft/schema";
import { useState } from "react";
import { Upload } from "../../../../icons/icons.gen.ts";
import { shareStrings } from "../../../../strings.ts";
import { Action } from "../../../../ui/controls/actions.tsx";
import { Hint } from "../../../../ui/text/hint.tsx";
import classes from "./appearance.module.css";
import type { Appearance } from "./appearance.ts";

const { appearance: strings } = shareStrings;

type Props = {
  draft: Appearance;
  change(changed: Partial<Appearance>): void;
  mistakes: readonly string[];
};

const kinds = ["letter", "emoji", "picture"] as const;

/** The face of an agent: a letter that is drawn, an emoji or a picture. */
export function AvatarField({ draft, change, mistakes }: Props) {
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

function EmojiChoice({ draft, change, mistakes }: Props) {
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

function PictureChoice({ draft: { picture }, change, mistakes }: Props) {
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
