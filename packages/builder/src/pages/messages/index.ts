import { lazyRouteComponent } from "@tanstack/react-router";

export const MessagesPage = lazyRouteComponent(() => import("./messages-page.tsx"), "MessagesPage");

export { readMessagesSearch } from "./messages-search.ts";
