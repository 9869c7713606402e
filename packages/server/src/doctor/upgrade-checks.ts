import { storedUses } from "../credentials/fill-hosts.ts";
import { createCredentialUses } from "../credentials/host-binding.ts";
import { findClosedOverrides } from "../predictions/find-closed-overrides.ts";
import { createVariableValues } from "../variables/variable-values.ts";
import type { Check } from "./check.ts";

/** Agents whose clients lately sent overrides that change nothing now. */
export const overridesCheck: Check = {
  name: "overrides",
  async run({ read, now }) {
    return (await findClosedOverrides(read, now())).map(({ agentId: id, agentName: name, names }) => ({
      message: `Clients of the agent "${name}" (${id}) sent ${names.slice(0, 20).join(", ")} in the last 30 days, which its settings do not enable, so it is ignored. Enable it under Overrides in the agent's settings, or leave it closed.`,
      resource: { type: "agent", id, name },
    }));
  },
};

/** Credentials whose use leads where only a run can tell: calls to hosts that are not listed are refused. */
export const credentialHostsCheck: Check = {
  name: "credential-hosts",
  async run({ read, config, now }) {
    const variables = createVariableValues({
      list: () => read.selectFrom("variables").selectAll().orderBy("updatedDate", "desc").orderBy("id").execute(),
      clock: { now },
      environment: config.runtimeVariables,
      defaults: config.variables,
      know: () => undefined,
    });
    const uses = await storedUses(read, createCredentialUses({ variables, operator: config }));
    const credentials = await read.selectFrom("credentials").select(["id", "name", "hosts"]).orderBy("name").execute();
    return credentials.flatMap(({ id, name, hosts }) => {
      const unclear = uses.filter(({ credential, unreadable }) => credential === id && unreadable.length > 0);
      if (unclear.length === 0) return [];
      const listed = JSON.parse(hosts ?? "[]") as string[];
      const places = unclear.map(({ place, unreadable }) => `${place}: ${unreadable.join(", ")}`);
      return [
        {
          message: `Only a run can tell where the credential "${name}" (${id}) is sent by ${places.slice(0, 10).join("; ")}. It may be sent to ${listed.join(", ") || "its vendor's hosts alone"}; any other host is refused. Add the intended hosts to the credential.`,
          resource: { type: "credential", id, name },
        },
      ];
    });
  },
};

/** Webhooks that take the older signature, which a captured request can repeat. */
export const webhooksCheck: Check = {
  name: "webhooks",
  async run({ read }) {
    const agents = await read
      .selectFrom("agents")
      .select(["id", "name", "flowData"])
      .where("flowData", "like", "%acceptsOlderSignature%")
      .orderBy("name")
      .orderBy("id")
      .execute();
    return agents
      .filter(({ flowData }) => /"acceptsOlderSignature"\s*:\s*true/.test(flowData))
      .map(({ id, name }) => ({
        message: `The webhook of the agent "${name}" (${id}) also takes X-Webhook-Signature, with which a captured request runs again. Switch "Accept X-Webhook-Signature, too" off in its start step when its callers sign as Standard Webhooks describes.`,
        resource: { type: "agent", id, name },
      }));
  },
};
