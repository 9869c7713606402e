import { Alert, Group, Skeleton, Text, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ChunkPage } from "@weft/client";
import { parseJsonObject } from "@weft/schema";
import { useState } from "react";
import { client } from "../../../api/client.ts";
import { chunksPerPage, chunksQuery, documentStoreKeys, toLoaderView } from "../../../api/document-stores.ts";
import { Blocks } from "../../../icons/icons.gen.ts";
import { commonStrings, documentStoresStrings } from "../../../strings.ts";
import { prettyJson } from "../../../ui/content/format.ts";
import { Action } from "../../../ui/controls/actions.tsx";
import { EditDeleteMenu, PageTurner, SearchInput } from "../../../ui/list/list-page.tsx";
import { ConfirmDialog, FormDialog } from "../../../ui/page/dialogs.tsx";
import { ErrorNotice } from "../../../ui/page/notices.tsx";
import { EmptyState, Page } from "../../../ui/page/page.tsx";
import { useRequest } from "../../../ui/page/requests.ts";
import { Hint } from "../../../ui/text/hint.tsx";
import { BackToStore } from "../loader/loader-editor.tsx";
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
          <PageTurner strings={strings} page={page} perPage={chunksPerPage} total={data.count} onPage={setPage} />
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
  const insertion = useRequest(() => upsertActions.insert(storeId, loaderId), {
    next: (upsert) => navigate({ to: "/document-stores/$storeId", params: { storeId }, search: { upsert } }),
    isLoud: true,
  });
  return (
    <Alert color="yellow" variant="light">
      <Group justify="space-between">
        <Text size="sm">{strings.outdated}</Text>
        <Action label={documentStoresStrings.actions.insert} size="xs" runs={insertion} />
      </Group>
    </Alert>
  );
}

/** One chunk: the beginning of its text, and where it is from. */
function ChunkCard({ chunk }: { chunk: Chunk }) {
  const { storeId, docId: loaderId, id: chunkId, chunkNo, pageContent } = chunk;
  const [dialog, setDialog] = useState<"edit" | "delete">();
  const close = () => setDialog(undefined);
  const { source } = parseJsonObject(chunk.metadata) ?? {};
  const name = strings.number({ number: chunkNo });
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
          title={strings.deleteTitle}
          onConfirm={() => client.deleteChunk({ storeId, loaderId, chunkId })}
          stale={[documentStoreKeys.all]}
          done={strings.deleted}
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
  const [pageContent, setPageContent] = useState(chunk.pageContent);
  const [metadataText, setMetadataText] = useState(() => prettyJson(JSON.parse(chunk.metadata)));
  const metadata = parseJsonObject(metadataText);
  const save = () => client.updateChunk({ storeId, loaderId, chunkId }, { pageContent, metadata: metadata ?? {} });
  return (
    <FormDialog
      title={strings.editTitle({ number: chunkNo })}
      size="lg"
      isComplete={pageContent !== "" && metadata !== undefined}
      onSubmit={save}
      stale={[documentStoreKeys.all]}
      done={strings.saved}
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
