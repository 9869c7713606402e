import type { BrowserContext, Page } from "playwright-core";

const answers = (page: Page) => page.getByRole("article", { name: "Agent" });
export const lastAnswer = (page: Page) => answers(page).last();

/** Sends a message once the chat takes one, and waits until its answer begins. */
export async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole("button", { name: "Send message" }).waitFor();
  const count = await answers(page).count();
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
  await answers(page).nth(count).waitFor();
}

/** Waits until the last answer is in this state. */
export const answerIn = (page: Page, state: string) =>
  lastAnswer(page)
    .and(page.locator(`[data-state=${state}]`))
    .waitFor();
export const answerText = (page: Page) => lastAnswer(page).getByTestId("answer-text");
/** Waits until the last answer is this text. */
export const said = (page: Page, text: string) => answerText(page).getByText(text, { exact: true }).waitFor();

/** A browser that fails the test when the page does. */
export async function openPage(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  page.on("pageerror", (error) => {
    throw error;
  });
  await page.goto(path);
  return page;
}
