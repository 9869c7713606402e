export { type Proposal, type ProposedItem, toProposal } from "./choose-changes.ts";
export { DescribeForm } from "./describe-form.tsx";
export { useDrafting } from "./use-drafting.ts";
