import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { getToken, queryClient } from "./api/client.ts";
import { executionsQuery } from "./api/executions.ts";
import { NotFound, PageError, PagePending, RootLayout } from "./app-shell/root-layout.tsx";
import { AgentEditorPage } from "./pages/agent-editor/index.ts";
import {
  ChunksPage,
  DocumentStorePage,
  DocumentStoresPage,
  LoaderPage,
  NewLoaderPage,
  readStoreSearch,
} from "./pages/document-stores/index.ts";
import { ExecutionPage, ExecutionsPage, readExecutionsSearch, toExecutionQuery } from "./pages/executions/index.ts";
import { readMessagesSearch } from "./pages/messages/messages-search.ts";

/** Where one may be without being signed in; these pages stand alone, without navigation. */
const openPaths = ["/sign-in", "/setup"];

const root = createRootRoute({
  component: RootLayout,
  notFoundComponent: NotFound,
  beforeLoad({ location }) {
    if (getToken() !== undefined || openPaths.includes(location.pathname)) return;
    throw redirect({ to: "/sign-in", search: location.href === "/" ? {} : { from: location.href } });
  },
});

const getParentRoute = () => root;

type NewAgentSearch = { blank?: true };
type EditorSearch = { chat?: true; step?: string };

/** Which kind of loader is added. */
type LoaderSearch = { type?: string };

/** The document store that a new assistant searches. */
type NewAssistantSearch = { store?: string };

/** Which page of a loader's chunks is shown first. */
type ChunksSearch = { page?: number };

type SignInSearch = { from?: string };

