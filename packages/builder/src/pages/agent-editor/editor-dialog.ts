/** What is open over the canvas because somebody asked for it. */
export type EditorDialog = "versions" | "import" | "help" | undefined;
