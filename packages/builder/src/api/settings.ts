import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Credential } from "@weft/client";
import type { Finding, VoiceServiceName } from "@weft/schema";
import { client, isApiError } from "./client.ts";

export const credentialKeys = { all: ["credentials"] as const };

export const credentialsQuery = queryOptions({
  queryKey: credentialKeys.all,
  queryFn: ({ signal }) => client.listCredentials({}, { signal }),
});

/** Credential types with their fields; they change only with the server's version. */
export const credentialTypesQuery = queryOptions({
  queryKey: ["credential-types"],
  queryFn: ({ signal }) => client.listCredentialTypes({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Allows a credential to be sent to a finding's destination. */
export function allowDestination({ credential: id, destination }: Question): Promise<Credential> {
  return client.allowDestination({ id }, { destination });
}

/** A finding's question: whether a credential may be sent to a destination. */
export type Question = NonNullable<Finding["bind"]>;

/** Whether visitors may use public agents. */
export const publicAccessQuery = queryOptions({
  queryKey: ["public-access"],
  queryFn: ({ signal }) => client.getPublicAccess({ signal }),
});

export const modelKeys = { providers: ["model-providers"], default: ["default-model"] } as const;

/** The model used when a flow specifies none. */
export const defaultModelQuery = queryOptions({
  queryKey: modelKeys.default,
  queryFn: ({ signal }) => client.getDefaultModel({ signal }),
});

export const modelProvidersQuery = queryOptions({
  queryKey: modelKeys.providers,
  queryFn: ({ signal }) => client.listModelProviders({ signal }),
});

/** Voices of a text-to-speech service. `credentialId` empty: the server's own key. */
export const voicesQuery = (provider: VoiceServiceName, credentialId: string) =>
  queryOptions({
    queryKey: ["voices", provider, credentialId],
    queryFn: ({ signal }) => client.listVoices({ provider, credentialId }, { signal }),
    // This calls the vendor: not every time the window regains focus.
    staleTime: 60_000,
    retry: false,
  });

export const pricesQuery = queryOptions({
  queryKey: ["prices"],
  queryFn: ({ signal }) => client.getPrices({ signal }),
});

export const variableKeys = { all: ["variables"] as const };

export const variablesQuery = queryOptions({
  queryKey: variableKeys.all,
  queryFn: ({ signal }) => client.listVariables({ signal }),
});

export const apiKeyKeys = { all: ["api-keys"] as const };

export const apiKeysQuery = queryOptions({
  queryKey: apiKeyKeys.all,
  queryFn: ({ signal }) => client.listApiKeys({ signal }),
});

export const systemKeys = { all: ["system"] as const };

const systemRefreshMs = 5_000;

/**
 * The state of the installation. Refetched while the page is visible; a failure is shown at once, and refetching
 * continues. Not refetched if the server forbids it, nor before its first response.
 */
export const systemQuery = queryOptions({
  queryKey: systemKeys.all,
  queryFn: ({ signal }) => client.getSystem({ signal }),
  staleTime: 0,
  retry: false,
  refetchInterval: ({ state: { data, error } }) =>
    (data === undefined && error !== null) || isForbidden(error) ? false : systemRefreshMs,
});

const forbidden = 403;

/** Whether the server forbids it to the signed-in user. */
export function isForbidden(error: unknown): boolean {
  return isApiError(error) && error.status === forbidden;
}

/** Who is signed in, and what they may do. */
export const callerQuery = queryOptions({
  queryKey: ["caller"],
  queryFn: ({ signal }) => client.getCaller({ signal }),
  staleTime: 60_000,
});

const namedAlone = /^(chats|privacy|people|settings):/;

/** Whether someone with these permissions has another one: `*` covers all but those over other people. */
export function holds(permissions: readonly string[], wanted: string): boolean {
  return permissions.includes(wanted) || (permissions.includes("*") && !namedAlone.test(wanted));
}

/** What the signed-in person may do. While that is not known, everything: the server decides in any case. */
export function useMay(): (permission: string) => boolean {
  const { data } = useQuery(callerQuery);
  return (permission) => data === undefined || holds(data.permissions, permission);
}

export const peopleKeys = { accounts: ["accounts"], links: ["invitations"] } as const;

export const accountsQuery = queryOptions({
  queryKey: peopleKeys.accounts,
  queryFn: ({ signal }) => client.listAccounts({ signal }),
});

/** Invitations and links for new passwords that nobody has used. */
export const linksQuery = queryOptions({
  queryKey: peopleKeys.links,
  queryFn: ({ signal }) => client.listInvitations({ signal }),
});
