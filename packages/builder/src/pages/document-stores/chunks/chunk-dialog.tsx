import { Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { JsonObject } from "@weft/schema";
import { useState } from "react";
import { client } from "../../../api/client.ts";
import { documentStoreKeys } from "../../../api/document-stores.ts";
import { prettyJson } from "../../../chat/pretty-json.ts";
import { FormDialog } from "../../../components/form-dialog.tsx";
import { notifyDone } from "../../../components/notify.ts";
import { commonStrings } from "../../../strings/common.ts";
import { documentStoresStrings } from "../../../strings/document-stores.ts";
import type { Chunk } from "./chunk.ts";

const strings = documentStoresStrings.chunk;

/** The whole text of a chunk and its metadata, to be changed. */
export function ChunkDialog({ chunk, onClose }: { chunk: Chunk; onClose(): void }) {
  const { storeId, docId: loaderId, id: chunkId, chunkNo } = chunk;
  const queries = useQueryClient();
  const [pageContent, setPageContent] = useState(chunk.pageContent);
  const [metadataText, setMetadataText] = useState(() => prettyJson(JSON.parse(chunk.metadata)));
  const metadata = readObject(metadataText);
  const save = async () => {
    await client.updateChunk({ storeId, loaderId, chunkId }, { pageContent, metadata: metadata ?? {} });
    await queries.invalidateQueries({ queryKey: documentStoreKeys.all });
    notifyDone(strings.saved);
  };
  return (
    <FormDialog
      title={strings.editTitle(chunkNo)}
      submitLabel={commonStrings.save}
      size="lg"
      isComplete={pageContent !== "" && metadata !== undefined}
      onSubmit={save}
      onClose={onClose}
    >
      <Textarea
        label={strings.text}
        data-autofocus
        required
        autosize
        minRows={6}
        maxRows={18}
        value={pageContent}
        onChange={(event) => setPageContent(event.currentTarget.value)}
      />
      <Textarea
        label={strings.metadata}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        autosize
        minRows={4}
        maxRows={12}
        value={metadataText}
        error={metadata === undefined && strings.metadataWrong}
        onChange={(event) => setMetadataText(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

function readObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
