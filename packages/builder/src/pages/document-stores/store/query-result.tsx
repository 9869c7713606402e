import { Anchor, Badge, Group, Highlight, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { VectorQueryResult } from "@weft/client";
import type { StoreView } from "../../../api/document-store-view.ts";
import { chunksPerPage } from "../../../api/document-stores.ts";
import { CodeBlock } from "../../../chat/code-block.tsx";
import { Disclosure } from "../../../chat/disclosure.tsx";
import { prettyJson } from "../../../chat/pretty-json.ts";
import { documentStoresStrings } from "../../../strings/document-stores.ts";
import { markedWords } from "./marked-words.ts";
import classes from "./query-tab.module.css";

const strings = documentStoresStrings.query;

type Found = VectorQueryResult["docs"][number];

type Props = { store: StoreView; result: VectorQueryResult; question: string };

/** What a question found: each passage with its source, its score, and the question's words in it marked. */
export function QueryResult({ store, result: { docs, timeTaken }, question }: Props) {
  const words = markedWords(question);
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {docs.length === 0 ? strings.none : strings.found(docs.length, timeTaken)}
      </Text>
      <ol className={classes.results} aria-label={strings.results}>
        {docs.map((found) => (
          <li key={found.id} className={classes.result}>
            <Group justify="space-between" gap="xs" wrap="nowrap">
              <Source store={store} found={found} />
              <Badge variant="light" className={classes.score ?? ""}>
                {strings.score(found.score)}
              </Badge>
            </Group>
            <Highlight size="sm" component="div" className={classes.text ?? ""} highlight={words} wholeWord>
              {found.pageContent}
            </Highlight>
            <div className={classes.metadata}>
              <Disclosure summary={documentStoresStrings.chunk.metadata}>
                <CodeBlock text={prettyJson(found.metadata)} />
              </Disclosure>
            </div>
          </li>
        ))}
      </ol>
    </Stack>
  );
}

/** Where a passage is from, with a way to it among the chunks of its loader. */
function Source({ store, found: { metadata, chunkNo } }: { store: StoreView; found: Found }) {
  const loader = store.loaders.find(({ id }) => id === metadata.docId);
  const name = typeof metadata.source === "string" && metadata.source !== "" ? metadata.source : (loader?.name ?? "");
  const number = chunkNo > 0 ? documentStoresStrings.chunk.number(chunkNo) : "";
  if (loader === undefined || chunkNo === 0) {
    return (
      <Text size="sm" fw={500} truncate>
        {name} {number}
      </Text>
    );
  }
  const params = { storeId: store.id, loaderId: loader.id };
  const search = { page: Math.ceil(chunkNo / chunksPerPage) };
  return (
    <Anchor
      size="sm"
      fw={500}
      truncate
      renderRoot={(props) => (
        <Link {...props} to="/document-stores/$storeId/loaders/$loaderId/chunks" params={params} search={search} />
      )}
    >
      {name} {number}
    </Anchor>
  );
}
