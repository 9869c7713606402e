import { Alert, Group, Skeleton, Text, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ChunkPage } from "@weft/client";
import { type JsonObject, parseJsonObject } from "@weft/schema";
import { useState } from "react";
import { client, errorSentence } from "../../../api/client.ts";
import { chunksPerPage, chunksQuery, documentStoreKeys, toLoaderView } from "../../../api/document-stores.ts";
import { Blocks } from "../../../icons/icons.gen.ts";
import { commonStrings, documentStoresStrings } from "../../../strings.ts";
import { prettyJson } from "../../../ui/content/format.ts";
import { Action } from "../../../ui/controls/actions.tsx";
import { EditDeleteMenu, SearchInput } from "../../../ui/list/list-page.tsx";
import { ConfirmDialog, FormDialog } from "../../../ui/page/dialogs.tsx";
import { ErrorNotice, notifyDone, notifyFailed } from "../../../ui/page/notices.tsx";
import { EmptyState, Page } from "../../../ui/page/page.tsx";
import { Hint } from "../../../ui/text/hint.tsx";
import { BackToStore } from "../loader/loader-editor.tsx";
import { PageTurner } from "../store-parts.tsx";
import { upsertActions } from "../upsert-actions.ts";
import classes from "./chunks.module.css";

const strings = documentStoresStrings.chunk;

/** The chunks of a loader, page by page; each can be changed and deleted. */
export function ChunksPage() {
  const { storeId, loaderId } = useParams({ from: "/document-stores/$storeId/loaders/$loaderId/chunks" });
  const { page: first = 1 } = useSearch({ from: "/document-stores/$storeId/loaders/$loaderId/chunks" });
  const [page, setPage] = useState(first);
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), 250);
  const query = { storeId, loaderId, page, ...(search !== "" && { search }) };
  const { data, error, refetch } = useQuery({ ...chunksQuery(query), staleTime: 0 });
  const loader = data?.file ? toLoaderView(data.file) : undefined;
  return (
    <Page
      title={loader === undefined ? strings.loadingTitle : strings.title({ name: loader.name })}
      summary={<BackToStore storeId={storeId} />}
    >
      {loader?.status === "STALE" && <OutdatedNotice storeId={storeId} loaderId={loaderId} />}
      {data === undefined && error === null && <Skeleton height={360} />}
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <>
          {(loader?.totalChunks ?? 0) > 0 && (
            <SearchInput
              label={strings.search}
              value={typed}
              onChange={(text) => {
                setTyped(text);
                setPage(1);
              }}
            />
          )}
          <Chunks data={data} search={search} />
          <PageTurner page={page} perPage={chunksPerPage} total={data.count} onPage={setPage} />
        </>
      )}
    </Page>
  );
}

function Chunks({ data: { chunks }, search }: { data: ChunkPage; search: string }) {
  if (chunks.length > 0) {
    return (
      <ol className={classes.list}>
        {chunks.map((chunk) => (
          <ChunkCard key={chunk.id} chunk={chunk} />
        ))}
      </ol>
    );
  }
  if (search !== "") return <Text c="dimmed">{commonStrings.nothingFound({ text: search })}</Text>;
  return <EmptyState icon={Blocks} title={strings.none} text={strings.noneText} />;
}

/** After an edit: searches still find the former text. */
function OutdatedNotice({ storeId, loaderId }: { storeId: string; loaderId: string }) {
  const navigate = useNavigate();
  const { mutate, isPending } = useMutation({
    mutationFn: () => upsertActions.insert(storeId, loaderId),
    onSuccess: (upsert) => navigate({ to: "/document-stores/$storeId", params: { storeId }, search: { upsert } }),
    onError: (error) => notifyFailed(errorSentence(error)),
  });
  return (
    <Alert color="yellow" variant="light">
      <Group justify="space-between">
        <Text size="sm">{strings.outdated}</Text>
        <Action label={documentStoresStrings.actions.insert} size="xs" runs={{ mutate, isPending }} />
      </Group>
    </Alert>
  );
}

/** One chunk: the beginning of its text, and where it is from. */
function ChunkCard({ chunk }: { chunk: Chunk }) {
  const { storeId, docId: loaderId, id: chunkId, chunkNo, pageContent } = chunk;
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<"edit" | "delete">();
  const close = () => setDialog(undefined);
  const { source } = JSON.parse(chunk.metadata) as JsonObject;
  const name = strings.number({ number: chunkNo });
  const remove = async () => {
    await client.deleteChunk({ storeId, loaderId, chunkId });
    await queries.invalidateQueries({ queryKey: documentStoreKeys.all });
    notifyDone(strings.deleted);
  };
  return (
    <li className={classes.chunk}>
      <Group justify="space-between" wrap="nowrap">
        <Hint size="xs" truncate>
          {name} · {strings.characters({ number: pageContent.length })}
          {typeof source === "string" && ` · ${source}`}
        </Hint>
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

/** The whole text of a chunk and its metadata, to be changed. */
function ChunkDialog({ chunk, onClose }: { chunk: Chunk; onClose(): void }) {
  const { storeId, docId: loaderId, id: chunkId, chunkNo } = chunk;
  const queries = useQueryClient();
  const [pageContent, setPageContent] = useState(chunk.pageContent);
  const [metadataText, setMetadataText] = useState(() => prettyJson(JSON.parse(chunk.metadata)));
  const metadata = parseJsonObject(metadataText);
  const save = async () => {
    await client.updateChunk({ storeId, loaderId, chunkId }, { pageContent, metadata: metadata ?? {} });
    await queries.invalidateQueries({ queryKey: documentStoreKeys.all });
    notifyDone(strings.saved);
  };
  return (
    <FormDialog
      title={strings.editTitle({ number: chunkNo })}
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

type Chunk = ChunkPage["chunks"][number];
