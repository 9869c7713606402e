import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { toolQuery } from "../../api/tools.ts";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { Page } from "../../components/page.tsx";
import { toolsStrings } from "../../strings/tools.ts";
import { newDraft, toDraft } from "./tool-draft.ts";
import { ToolEditor } from "./tool-editor.tsx";

/** A stored tool. */
export function ToolPage() {
  const { toolId } = useParams({ from: "/tools/$toolId" });
  const { data, error, refetch } = useQuery({ ...toolQuery(toolId), staleTime: 0, refetchOnWindowFocus: false });
  if (data === undefined) {
    return (
      <Page title={toolsStrings.title}>
        {error === null ? <Skeleton height={360} /> : <ErrorNotice error={error} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  return <ToolEditor key={toolId} stored={{ id: toolId, etag: data.etag, draft: toDraft(data.tool) }} />;
}

/** A tool that is not stored yet. */
export function NewToolPage() {
  return <ToolEditor stored={{ id: undefined, etag: "", draft: newDraft }} />;
}
