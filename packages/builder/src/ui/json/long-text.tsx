import { useMemo, useState } from "react";
import { jsonStrings } from "../../strings.ts";
import classes from "./json-tree.module.css";

type Props = {
  text: string;
  /** Longer texts are cut until the whole is asked for. In characters. */
  limit: number;
  className?: string | undefined;
  dataType?: "string";
};

/** A text of which the beginning is shown, and all of it on request, in a frame of its own. */
export function LongText({ text, limit, className, dataType }: Props) {
  const [isWhole, setWhole] = useState(false);
  if (isWhole) {
    return (
      <span className={className} data-type={dataType}>
        <WholeText text={text} />
      </span>
    );
  }
  const isCut = text.length > limit;
  return (
    <span className={className} data-type={dataType}>
      {isCut ? `${text.slice(0, limit)}…` : text}
      {isCut && (
        <button type="button" className={classes.more} onClick={() => setWhole(true)}>
          {jsonStrings.showCharacters({ count: text.length })}
        </button>
      )}
    </span>
  );
}

/** In parts, of which the browser lays out those that are in sight: a megabyte at once takes seconds. */
function WholeText({ text }: { text: string }) {
  const parts = useMemo(() => partsOf(text), [text]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than the frame is scrolled by keyboard.
    <span className={classes.wholeText} tabIndex={0}>
      {parts.map(({ at, part }) => (
        <span key={at} className={classes.part}>
          {part}
        </span>
      ))}
    </span>
  );
}

const partLength = 8_000;
const longestSearch = 2_000;

/** Parts end at the end of a line, else of a word, where there is one in reach. */
function partsOf(text: string): { at: number; part: string }[] {
  const parts: { at: number; part: string }[] = [];
  let at = 0;
  while (at < text.length) {
    const near = text.slice(at + partLength, at + partLength + longestSearch);
    const end = near.search(/\n/) >= 0 ? near.search(/\n/) : near.search(/\s/);
    const to = at + partLength + Math.max(end, 0) + (end >= 0 ? 1 : 0);
    // The parts are lines of their own: the break between two of them is not said twice.
    parts.push({ at, part: text.slice(at, to).replace(/\n$/, "") });
    at = to;
  }
  return parts;
}
