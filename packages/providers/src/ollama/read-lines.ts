/** The lines of an answer as they come, empty ones left out. Leaving the loop ends the request. */
export async function* readLines(response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = text.split("\n");
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line.trim() !== "");
  }
  if (rest.trim() !== "") yield rest;
}
