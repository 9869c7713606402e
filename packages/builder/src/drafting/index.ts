export { DescribeForm } from "./describe-form.tsx";
export { useDrafting } from "./use-drafting.ts";
