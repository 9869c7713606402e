import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type StaticDataRouteOption,
} from "@tanstack/react-router";
import { queryClient } from "./api/client.ts";
import { executionsQuery } from "./api/executions.ts";
import { NotFound, PageError, PagePending } from "./app-shell/page-states.tsx";
import { RootLayout } from "./app-shell/root-layout.tsx";
import { AgentEditorPage } from "./pages/agent-editor/index.ts";
import { readAuditSearch } from "./pages/audit/audit-search.ts";
import { readConversationsSearch } from "./pages/conversations/conversations-search.ts";
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
import { readPlaygroundSearch } from "./pages/playground/playground-search.ts";
import { endSession, sessionExpiry } from "./session/session.ts";

/** Where one may be without being signed in; these pages stand alone, without navigation. */
const openPaths = ["/sign-in", "/setup", "/join"];

/** Where providers lead back to: `/sign-in/<slug>`. */
const answerPath = /^\/sign-in\/[^/]+\/?$/;

const root = createRootRoute({
  component: RootLayout,
  notFoundComponent: NotFound,
  beforeLoad({ location }) {
    const isOpen = openPaths.includes(location.pathname) || answerPath.test(location.pathname);
    if (sessionExpiry() !== undefined || isOpen || endSession()) return;
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

/** A page that is opened by its path alone. */
const page = <const Path extends string, Module extends Record<string, unknown>>(
  path: Path,
  load: () => Promise<Module>,
  name: keyof Module & string,
  staticData: StaticDataRouteOption = {},
) => createRoute({ getParentRoute, path, component: lazyRouteComponent(load, name), staticData });

// Each page is loaded when it is opened. To add one: its route here, its entry in app-shell/root-layout.tsx.
const routes = [
  page("/", () => import("./pages/home/home-page.tsx"), "HomePage"),
  createRoute({
    getParentRoute,
    path: "/sign-in",
    validateSearch: ({ from }: Record<string, unknown>): SignInSearch => (typeof from === "string" ? { from } : {}),
    component: lazyRouteComponent(() => import("./session/sign-in-pages.tsx"), "SignInPage"),
  }),
  page("/sign-in/$slug", () => import("./single-sign-on/answered-page.tsx"), "AnsweredPage"),
  page("/setup", () => import("./session/sign-in-pages.tsx"), "SetUpPage"),
  page("/join", () => import("./pages/people/join-page.tsx"), "JoinPage"),
  page("/welcome", () => import("./session/sign-in-pages.tsx"), "WelcomePage"),
  page("/agents", () => import("./pages/agents/agents-page.tsx"), "AgentsPage"),
  createRoute({
    getParentRoute,
    path: "/new",
    // `blank` opens the dialog for an agent without steps.
    validateSearch: ({ blank }: Record<string, unknown>): NewAgentSearch => (blank === true ? { blank } : {}),
    component: lazyRouteComponent(() => import("./pages/new-agent/new-agent-page.tsx"), "NewAgentPage"),
  }),
  page("/agents/import", () => import("./pages/import-agent/import-page.tsx"), "ImportPage", { fillsScreen: true }),
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
  page("/agents/$agentId/chat", () => import("./pages/agent-chat/agent-chat-page.tsx"), "AgentChatPage", {
    fillsScreen: true,
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
    validateSearch: readExecutionsSearch,
    component: ExecutionPage,
  }),
  createRoute({
    getParentRoute,
    path: "/conversations",
    validateSearch: readConversationsSearch,
    component: lazyRouteComponent(() => import("./pages/conversations/conversations-page.tsx"), "ConversationsPage"),
  }),
  page("/inbox", () => import("./pages/inbox/inbox-page.tsx"), "InboxPage"),
  page("/tools", () => import("./pages/tools/tools-page.tsx"), "ToolsPage"),
  page("/tools/new", () => import("./pages/tools/tool-page.tsx"), "NewToolPage"),
  page("/tools/$toolId", () => import("./pages/tools/tool-page.tsx"), "ToolPage"),
  page("/agents/$agentId/api", () => import("./pages/agent-api/agent-api-page.tsx"), "AgentApiPage"),
  page(
    "/agents/$agentId/settings",
    () => import("./pages/agent-settings/agent-settings-page.tsx"),
    "AgentSettingsPage",
  ),
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
  page("/assistants", () => import("./pages/assistants/assistants-page.tsx"), "AssistantsPage"),
  createRoute({
    getParentRoute,
    path: "/assistants/new",
    validateSearch: ({ store }: Record<string, unknown>): NewAssistantSearch =>
      typeof store === "string" ? { store } : {},
    component: lazyRouteComponent(() => import("./pages/assistants/assistant-page.tsx"), "NewAssistantPage"),
  }),
  page("/assistants/$assistantId", () => import("./pages/assistants/assistant-page.tsx"), "AssistantPage"),
  page("/variables", () => import("./pages/settings/variables-page.tsx"), "VariablesPage"),
  page("/credentials", () => import("./pages/settings/credentials-page.tsx"), "CredentialsPage"),
  page("/api-keys", () => import("./pages/api-keys/api-keys-page.tsx"), "ApiKeysPage"),
  page("/models", () => import("./pages/settings/models-page.tsx"), "ModelsPage"),
  createRoute({
    getParentRoute,
    path: "/playground",
    validateSearch: readPlaygroundSearch,
    component: lazyRouteComponent(() => import("./pages/playground/playground-page.tsx"), "PlaygroundPage"),
  }),
  page("/prices", () => import("./pages/prices/prices-page.tsx"), "PricesPage"),
  page("/people", () => import("./pages/people/people-page.tsx"), "PeoplePage"),
  page("/system", () => import("./pages/system/system-page.tsx"), "SystemPage"),
  page("/settings", () => import("./pages/settings/settings-page.tsx"), "SettingsPage"),
  createRoute({
    getParentRoute,
    path: "/settings/audit",
    validateSearch: readAuditSearch,
    component: lazyRouteComponent(() => import("./pages/audit/audit-page.tsx"), "AuditPage"),
  }),
  page("/settings/sign-in", () => import("./single-sign-on/providers-page.tsx"), "ProvidersPage"),
  page("/settings/notices", () => import("./notices/channels-page.tsx"), "ChannelsPage"),
  page("/settings/flowise", () => import("./pages/flowise-move/flowise-move-page.tsx"), "FlowiseMovePage"),
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
