import { Anchor, Popover, Text, UnstyledButton } from "@mantine/core";
import type { Document } from "@weft/client";
import { citationNumber, pageOf, passageAddress } from "@weft/schema/citation";
import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { chatStrings } from "../strings.ts";
import classes from "./citation.module.css";

/** A button for each passage that an answer may cite, by its number; undefined where it may cite none. */
export function toCitations(documents: readonly Document[]): ReadonlyMap<number, ReactNode> | undefined {
  const citations = new Map<number, ReactNode>();
  for (const document of documents) {
    const number = citationNumber(document);
    if (number !== undefined) citations.set(number, <Citation number={number} document={document} />);
  }
  return citations.size === 0 ? undefined : citations;
}

/** A citation in an answer, which opens its passage. */
function Citation({ number, document }: { number: number; document: Document }) {
  const name = sourceName(document) || chatStrings.unnamedSource;
  return (
    <Popover width={380} shadow="md" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton component="button" className={classes.chip} aria-label={chatStrings.citation(number, name)}>
          {number}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={chatStrings.citation(number, name)} className={classes.passage}>
        <PassageHead document={document} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long passage is scrolled by keyboard, too. */}
        <div className={classes.words} tabIndex={0}>
          <mark>{document.pageContent}</mark>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Which document a passage is from, where it stands there, and the way to it. */
export function PassageHead({ document }: { document: Document }) {
  const address = passageAddress(document);
  const place = placeOf(document);
  return (
    <div className={classes.head}>
      <Text size="sm" fw={500} className={classes.name}>
        {sourceName(document) || chatStrings.unnamedSource}
      </Text>
      {document.metadata.isCited === false && (
        <Text size="xs" c="dimmed">
          {chatStrings.notCited}
        </Text>
      )}
      {place !== "" && (
        <Text size="xs" c="dimmed">
          {place}
        </Text>
      )}
      {address !== undefined && (
        <Anchor href={address} target="_blank" rel="noopener noreferrer" size="xs" className={classes.link}>
          {chatStrings.openSource}
          <ExternalLink size={12} aria-hidden />
        </Anchor>
      )}
    </div>
  );
}

function placeOf({ metadata }: Document): string {
  const page = pageOf(metadata);
  const { headings } = metadata;
  const section = Array.isArray(headings) ? headings.filter((one) => typeof one === "string").join(" › ") : "";
  return [page === undefined ? "" : chatStrings.sourcePage(page), section].filter(Boolean).join(" · ");
}

/** The title or name of the document; empty where it has none. */
export function sourceName({ metadata }: Document): string {
  const names = [metadata.title, metadata.fileName, metadata.source, metadata.url];
  return names.find((name): name is string => typeof name === "string" && name.trim() !== "") ?? "";
}
