import { queryOptions } from "@tanstack/react-query";
import type { Credential } from "@weft/client";
import type { Finding, VoiceServiceName } from "@weft/schema";
import { client, isApiError } from "./client.ts";

export const credentialKeys = { all: ["credentials"] as const };

export const credentialsQuery = queryOptions({
  queryKey: credentialKeys.all,
  queryFn: ({ signal }) => client.listCredentials({}, { signal }),
});

/** Kinds of credentials with their fields; they change with the server's version only. */
export const credentialTypesQuery = queryOptions({
  queryKey: ["credential-types"],
  queryFn: ({ signal }) => client.listCredentialTypes({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Allows a credential to be sent where a finding says. */
export function allowDestination({ credential: id, destination }: Question): Promise<Credential> {
  return client.allowDestination({ id }, { destination });
}

/** What a finding asks: whether a credential may be sent to a destination. */
export type Question = NonNullable<Finding["bind"]>;

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

/** Voices that a service reads aloud in. `credentialId` empty: the server's own key. */
export const voicesQuery = (provider: VoiceServiceName, credentialId: string) =>
  queryOptions({
    queryKey: ["voices", provider, credentialId],
    queryFn: ({ signal }) => client.listVoices({ provider, credentialId }, { signal }),
    // The vendor is asked: not each time that the window comes to the front.
    staleTime: 60_000,
    retry: false,
  });

/** What model calls cost. */
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
 * The state of the installation. Refetched while the page is in front; a failure is shown at once, and the next refetch
 * follows all the same. Not where the server refuses it, nor before it ever answered.
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

/** Whether the server refuses it to who is signed in. */
export function isForbidden(error: unknown): boolean {
  return isApiError(error) && error.status === forbidden;
}
