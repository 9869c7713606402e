/** The one model whose weights are in the package. */
export const embeddedModelName = "use-lite-en";
