import { Alert, Button, Group, Skeleton, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ChunkPage } from "@weft/client";
import { Blocks } from "lucide-react";
import { useState } from "react";
import { toLoaderView } from "../../../api/document-store-view.ts";
import { chunksQuery } from "../../../api/document-stores.ts";
import { errorSentence } from "../../../api/error-sentence.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorNotice } from "../../../components/error-notice.tsx";
import { notifyFailed } from "../../../components/notify.ts";
import { Page } from "../../../components/page.tsx";
import { SearchInput } from "../../../components/search-input.tsx";
import { commonStrings } from "../../../strings/common.ts";
import { documentStoresStrings } from "../../../strings/document-stores.ts";
import { BackToStore } from "../loader/loader-editor.tsx";
import { upsertActions } from "../store/upsert-actions.ts";
import { ChunkCard } from "./chunk-card.tsx";
import { ChunkPages } from "./chunk-pages.tsx";
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
      title={loader === undefined ? strings.loadingTitle : strings.title(loader.name)}
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
          <ChunkPages page={page} total={data.count} onPage={setPage} />
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
  if (search !== "") return <Text c="dimmed">{commonStrings.nothingFound(search)}</Text>;
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
        <Button size="xs" variant="default" loading={isPending} onClick={() => mutate()}>
          {documentStoresStrings.actions.insert}
        </Button>
      </Group>
    </Alert>
  );
}
