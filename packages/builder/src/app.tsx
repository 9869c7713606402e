import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/client.ts";
import { router } from "./router.tsx";
import { onSessionChange } from "./session/session.ts";
import { cssVariables, theme } from "./theme.ts";

/** Renders the page of the current address. Call once. */
export function renderApp(): void {
  // Clears one account's cached data before the next signs in; the router then redirects to a permitted page.
  onSessionChange(() => {
    queryClient.clear();
    void router.invalidate();
  });
  const root = document.getElementById("root");
  if (root === null) throw new Error("index.html has no #root.");
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <Notifications position="bottom-right" />
        <QueryClientProvider client={queryClient}>
          {/* What shows that a page is loading makes way for the page as soon as there is one. */}
          <RouterProvider router={router} defaultPendingMinMs={0} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
