import { Anchor, Popover, Text, UnstyledButton } from "@mantine/core";
import type { Document } from "@weft/client";
import { citationNumber, pageOf, passageAddress } from "@weft/schema/citation";
import type { ReactNode } from "react";
import { client } from "../../api/client.ts";
import { ExternalLink } from "../../icons/icons.gen.ts";
import { chatStrings } from "../../strings.ts";
import { downloadFile } from "../../ui/download-text.ts";
import { notifyFailed } from "../../ui/page/notices.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import classes from "./citation.module.css";

/** A button for each passage that an answer may cite, by number; undefined if it may cite none. */
export function toCitations(documents: readonly Document[]): ReadonlyMap<number, ReactNode> | undefined {
  const citations = new Map<number, ReactNode>();
  for (const document of documents) {
    const number = citationNumber(document);
    if (number !== undefined) citations.set(number, <Citation number={number} document={document} />);
  }
  return citations.size === 0 ? undefined : citations;
}

/** A citation in an answer; opens its passage. */
function Citation({ number, document }: { number: number; document: Document }) {
  const name = sourceName(document) || chatStrings.unnamedSource;
  return (
    <Popover width={380} shadow="md" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton component="button" className={classes.chip} aria-label={chatStrings.citation({ number, name })}>
          {number}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={chatStrings.citation({ number, name })} className={classes.passage}>
        <PassageHead document={document} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long passage is scrolled by keyboard, too. */}
        <div className={classes.words} tabIndex={0}>
          <mark>{document.pageContent}</mark>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The document of a passage, its position there, and a link to it. */
export function PassageHead({ document }: { document: Document }) {
  const address = passageAddress(document);
  const file = passageFile(document);
  const place = placeOf(document);
  return (
    <div className={classes.head}>
      <Text size="sm" fw={500} className={classes.name}>
        {sourceName(document) || chatStrings.unnamedSource}
      </Text>
      {document.metadata.isCited === false && <Hint size="xs">{chatStrings.notCited}</Hint>}
      {place !== "" && <Hint size="xs">{place}</Hint>}
      {address !== undefined && (
        <Anchor href={address} target="_blank" rel="noopener noreferrer" size="xs" className={classes.link}>
          {chatStrings.openSource}
          <ExternalLink size={12} aria-hidden />
        </Anchor>
      )}
      {address === undefined && file !== undefined && (
        <Anchor component="button" type="button" size="xs" className={classes.link} onClick={() => void openFile(file)}>
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
  return [page === undefined ? "" : chatStrings.sourcePage({ page }), section].filter(Boolean).join(" · ");
}

/** The title or name of the document; empty if it has none. */
export function sourceName({ metadata }: Document): string {
  const names = [metadata.title, metadata.fileName, metadata.source, metadata.url];
  return names.find((name): name is string => typeof name === "string" && name.trim() !== "") ?? "";
}

type PassageFile = { loaderId: string; fileName: string; page: number | undefined };

/** The file of a passage; undefined if its document was not uploaded as one. */
function passageFile({ metadata }: Document): PassageFile | undefined {
  const { docId: loaderId, source: fileName } = metadata;
  if (typeof loaderId !== "string" || typeof fileName !== "string" || !/[^/]\.\w{1,10}$/.test(fileName))
    return undefined;
  return { loaderId, fileName, page: pageOf(metadata) };
}

/**
 * Opens the file in a new tab, a PDF at the passage's page. Files that a browser might execute, such as HTML, are saved
 * instead: in a tab they would run in our origin.
 */
async function openFile({ loaderId, fileName, page }: PassageFile): Promise<void> {
  const type = shownAs(fileName);
  // Open the tab within the click: later a browser blocks it.
  const tab = type === undefined ? null : window.open("", "_blank");
  try {
    const bytes = await client.getDocumentFile({ loaderId, fileName });
    if (tab === null) return downloadFile(fileName, bytes);
    const url = URL.createObjectURL(new Blob([bytes], { type: type ?? "" }));
    tab.location.href = page === undefined ? url : `${url}#page=${page}`;
    setTimeout(() => URL.revokeObjectURL(url), keptMs);
  } catch (error) {
    tab?.close();
    notifyFailed(error);
  }
}

/** By then a tab has loaded the file. */
const keptMs = 10 * 60_000;

/** The content type for displaying a file without executing it; undefined if it should be saved. */
function shownAs(fileName: string): string | undefined {
  const ending = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? "";
  if (ending === "pdf") return "application/pdf";
  return texts.has(ending) ? "text/plain;charset=utf-8" : undefined;
}

const texts = new Set(["txt", "md", "markdown", "csv", "tsv", "json", "jsonl", "log", "yaml", "yml", "srt", "vtt"]);
