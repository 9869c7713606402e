import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

export const toolKeys = { all: ["tools"] as const };

export const toolsQuery = queryOptions({
  queryKey: toolKeys.all,
  queryFn: ({ signal }) => client.listTools({ signal }),
});

/** A tool with its entity tag, which `updateTool` takes as `ifMatch`. */
export const toolQuery = (id: string) =>
  queryOptions({
    queryKey: [...toolKeys.all, id],
    async queryFn({ signal }) {
      let etag = "";
      const onResponse = (response: Response) => {
        etag = response.headers.get("etag") ?? "";
      };
      const tool = await client.getTool({ id }, { signal, onResponse });
      return { tool, etag };
    },
  });
