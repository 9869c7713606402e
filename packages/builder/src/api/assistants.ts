import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

export const assistantKeys = {
  all: ["assistants"] as const,
  one: (id: string) => ["assistants", "one", id] as const,
};

export const assistantsQuery = queryOptions({
  queryKey: [...assistantKeys.all, "list"],
  queryFn: ({ signal }) => client.listAssistants({ signal }),
});

/** An assistant with its entity tag, which `updateAssistant` takes as `ifMatch`. */
export const assistantQuery = (id: string) =>
  queryOptions({
    queryKey: assistantKeys.one(id),
    async queryFn({ signal }) {
      let etag = "";
      const onResponse = (response: Response) => {
        etag = response.headers.get("etag") ?? "";
      };
      const assistant = await client.getAssistant({ id }, { signal, onResponse });
      return { assistant, etag };
    },
  });
