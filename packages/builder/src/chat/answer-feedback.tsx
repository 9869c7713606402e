import { ActionIcon, Button, Textarea, Tooltip } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { ThumbsDown, ThumbsUp } from "lucide-react";
import { useState } from "react";
import { errorSentence } from "../api/error-sentence.ts";
import { chatStrings } from "../strings/chat.ts";
import type { Rating } from "./conversation.ts";

type Rate = (rating: Rating) => Promise<void>;

/** Thumbs up and down. `onRated`: the rating is stored, and may be explained. */
export function FeedbackThumbs({
  rating,
  onRate,
  onRated,
}: {
  rating: Rating | undefined;
  onRate: Rate;
  onRated: () => void;
}) {
  async function rate(value: Rating["rating"]) {
    try {
      await onRate({ rating: value, content: rating?.content ?? "" });
      onRated();
    } catch (error) {
      notifications.show({ color: "red", message: errorSentence(error) });
    }
  }
  const thumb = (value: Rating["rating"], label: string, Icon: typeof ThumbsUp) => (
    <Tooltip label={label}>
      <ActionIcon
        variant={rating?.rating === value ? "light" : "subtle"}
        color={rating?.rating === value ? "iris" : "gray"}
        size="sm"
        aria-label={label}
        aria-pressed={rating?.rating === value}
        onClick={() => void rate(value)}
      >
        <Icon size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
  return (
    <>
      {thumb("THUMBS_UP", chatStrings.goodAnswer, ThumbsUp)}
      {thumb("THUMBS_DOWN", chatStrings.badAnswer, ThumbsDown)}
    </>
  );
}

/** Why an answer was good or bad. */
export function FeedbackComment({ rating, onRate, onDone }: { rating: Rating; onRate: Rate; onDone: () => void }) {
  const [content, setContent] = useState(rating.content);
  const [isSaving, setSaving] = useState(false);
  async function save() {
    setSaving(true);
    try {
      await onRate({ ...rating, content: content.trim() });
      notifications.show({ message: chatStrings.feedbackThanks });
      onDone();
    } catch (error) {
      notifications.show({ color: "red", message: errorSentence(error) });
    } finally {
      setSaving(false);
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Textarea
        mt="xs"
        aria-label={chatStrings.feedbackComment}
        placeholder={chatStrings.feedbackComment}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={20_000}
        value={content}
        onChange={(event) => setContent(event.currentTarget.value)}
        onKeyDown={(event) => event.stopPropagation()}
      />
      <Button type="submit" size="xs" variant="default" mt="xs" loading={isSaving}>
        {chatStrings.feedbackSave}
      </Button>
    </form>
  );
}
