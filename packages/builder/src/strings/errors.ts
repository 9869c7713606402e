export const errorStrings = {
  title: "That did not work",
  unreachable: "The server cannot be reached. Check that it runs and that you are online, then try again.",
  unknown: "Something unexpected happened in this page. Reload it, and report it if it happens again.",
  status: (status: number) => `The server answered with status ${status}. Its log says why.`,
  retry: "Try again",
  reload: "Reload the page",
  requestId: (id: string) => `Request ${id}`,
  pageTitle: "This page could not be shown",
  newVersion: "The builder was updated on the server. Reload to go on with the new version.",
  notFoundTitle: "There is no such page",
  notFoundText: "The address may be mistyped, or what it showed was deleted.",
  toAgents: "Go to the agents",
} as const;
