// `./weft templates`: writes the positions of the steps of all templates, from the sizes of the builder's cards.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { NodeType } from "@weft/client";
import { formSchemaOf } from "@weft/engine";
import { nodeRegistry } from "@weft/nodes";
import type { FlowDocument } from "@weft/schema";
import { layoutFlow } from "../packages/builder/src/canvas/model/box.ts";
import { toModel } from "../packages/builder/src/canvas/model/flow-model.ts";
import { createNodeCatalogue } from "../packages/builder/src/canvas/model/node-catalogue.ts";

export const templatesFolder = fileURLToPath(new URL("../templates/", import.meta.url));

/** The node types as the builder knows them. */
export const builderCatalogue = createNodeCatalogue(
  Object.values(nodeRegistry).map((node) => ({
    type: node.type,
    version: node.version,
    title: node.title,
    summary: node.summary,
    group: node.group,
    icon: node.icon,
    outline: [...node.outline],
    executes: node.executes,
    hasSubFlow: node.hasSubFlow,
    ports: [...node.portRules] as NodeType["ports"],
    config: formSchemaOf(node),
  })),
);

function layOut(path: string): void {
  const flow = JSON.parse(readFileSync(path, "utf8")) as FlowDocument;
  const positions = layoutFlow(toModel(flow), builderCatalogue);
  const nodes = flow.nodes.map((node) => ({ ...node, position: positions.get(node.id) ?? node.position }));
  writeFileSync(path, `${JSON.stringify({ ...flow, nodes }, null, 2)}\n`);
}

if (import.meta.main) {
  for (const path of globSync("*/*.flow.json", { cwd: templatesFolder })) layOut(`${templatesFolder}${path}`);
}
