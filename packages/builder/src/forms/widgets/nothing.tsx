/** For what a form keeps and nobody edits, such as the id of a port. */
export function Nothing() {
  return null;
}
