import type { Json } from "@weft/client";
import { type ReactNode, useMemo } from "react";
import { CodeBlock } from "../../../ui/content/code-block.tsx";
import { prettyJson, splitContent } from "../../../ui/content/format.ts";
import { isBranch, parseBranch } from "../../../ui/json/json-entries.ts";
import { JsonTree } from "../../../ui/json/json-tree.tsx";
import rowDetailsClasses from "./row-details.module.css";

type ValueProps = {
  label: string;
  value: Json;
  /** How templates name the value; paths that are copied begin with it. */
  path?: string;
  /** Without a heading: what is around says what it is. */
  isBare?: boolean;
};

/** A labelled value. Renders nothing without one. */
export function Value({ label, value, path = "", isBare = false }: ValueProps) {
  const parts = useMemo(() => partsOf(value, path), [value, path]);
  if (value === null) return null;
  const content = parts.map((part) =>
    isBranch(part.value) ? (
      <JsonTree key={part.path} value={part.value} label={label} path={part.path} />
    ) : (
      <CodeBlock key={part.path} text={prettyJson(part.value)} label={label} />
    ),
  );
  return isBare ? content : <DetailsSection label={label}>{content}</DetailsSection>;
}

/** Most steps report their result as `content`: first that, then the rest. A text that is JSON is what it says. */
function partsOf(value: Json, path: string): { path: string; value: Json }[] {
  const { text, rest } = splitContent(value);
  const contentPath = path === "" ? "content" : `${path}.content`;
  return [
    ...(text === undefined ? [] : [{ path: contentPath, value: parseBranch(text) ?? text }]),
    ...(rest === undefined ? [] : [{ path, value: typeof rest === "string" ? (parseBranch(rest) ?? rest) : rest }]),
  ];
}

export function DetailsSection({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label}>
      <h4 className={rowDetailsClasses.label}>{label}</h4>
      {children}
    </section>
  );
}
