import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Finding } from "@weft/schema";
import { bindHost, credentialKeys } from "../api/credentials.ts";
import { errorSentence } from "../api/error-sentence.ts";
import { notifyDone, notifyFailed } from "../components/notify.ts";
import { credentialsStrings } from "../strings/settings.ts";

/** Settles a finding about a credential that may not be sent to a host. What reads credentials hears of it. */
export function BindHostButton({ bind }: { bind: NonNullable<Finding["bind"]> }) {
  const queries = useQueryClient();
  const binding = useMutation({
    mutationFn: () => bindHost(bind),
    onSuccess: ({ name }) => {
      notifyDone(credentialsStrings.bound(name, bind.host));
      return queries.invalidateQueries({ queryKey: credentialKeys.all });
    },
    onError: (error) => notifyFailed(errorSentence(error)),
  });
  return (
    <Button
      size="compact-xs"
      variant="default"
      style={{ height: "auto" }}
      styles={{ label: { whiteSpace: "normal", overflowWrap: "anywhere", textAlign: "start" } }}
      loading={binding.isPending}
      disabled={binding.isSuccess}
      onClick={() => binding.mutate()}
    >
      {credentialsStrings.bind(bind.host)}
    </Button>
  );
}
