import { Anchor } from "@mantine/core";
import { memo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { CodeBlock } from "./code-block.tsx";
import classes from "./markdown.module.css";
import { splitMarkdown } from "./markdown-blocks.ts";

type Props = { text: string; isGrowing?: boolean };

/**
 * Untrusted Markdown: HTML is shown as text, links open in a new tab without a referrer, and images become links, since
 * fetching one would send its host whatever the author put into the address.
 */
export function Markdown({ text, isGrowing = false }: Props) {
  const blocks = isGrowing ? splitMarkdown(text) : [text];
  return (
    <div className={classes.markdown}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are added at the end and never change places.
        <Block key={index} text={block} />
      ))}
    </div>
  );
}

const plugins = [remarkGfm];

const Block = memo(function Block({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {text}
    </ReactMarkdown>
  );
});

const components: Components = {
  a: ({ href, children }) => (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" inherit underline="always">
      {children}
    </Anchor>
  ),
  img: ({ src, alt }) => (
    <Anchor href={typeof src === "string" ? src : undefined} target="_blank" rel="noopener noreferrer" inherit>
      {alt || src}
    </Anchor>
  ),
  pre: ({ node }) => {
    const [code] = node?.children ?? [];
    if (code?.type !== "element") return null;
    const text = code.children.map((child) => (child.type === "text" ? child.value : "")).join("");
    return <CodeBlock text={text.replace(/\n$/, "")} language={languageOf(code.properties.className)} />;
  },
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than the chat is scrolled by keyboard, too.
    <div className={classes.table} tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
};

function languageOf(names: unknown): string {
  const name = Array.isArray(names) ? names.map(String).find((each) => each.startsWith("language-")) : undefined;
  return name?.slice("language-".length) ?? "";
}
