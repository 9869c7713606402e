import { useState } from "react";
import { jsonStrings } from "../../strings.ts";
import classes from "./json-tree.module.css";

type Props = {
  text: string;
  /** Longer texts are cut until the whole is asked for. In characters. */
  limit: number;
  className?: string | undefined;
  dataType?: "string";
};

/** A text of which the beginning is shown, and all of it on request. */
export function LongText({ text, limit, className, dataType }: Props) {
  const [isWhole, setWhole] = useState(false);
  const isCut = text.length > limit && !isWhole;
  return (
    <span className={className} data-type={dataType}>
      <span className={isWhole ? classes.wholeText : undefined}>{isCut ? `${text.slice(0, limit)}…` : text}</span>
      {isCut && (
        <button type="button" className={classes.more} onClick={() => setWhole(true)}>
          {jsonStrings.showCharacters(text.length)}
        </button>
      )}
    </span>
  );
}
