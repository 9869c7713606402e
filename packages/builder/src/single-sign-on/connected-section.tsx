import { Group, Stack, Text } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { AccountIdentity } from "@weft/client";
import { client } from "../api/client.ts";
import { Unlink } from "../icons/icons.gen.ts";
import { singleSignOnStrings } from "../strings.ts";
import { Moment } from "../ui/content/time.tsx";
import { Action, IconAction } from "../ui/controls/actions.tsx";
import { Section } from "../ui/page/page.tsx";
import { useRequest } from "../ui/page/requests.ts";
import { Hint } from "../ui/text/hint.tsx";
import { goTo, signInOptionsQuery } from "./errand.tsx";

const identitiesQuery = queryOptions({
  queryKey: ["own-identities"],
  queryFn: ({ signal }) => client.listOwnIdentities({ signal }),
});

/** The provider accounts that sign this person in. Renders nothing without providers. */
export function ConnectedSection() {
  const { data: options } = useQuery(signInOptionsQuery);
  const { data: identities = [] } = useQuery(identitiesQuery);
  const providers = options?.providers ?? [];
  if (providers.length === 0 && identities.length === 0) return null;
  const isConnected = (name: string) => identities.some(({ provider }) => provider === name);
  return (
    <Section title={singleSignOnStrings.connected} text={singleSignOnStrings.connectedText}>
      <Stack gap="sm">
        {identities.map((identity) => (
          <Connected key={identity.id} identity={identity} />
        ))}
        <Group>
          {providers
            .filter(({ name }) => !isConnected(name))
            .map(({ slug, name }) => (
              <ConnectButton key={slug} slug={slug} name={name} />
            ))}
        </Group>
      </Stack>
    </Section>
  );
}

function Connected({ identity: { id, provider: name, email, usedDate } }: { identity: AccountIdentity }) {
  const ending = useRequest(() => client.disconnectIdentity({ id }), {
    stale: [identitiesQuery.queryKey],
    done: singleSignOnStrings.disconnectedDone({ name }),
    isLoud: true,
  });
  return (
    <Group justify="space-between" maw={480}>
      <div>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Hint>
          {email} {singleSignOnStrings.lastUsed} <Moment at={usedDate} />
        </Hint>
      </div>
      <IconAction
        icon={Unlink}
        label={singleSignOnStrings.disconnect({ name })}
        loading={ending.isPending}
        onClick={() => ending.mutate()}
      />
    </Group>
  );
}

function ConnectButton({ slug, name }: { slug: string; name: string }) {
  const going = useRequest(() => goTo(client.startConnecting({ slug }), { purpose: "connect" }), { isLoud: true });
  return (
    <Action label={singleSignOnStrings.connect({ name })} loading={going.isPending} onClick={() => going.mutate()} />
  );
}
