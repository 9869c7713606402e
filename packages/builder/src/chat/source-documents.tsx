import { Text } from "@mantine/core";
import type { Document } from "@weft/client";
import { FileText } from "lucide-react";
import { chatStrings } from "../strings/chat.ts";
import { CodeBlock } from "./code-block.tsx";
import { Disclosure } from "./disclosure.tsx";
import { prettyJson } from "./pretty-json.ts";
import classes from "./source-documents.module.css";

/** The passages that an answer is based on. */
export function SourceDocuments({ documents }: { documents: readonly Document[] }) {
  if (documents.length === 0) return null;
  return (
    <div className={classes.sources}>
      <Disclosure
        summary={
          <>
            <FileText size={16} aria-hidden />
            {chatStrings.sources(documents.length)}
            <span className={classes.names}>{sourceNames(documents)}</span>
          </>
        }
      >
        <ol className={classes.list}>
          {documents.map((document, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed.
            <li key={index}>
              <Text size="sm" fw={500} className={classes.passage}>
                {sourceName(document) || chatStrings.unnamedSource}
              </Text>
              <Text size="sm" className={classes.passage}>
                {document.pageContent}
              </Text>
              {Object.keys(document.metadata).length > 0 && (
                <Disclosure summary={chatStrings.sourceMetadata}>
                  <CodeBlock text={prettyJson(document.metadata)} />
                </Disclosure>
              )}
            </li>
          ))}
        </ol>
      </Disclosure>
    </div>
  );
}

/** Each file or page once. */
function sourceNames(documents: readonly Document[]): string {
  return [...new Set(documents.map(sourceName))].filter(Boolean).join(", ");
}

function sourceName({ metadata: { source } }: Document): string {
  return typeof source === "string" ? source : "";
}
