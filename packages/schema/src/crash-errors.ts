/** The part of the catalogue about runs whose process ended under them; see `errorCatalogue`. */
export const crashErrors = {
  "flow-crashed": {
    status: 500,
    title: "Run abandoned",
    message:
      "The server stopped {count} times in a row during this run without completing another step, so the run was abandoned. Check the server's log for the cause.",
  },
  "flow-outcome-unknown": {
    status: 500,
    title: "Outcome unknown",
    message:
      "The server stopped while {name} was running, so it is unknown whether it took effect. Check the called service before you retry.",
  },
} as const;
