import { QueryClient } from "@tanstack/react-query";
import { WeftApiError } from "@weft/client";

const maxRetries = 2;

/** The cache of what the API answered. What the API refused is not asked again; what failed on the way is, twice. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < maxRetries && !isRefusal(error),
      throwOnError: false,
    },
  },
});

function isRefusal(error: unknown): boolean {
  return error instanceof WeftApiError && error.status < 500;
}
