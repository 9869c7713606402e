import { allowDestination, credentialKeys, type Question } from "../api/settings.ts";
import { credentialsStrings } from "../strings.ts";
import { Action } from "../ui/controls/actions.tsx";
import { useRequest } from "../ui/page/requests.ts";

/** Resolves a finding by allowing a credential's destination. Queries that use credentials are refetched. */
export function BindHostButton({ bind }: { bind: Question }) {
  const binding = useRequest(() => allowDestination(bind), {
    stale: [credentialKeys.all],
    done: ({ name }) => credentialsStrings.bound({ name, host: bind.destination }),
    isLoud: true,
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
