import { UnstyledButton } from "@mantine/core";
import { parseJson } from "@weft/schema";
import { useMemo, useState } from "react";
import { type FlowModel, toDocument } from "../../canvas/index.ts";
import { canvasStrings } from "../../strings.ts";
import { Hint } from "../../ui/text/hint.tsx";
import { type DiffPart, diffTexts, toStableText } from "./text-diff.ts";
import classes from "./version-text.module.css";

const { diff: strings } = canvasStrings.editor;

/** The changes since a version in the flow's JSON, line by line. */
export function VersionText({ before, after }: { before: FlowModel; after: FlowModel }) {
  const parts = useMemo(() => diffTexts(toText(before), toText(after)), [before, after]);
  if (parts === undefined) return <Hint>{strings.tooDifferent}</Hint>;
  if (parts.every(({ kind }) => kind === "same" || kind === "folded")) return <Hint>{strings.none}</Hint>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section className={classes.text} aria-label={strings.text} tabIndex={0}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have nothing else, and never move
        <Part key={index} part={part} />
      ))}
    </section>
  );
}

function toText(model: FlowModel): string {
  return toStableText(parseJson(JSON.stringify(toDocument(model))) ?? null);
}

const looks = {
  added: { Element: "ins", sign: "+" },
  removed: { Element: "del", sign: "−" },
  same: { Element: "div", sign: " " },
} as const;

function Part({ part: { kind, lines } }: { part: DiffPart }) {
  const [isOpen, setOpen] = useState(false);
  if (kind === "folded" && !isOpen) {
    return (
      <UnstyledButton className={classes.fold} onClick={() => setOpen(true)}>
        {strings.unchanged({ count: lines.length })}
      </UnstyledButton>
    );
  }
  const { Element, sign } = looks[kind === "folded" ? "same" : kind];
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
    <Element key={index} className={classes.line}>
      <span className={classes.sign}>{sign}</span>
      {line}
    </Element>
  ));
}
