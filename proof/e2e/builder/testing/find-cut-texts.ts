import type { Page } from "playwright-core";

/**
 * Texts of which a part is hidden without an ellipsis, texts that stick out of their button or tab, and what makes the page
 * wider than its window.
 */
export function findCutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scrolls = /auto|scroll/;
    const ownText = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== "");
    const isShown = (element: Element) =>
      element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && element.clientWidth > 1;
    const isCut = (element: Element) => {
      const { overflowX, textOverflow } = getComputedStyle(element);
      if (overflowX === "visible" || scrolls.test(overflowX) || textOverflow === "ellipsis") return false;
      return element.scrollWidth > element.clientWidth + 1;
    };
    const control = (element: Element) => element.closest("button, [role=tab], [role=radio], label");
    const sticksOut = (element: Element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const [text, box] = [range.getBoundingClientRect(), control(element)?.getBoundingClientRect()];
      return box !== undefined && (text.right > box.right + 1 || text.left < box.left - 1) && !isEllipsed(element);
    };
    const isEllipsed = (element: Element) => getComputedStyle(element).textOverflow === "ellipsis";
    const main = document.querySelector("main") ?? document.documentElement;
    const isWide = main.scrollWidth > main.clientWidth;
    const isTooWide = (element: Element) =>
      isWide && element.getBoundingClientRect().right > main.getBoundingClientRect().right + 1;
    return [...document.querySelectorAll("body *")]
      .filter((element) => isShown(element) && ownText(element) && element.closest("pre, code, .cm-editor") === null)
      .filter((element) => isCut(element) || sticksOut(element) || isTooWide(element))
      .map((element) => `${element.tagName.toLowerCase()}.${element.className}: ${element.textContent}`);
  });
}

/**
 * Draws each ideograph and kana as a letter W, which is as wide as one of them and may be followed by a line break: machines
 * without a font for them draw narrower boxes. For measuring only.
 */
export function widenIdeographs(page: Page): Promise<void> {
  return page.evaluate(() => {
    const wide = /[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]/gu;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode: node } = texts;
      node.nodeValue = (node.nodeValue ?? "").replaceAll(wide, "W\u200b");
    }
  });
}
