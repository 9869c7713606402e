import type { Json } from "@weft/client";
import type { ReactNode } from "react";
import { CodeBlock } from "../chat/code-block.tsx";
import { prettyJson, splitContent } from "../chat/pretty-json.ts";
import classes from "./row-details.module.css";

/** A value with its name. Nothing where there is no value. */
export function Value({ label, value }: { label: string; value: Json }) {
  if (value === null) return null;
  const { text, rest } = splitContent(value);
  return (
    <Section label={label}>
      {text !== undefined && <CodeBlock text={text} label={label} />}
      {rest !== undefined && <CodeBlock text={prettyJson(rest)} label={label} />}
    </Section>
  );
}

export function Section({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section>
      <h4 className={classes.label}>{label}</h4>
      {children}
    </section>
  );
}
