import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { commonStrings } from "../strings/common.ts";
import { ErrorNotice } from "./error-notice.tsx";

type Props<T> = {
  query: Pick<UseQueryResult<T>, "data" | "error" | "refetch">;
  /** Height of the skeleton's rows in pixels. Default 52. */
  rowHeight?: number;
  children: (data: T) => ReactNode;
};

const skeletonRows = ["1", "2", "3", "4"];

/** What a query gave; until then a skeleton, and the reason with another attempt where it failed. */
export function ListBody<T>({ query: { data, error, refetch }, rowHeight = 52, children }: Props<T>) {
  if (data !== undefined) return children(data);
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  return (
    <Stack gap="xs" aria-busy>
      <VisuallyHidden role="status">{commonStrings.loading}</VisuallyHidden>
      {skeletonRows.map((row) => (
        <Skeleton key={row} height={rowHeight} />
      ))}
    </Stack>
  );
}
