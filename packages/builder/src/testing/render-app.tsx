import type { TestContext } from "node:test";
import { MantineProvider } from "@mantine/core";
import { Notifications, notifications } from "@mantine/notifications";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterContextProvider,
} from "@tanstack/react-router";
import { cleanup, render } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { theme } from "../theme.ts";

/** Renders a part of the builder inside of what every page has. It is gone when the test ends. */
export function renderApp(t: TestContext, ui: ReactNode): UserEvent {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false }, mutations: { gcTime: 0 } } });
  const root = createRootRoute();
  const anywhere = createRoute({ getParentRoute: () => root, path: "$" });
  const router = createRouter({ routeTree: root.addChildren([anywhere]), history: createMemoryHistory() });
  render(
    <MantineProvider env="test" theme={theme}>
      <Notifications />
      <QueryClientProvider client={queryClient}>
        <RouterContextProvider router={router}>{ui}</RouterContextProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  t.after(() => {
    cleanup();
    // They outlive what showed them.
    notifications.clean();
    queryClient.clear();
  });
  return userEvent.setup({ applyAccept: false });
}
