import { CopyIcon } from "../components/copy.tsx";
import { chatStrings } from "../strings/chat.ts";
import classes from "./code-block.module.css";

type Props = { text: string; language?: string; label?: string };

/** Code or data with a copy button. `label`: its accessible name. */
export function CodeBlock({ text, language = "", label }: Props) {
  return (
    <div className={classes.block}>
      {language !== "" && <span className={classes.language}>{language}</span>}
      <div className={classes.copy}>
        <CopyIcon text={text} label={chatStrings.copyCode} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider or longer than the block is scrolled by keyboard. */}
      <pre className={classes.code} tabIndex={0} {...(label !== undefined && { "aria-label": label, role: "group" })}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
