import { lazyRouteComponent } from "@tanstack/react-router";

export const AgentEditorPage = lazyRouteComponent(() => import("./agent-editor-page.tsx"), "AgentEditorPage");
