import { nodeRegistry } from "@weft/nodes";
import {
  createCredentialUses,
  findUnconfirmedDestinations,
  findUnreadableAddresses,
  type StoredUsesDeps,
} from "../credentials/index.ts";
import { createStoredReferences } from "../references/index.ts";
import { createVariableValues } from "../variables/variable-values.ts";
import type { Check, CheckDeps } from "./space-check.ts";

/** Credentials whose destination only a run can resolve: calls to hosts that are not listed are refused. */
export const credentialHostsCheck: Check = {
  name: "credential-hosts",
  async run(deps) {
    const found = await findUnreadableAddresses(deps.read, usesHere(deps));
    return found.map(({ id, name, hosts, places }) => ({
      message: `Only a run can tell where the credential "${name}" (${id}) is sent by ${places.slice(0, 10).join("; ")}. It may be sent to ${hosts.join(", ") || "its vendor's hosts alone"}; any other host is refused. Add the intended hosts to the credential.`,
      resource: { type: "credential", id, name },
    }));
  },
};

/** Destinations that predate approval. */
export const destinationsCheck: Check = {
  name: "credential-destinations",
  async run(deps) {
    const found = await findUnconfirmedDestinations(deps.read, usesHere(deps));
    return found.map(({ id, name, destinations }) => ({
      message: `The credential "${name}" (${id}) may be sent to ${destinations
        .slice(0, 10)
        .map(({ destination, places }) => `${destination} (${places.slice(0, 5).join(", ") || "used by nothing"})`)
        .join("; ")}, since before destinations had to be allowed. Remove under Credentials those that are not meant.`,
      resource: { type: "credential", id, name },
    }));
  },
};

function usesHere({ read, config, now }: CheckDeps): StoredUsesDeps {
  const variables = createVariableValues({
    list: () => read.selectFrom("variables").selectAll().orderBy("updatedDate", "desc").orderBy("id").execute(),
    clock: { now },
    environment: config.runtimeVariables,
    defaults: config.variables,
    know: () => undefined,
  });
  return {
    uses: createCredentialUses(variables, config),
    references: createStoredReferences(nodeRegistry),
  };
}
