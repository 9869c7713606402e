import { useWindowEvent } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { fetchAgent } from "../../api/agents.ts";

export type StoredTag = {
  /** The entity tag of what is stored, as far as is known. */
  tag: string;
  /** Remembers what was just stored from here. */
  remember(tag: string): void;
};

/** What is stored of an agent, looked at again whenever somebody comes back to this page. Begins with a tag that is known. */
export function useStoredTag(id: string, initialTag: string): StoredTag {
  const queries = useQueryClient();
  const queryKey = ["agent-tag", id, initialTag];
  const { data, refetch } = useQuery({
    queryKey,
    // The browser asks with If-None-Match by itself, and has the answer when nothing changed.
    queryFn: async ({ signal }) => (await fetchAgent(id, signal)).etag,
    initialData: initialTag,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: "always",
  });
  // A window beside this one takes the focus without hiding it, which the query does not hear of.
  useWindowEvent("focus", () => void refetch({ cancelRefetch: false }));
  return {
    tag: data,
    remember(tag) {
      void queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, tag);
    },
  };
}
