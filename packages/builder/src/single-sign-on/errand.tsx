import { Divider, Stack } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { SignInStart } from "@weft/client";
import { client } from "../api/client.ts";
import { sessionStrings, singleSignOnStrings } from "../strings.ts";
import { Action } from "../ui/controls/actions.tsx";
import { useRequest } from "../ui/page/requests.ts";

/**
 * Why the browser goes to a provider, kept in this tab until it is back. `from`: the path to go on to, of this
 * application: it never leaves the browser.
 */
export type Errand = { purpose: "sign-in" | "connect" | "trial"; from?: string | undefined };

const key = "weft.errand";

/** Goes to a provider. Rejects if the server could not begin. */
export async function goTo(starting: Promise<SignInStart>, errand: Errand): Promise<void> {
  const { url } = await starting;
  sessionStorage.setItem(key, JSON.stringify(errand));
  location.assign(url);
}

/** What the browser went for; a sign-in where this tab does not know. */
export function readErrand(): Errand {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "") as Errand;
  } catch {
    return { purpose: "sign-in" };
  }
}

/** Where people can sign in besides with a password. */
export const signInOptionsQuery = queryOptions({
  queryKey: ["sign-in-options"],
  queryFn: ({ signal }) => client.getSignInOptions({ signal }),
});

/** A button for each provider; nothing where there are none. */
export function ProviderButtons({ from }: { from?: string | undefined }) {
  const { data } = useQuery(signInOptionsQuery);
  if (data === undefined || data.providers.length === 0) return null;
  return (
    <>
      <Divider my="lg" label={sessionStrings.or} />
      <Stack gap="xs">
        {data.providers.map(({ slug, name }) => (
          <ProviderButton key={slug} slug={slug} name={name} from={from} />
        ))}
      </Stack>
    </>
  );
}

function ProviderButton({ slug, name, from }: { slug: string; name: string; from: string | undefined }) {
  const going = useRequest(() => goTo(client.startSignIn({ slug }), { purpose: "sign-in", from }), { isLoud: true });
  return (
    <Action
      label={singleSignOnStrings.continueWith({ name })}
      size="md"
      fullWidth
      variant="default"
      loading={going.isPending}
      onClick={() => going.mutate()}
    />
  );
}
