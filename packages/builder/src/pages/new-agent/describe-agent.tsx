import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { agentKeys, createAgentDraft, draftedKey } from "../../api/agents.ts";
import { DescribeForm, useDrafting } from "../../drafting/index.ts";
import { draftingStrings as strings } from "../../strings.ts";
import classes from "./describe-agent.module.css";

/** The way to a new agent by a sentence: a model drafts it, and it opens with what is still to be chosen. */
export function DescribeAgent() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const drafting = useDrafting(async (draft) => {
    const name = draft.name.trim() || strings.fallbackName;
    const { id } = await createAgentDraft({ name, flowData: JSON.stringify(draft.flow) });
    queries.setQueryData(draftedKey(id), draft);
    await queries.invalidateQueries({ queryKey: agentKeys.all, refetchType: "none" });
    await navigate({ to: "/agents/$agentId", params: { agentId: id }, search: {} });
  });
  return (
    <div className={classes.box}>
      <DescribeForm
        drafting={drafting}
        label={strings.label}
        placeholder={strings.placeholder}
        submitLabel={strings.submit}
        onSubmit={(request) => drafting.start({ request })}
      />
    </div>
  );
}
