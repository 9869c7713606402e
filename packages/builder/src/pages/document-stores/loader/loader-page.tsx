import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { loaderQuery, loaderTypesQuery, splittersQuery } from "../../../api/document-stores.ts";
import { ErrorNotice } from "../../../components/error-notice.tsx";
import { Page } from "../../../components/page.tsx";
import { documentStoresStrings as strings } from "../../../strings/document-stores.ts";
import { type LoaderDraft, newLoaderDraft, toLoaderDraft } from "./loader-draft.ts";
import { LoaderEditor } from "./loader-editor.tsx";

/** A loader of a store. */
export function LoaderPage() {
  const { storeId, loaderId } = useParams({ from: "/document-stores/$storeId/loaders/$loaderId" });
  const query = { ...loaderQuery(storeId, loaderId), staleTime: 0, refetchOnWindowFocus: false };
  const { data, error, refetch } = useQuery(query);
  if (data === undefined) return <Waiting error={error} onRetry={() => void refetch()} />;
  return <LoadedEditor key={loaderId} storeId={storeId} loaderId={loaderId} initial={toLoaderDraft(data)} />;
}

/** A loader that is not stored yet. */
export function NewLoaderPage() {
  const { storeId } = useParams({ from: "/document-stores/$storeId/loaders/new" });
  const { type } = useSearch({ from: "/document-stores/$storeId/loaders/new" });
  return <LoadedEditor key={type} storeId={storeId} loaderId={undefined} initial={newLoaderDraft(type ?? "file")} />;
}

type Props = { storeId: string; loaderId: string | undefined; initial: LoaderDraft };

/** With what the server can load and split. */
function LoadedEditor(props: Props) {
  const types = useQuery(loaderTypesQuery);
  const splitters = useQuery(splittersQuery);
  if (types.data === undefined || splitters.data === undefined) {
    const retry = () => void Promise.all([types.refetch(), splitters.refetch()]);
    return <Waiting error={types.error ?? splitters.error} onRetry={retry} />;
  }
  return <LoaderEditor {...props} types={types.data} splitters={splitters.data} />;
}

function Waiting({ error, onRetry }: { error: unknown; onRetry(): void }) {
  return (
    <Page title={strings.loader.newTitle}>
      {error === null ? <Skeleton height={360} /> : <ErrorNotice error={error} onRetry={onRetry} />}
    </Page>
  );
}
