import { queryOptions } from "@tanstack/react-query";
import type { Credential } from "@weft/client";
import type { Finding } from "@weft/schema";
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

const preconditionFailed = 412;

/** Adds a host to those a credential may be sent to, preserving concurrent changes by others. */
export async function bindHost({ credential: id, host }: NonNullable<Finding["bind"]>): Promise<Credential> {
  for (;;) {
    let ifMatch = "";
    const onResponse = (response: Response) => {
      ifMatch = response.headers.get("etag") ?? "";
    };
    const { hosts } = await client.getCredential({ id }, { onResponse });
    try {
      return await client.updateCredential({ id }, { hosts: [...hosts, host] }, ifMatch === "" ? {} : { ifMatch });
    } catch (error) {
      if (!isApiError(error) || error.status !== preconditionFailed) throw error;
    }
  }
}
