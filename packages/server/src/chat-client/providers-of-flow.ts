import type { CompiledFlow } from "@weft/engine";
import { type ChatProviderName, isChatProviderName } from "@weft/providers";
import { z } from "zod";

const nodeWithModel = z.object({ model: z.object({ provider: z.string().optional() }).default({}) });

/** The providers of the models that a flow's nodes ask, in the order of the nodes; `defaultProvider` where one names none. */
export function toProviders({ flow }: Pick<CompiledFlow, "flow">, defaultProvider: string): ChatProviderName[] {
  return flow.nodes
    .filter(({ type }) => type === "llm" || type === "agent")
    .map(({ config }) => nodeWithModel.safeParse(config).data?.model.provider || defaultProvider)
    .filter(isChatProviderName);
}
