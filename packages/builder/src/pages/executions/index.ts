import { lazyRouteComponent } from "@tanstack/react-router";

export const ExecutionsPage = lazyRouteComponent(() => import("./executions-page.tsx"), "ExecutionsPage");
export const ExecutionPage = lazyRouteComponent(() => import("./execution-page.tsx"), "ExecutionPage");

export { readExecutionsSearch, toExecutionQuery } from "./executions-search.ts";
