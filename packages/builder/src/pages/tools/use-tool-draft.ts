import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { client } from "../../api/client.ts";
import { toolKeys, toolQuery } from "../../api/tools.ts";
import { type StoredDraft, useStoredDraft } from "../../api/use-stored-draft.ts";
import { notifyDone } from "../../components/notify.ts";
import { toolsStrings } from "../../strings/tools.ts";
import { fromDraft, type ToolDraft, toDraft } from "./tool-draft.ts";

/** A tool while it is edited. */
export function useToolDraft(stored: StoredDraft<ToolDraft>) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useStoredDraft(stored, {
    create: (draft, options) => client.createTool(fromDraft(draft), options),
    update: (id, draft, options) => client.updateTool({ id }, fromDraft(draft), options),
    async load(id) {
      const { tool, etag } = await queries.fetchQuery({ ...toolQuery(id), staleTime: 0 });
      return { draft: toDraft(tool), etag };
    },
    async onSaved(tool) {
      notifyDone(toolsStrings.saved(tool.name));
      await queries.invalidateQueries({ queryKey: toolKeys.all, exact: true });
      if (stored.id !== undefined) return;
      await navigate({ to: "/tools/$toolId", params: { toolId: tool.id }, ignoreBlocker: true, replace: true });
    },
  });
}
