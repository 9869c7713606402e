import { Group, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { JsonObject } from "@weft/schema";
import { useState } from "react";
import { client } from "../../../api/client.ts";
import { documentStoreKeys } from "../../../api/document-stores.ts";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import { EditDeleteMenu } from "../../../components/edit-delete-menu.tsx";
import { notifyDone } from "../../../components/notify.ts";
import { commonStrings } from "../../../strings/common.ts";
import { documentStoresStrings } from "../../../strings/document-stores.ts";
import type { Chunk } from "./chunk.ts";
import { ChunkDialog } from "./chunk-dialog.tsx";
import classes from "./chunks.module.css";

const strings = documentStoresStrings.chunk;

/** One chunk: the beginning of its text, and where it is from. */
export function ChunkCard({ chunk }: { chunk: Chunk }) {
  const { storeId, docId: loaderId, id: chunkId, chunkNo, pageContent } = chunk;
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<"edit" | "delete">();
  const close = () => setDialog(undefined);
  const { source } = JSON.parse(chunk.metadata) as JsonObject;
  const name = strings.number(chunkNo);
  const remove = async () => {
    await client.deleteChunk({ storeId, loaderId, chunkId });
    await queries.invalidateQueries({ queryKey: documentStoreKeys.all });
    notifyDone(strings.deleted);
  };
  return (
    <li className={classes.chunk}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="xs" c="dimmed" truncate>
          {name} · {strings.characters(pageContent.length)}
          {typeof source === "string" && ` · ${source}`}
        </Text>
        <EditDeleteMenu name={name} onEdit={() => setDialog("edit")} onDelete={() => setDialog("delete")} />
      </Group>
      <div className={classes.text}>{pageContent}</div>
      {dialog === "edit" && <ChunkDialog chunk={chunk} onClose={close} />}
      {dialog === "delete" && (
        <ConfirmDialog
          opened
          title={strings.deleteTitle}
          confirmLabel={commonStrings.delete}
          onConfirm={remove}
          onClose={close}
        >
          {strings.deleteText}
        </ConfirmDialog>
      )}
    </li>
  );
}
