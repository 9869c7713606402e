import { useMutation, useQueryClient } from "@tanstack/react-query";
import { errorSentence } from "../api/client.ts";
import { allowDestination, credentialKeys, type Question } from "../api/settings.ts";
import { credentialsStrings } from "../strings.ts";
import { Action } from "../ui/controls/actions.tsx";
import { notifyDone, notifyFailed } from "../ui/page/notices.tsx";

/** Resolves a finding by allowing a credential's destination. Queries that use credentials are refetched. */
export function BindHostButton({ bind }: { bind: Question }) {
  const queries = useQueryClient();
  const binding = useMutation({
    mutationFn: () => allowDestination(bind),
    onSuccess: ({ name }) => {
      notifyDone(credentialsStrings.bound({ name, host: bind.destination }));
      return queries.invalidateQueries({ queryKey: credentialKeys.all });
    },
    onError: (error) => notifyFailed(errorSentence(error)),
  });
  return (
    <Action
      label={credentialsStrings.bind({ host: bind.destination })}
      size="compact-xs"
      style={{ height: "auto", minHeight: 24 }}
      styles={{ label: { whiteSpace: "normal", overflowWrap: "anywhere", textAlign: "start" } }}
      disabled={binding.isSuccess}
      runs={binding}
    />
  );
}
