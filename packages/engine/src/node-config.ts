import { z } from "zod";
import { templated } from "./template/index.ts";

/** Retries and time limit that every executing node may declare. */
export const failurePolicySchema = z
  .object({
    retries: z.number().int().min(0).max(10).optional().meta({
      title: "Retries",
      help: "Retries of the whole step. Empty: none, but a model that is overloaded or cannot be reached is called up to three times.",
    }),
    retryDelayMs: z.number().int().min(0).max(600_000).default(1_000).meta({ title: "Delay before a retry (ms)" }),
    timeoutMs: z.number().int().min(1).max(900_000).optional().meta({ title: "Time limit (ms)" }),
  })
  .meta({ title: "On failure", advanced: true });
export type FailurePolicy = z.infer<typeof failurePolicySchema>;

/** State values that a node sets when it completes. Only here is `{{ output }}` the node's own output. */
export const stateUpdatesSchema = z
  .array(
    z.strictObject({
      key: z
        .string()
        .min(1)
        .max(200)
        .refine((key) => key !== "__proto__", "is not a name that a state can have")
        .meta({ title: "Name" }),
      value: z
        .string()
        .max(200_000)
        .default("")
        .meta({ title: "Value", help: "{{ output }} is what this step gives back.", ...templated }),
      how: z
        .enum(["replace", "append"])
        .default("replace")
        .meta({
          title: "How",
          help: "Appending makes a list: a value goes to its end, the entries of a list one by one.",
          labels: { replace: "Replace", append: "Append" },
        }),
    }),
  )
  .max(100)
  .meta({
    title: "Update state",
    help: "What later steps read as {{ $flow.state.name }}.",
    widget: "rows",
    item: "value",
    provides: "$flow.state",
    advanced: true,
  });
type StateUpdate = z.infer<typeof stateUpdatesSchema>[number];

/** Whether the user sees a node's text. Default `auto`. */
export const replySchema = z.enum(["auto", "always", "never"]).meta({
  title: "Show its text to the user",
  labels: {
    auto: "If it is the last step",
    always: "Always, as a message of its own",
    never: "Never",
  },
  advanced: true,
});
type Reply = z.infer<typeof replySchema>;

export type NodeConfig = {
  reply?: Reply | undefined;
  onFailure?: FailurePolicy | undefined;
  updateState?: StateUpdate[] | undefined;
} & Record<string, unknown>;
