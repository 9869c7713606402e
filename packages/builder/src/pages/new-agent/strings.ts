import type { TemplateSummary } from "@weft/client";
import { localized } from "../../languages/index.ts";

type Category = TemplateSummary["category"];

export const newAgentStrings = localized("newAgent", {
  title: "New agent",
  summary: "Start from a flow that works and change what you like, or bring your own.",
  blank: "Blank",
  blankText: "One model that answers. Add the steps yourself.",
  import: "Import",
  importText:
    "A file or pasted text: Weft, AgentFlow V2, classic chatflows, multi-agent flows, Microsoft Foundry, OpenAI Agent Builder.",
  templates: "Templates",
  search: "Search templates",
  category: "Category",
  all: "All",
  categories: {
    support: "Support",
    research: "Research",
    data: "Data",
    content: "Content",
    operations: "Operations",
  } satisfies Record<Category, string>,
  needs: "Needs",
  picture: (steps: number) => `Picture of a flow with ${steps} steps`,
  count: (count: number) => (count === 1 ? "1 template" : `${count} templates`),
  name: "Name",
  blankName: "Untitled agent",
  model: "Model for all steps",
  otherModel: "Change model",
  address: "Base address, without the path",
  later: "Leave empty what you do not have yet. The editor lists it.",
  submit: "Create and open",
});
