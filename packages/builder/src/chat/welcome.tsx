import { UnstyledButton } from "@mantine/core";
import type { ChatConfig } from "@weft/client";
import { MessagesSquare } from "lucide-react";
import { chatStrings } from "../strings/chat.ts";
import classes from "./welcome.module.css";

type Props = { config: ChatConfig | undefined; onSuggest: (text: string) => void };

/** A chat that nobody has written in yet, with what the agent's author suggests to say. */
export function Welcome({ config, onSuggest }: Props) {
  const suggestions = Object.values(config?.starterPrompts ?? {})
    .map(({ prompt }) => prompt)
    .filter((prompt) => prompt.trim() !== "");
  return (
    <div className={classes.welcome}>
      <MessagesSquare size={28} strokeWidth={1.5} aria-hidden className={classes.icon} />
      <p className={classes.title}>{config?.title || chatStrings.welcomeTitle}</p>
      <p className={classes.text}>{config?.welcomeMessage || config?.welcomeText || chatStrings.welcomeText}</p>
      {suggestions.length > 0 && (
        <ul className={classes.suggestions} aria-label={chatStrings.suggestions}>
          {suggestions.map((text) => (
            <li key={text}>
              <UnstyledButton className={classes.suggestion} onClick={() => onSuggest(text)}>
                {text}
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