// Each page is loaded when it is opened. To add one: its route here, its entry in app-shell/root-layout.tsx.
const routes = [
  createRoute({
    getParentRoute,
    path: "/",
    component: lazyRouteComponent(() => import("./pages/home/home-page.tsx"), "HomePage"),
  }),
  createRoute({
    getParentRoute,
    path: "/sign-in",
    validateSearch: ({ from }: Record<string, unknown>): SignInSearch => (typeof from === "string" ? { from } : {}),
    component: lazyRouteComponent(() => import("./session/sign-in-pages.tsx"), "SignInPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/setup",
    component: lazyRouteComponent(() => import("./session/sign-in-pages.tsx"), "SetUpPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/welcome",
    component: lazyRouteComponent(() => import("./session/sign-in-pages.tsx"), "WelcomePage"),
  }),
  createRoute({
    getParentRoute,
    path: "/agents",
    component: lazyRouteComponent(() => import("./pages/agents/agents-page.tsx"), "AgentsPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/new",
    // `blank` opens the dialog for an agent without steps.
    validateSearch: ({ blank }: Record<string, unknown>): NewAgentSearch => (blank === true ? { blank } : {}),
    component: lazyRouteComponent(() => import("./pages/new-agent/new-agent-page.tsx"), "NewAgentPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/agents/import",
    component: lazyRouteComponent(() => import("./pages/import-agent/import-page.tsx"), "ImportPage"),
    staticData: { fillsScreen: true },
  }),
  createRoute({
    getParentRoute,
    path: "/agents/$agentId",
    // `chat` opens the chat beside the canvas; `step` selects a step by its id.
    validateSearch: ({ chat, step }: Record<string, unknown>): EditorSearch => ({
      ...(chat === true && { chat }),
      ...(typeof step === "string" && { step }),
    }),
    component: AgentEditorPage,
    staticData: { fillsScreen: true },
  }),
  createRoute({
    getParentRoute,
    path: "/agents/$agentId/chat",
    component: lazyRouteComponent(() => import("./pages/agent-chat/agent-chat-page.tsx"), "AgentChatPage"),
    staticData: { fillsScreen: true },
  }),
  createRoute({
    getParentRoute,
    path: "/executions",
    validateSearch: readExecutionsSearch,
    loaderDeps: ({ search }) => search,
    // The page's code and its data come at the same time.
    loader: ({ deps }) => void queryClient.prefetchQuery(executionsQuery(toExecutionQuery(deps))),
    component: ExecutionsPage,
  }),
  createRoute({
    getParentRoute,
    path: "/executions/$executionId",
    component: ExecutionPage,
  }),
  createRoute({
    getParentRoute,
    path: "/inbox",
    component: lazyRouteComponent(() => import("./pages/inbox/inbox-page.tsx"), "InboxPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/tools",
    component: lazyRouteComponent(() => import("./pages/tools/tools-page.tsx"), "ToolsPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/tools/new",
    component: lazyRouteComponent(() => import("./pages/tools/tool-page.tsx"), "NewToolPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/tools/$toolId",
    component: lazyRouteComponent(() => import("./pages/tools/tool-page.tsx"), "ToolPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/agents/$agentId/api",
    component: lazyRouteComponent(() => import("./pages/agent-api/agent-api-page.tsx"), "AgentApiPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/agents/$agentId/settings",
    component: lazyRouteComponent(() => import("./pages/agent-settings/agent-settings-page.tsx"), "AgentSettingsPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/agents/$agentId/messages",
    validateSearch: readMessagesSearch,
    component: lazyRouteComponent(() => import("./pages/messages/messages-page.tsx"), "MessagesPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/document-stores",
    component: DocumentStoresPage,
  }),
  createRoute({
    getParentRoute,
    path: "/document-stores/$storeId",
    validateSearch: readStoreSearch,
    component: DocumentStorePage,
  }),
  createRoute({
    getParentRoute,
    path: "/document-stores/$storeId/loaders/new",
    validateSearch: ({ type }: Record<string, unknown>): LoaderSearch => (typeof type === "string" ? { type } : {}),
    component: NewLoaderPage,
  }),
  createRoute({
    getParentRoute,
    path: "/document-stores/$storeId/loaders/$loaderId",
    component: LoaderPage,
  }),
  createRoute({
    getParentRoute,
    path: "/document-stores/$storeId/loaders/$loaderId/chunks",
    validateSearch: ({ page }: Record<string, unknown>): ChunksSearch =>
      Number.isSafeInteger(page) && Number(page) > 0 ? { page: Number(page) } : {},
    component: ChunksPage,
  }),
  createRoute({
    getParentRoute,
    path: "/assistants",
    component: lazyRouteComponent(() => import("./pages/assistants/assistants-page.tsx"), "AssistantsPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/assistants/new",
    validateSearch: ({ store }: Record<string, unknown>): NewAssistantSearch =>
      typeof store === "string" ? { store } : {},
    component: lazyRouteComponent(() => import("./pages/assistants/assistant-page.tsx"), "NewAssistantPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/assistants/$assistantId",
    component: lazyRouteComponent(() => import("./pages/assistants/assistant-page.tsx"), "AssistantPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/variables",
    component: lazyRouteComponent(() => import("./pages/settings/variables-page.tsx"), "VariablesPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/credentials",
    component: lazyRouteComponent(() => import("./pages/settings/credentials-page.tsx"), "CredentialsPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/api-keys",
    component: lazyRouteComponent(() => import("./pages/api-keys/api-keys-page.tsx"), "ApiKeysPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/models",
    component: lazyRouteComponent(() => import("./pages/settings/models-page.tsx"), "ModelsPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/prices",
    component: lazyRouteComponent(() => import("./pages/prices/prices-page.tsx"), "PricesPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/system",
    component: lazyRouteComponent(() => import("./pages/system/system-page.tsx"), "SystemPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/settings",
    component: lazyRouteComponent(() => import("./pages/settings/settings-page.tsx"), "SettingsPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/settings/flowise",
    component: lazyRouteComponent(() => import("./pages/flowise-move/flowise-move-page.tsx"), "FlowiseMovePage"),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPreload: "intent",
  defaultErrorComponent: PageError,
  defaultPendingComponent: PagePending,
  defaultPendingMs: 150,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** The page takes the whole screen beside a narrow navigation, and scrolls by itself. */
    fillsScreen?: boolean;
  }
}
