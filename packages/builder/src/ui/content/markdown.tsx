import { Anchor } from "@mantine/core";
import { createContext, memo, type ReactNode, useContext, useMemo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { CodeBlock } from "./code-block.tsx";
import classes from "./markdown.module.css";
import { linkCitations, numberOfLink, splitMarkdown } from "./markdown-blocks.ts";

type Props = {
  text: string;
  isGrowing?: boolean;
  /** Draws the citation of a number, for each number that the text may cite. Absent: citations stay text. */
  citations?: ReadonlyMap<number, ReactNode> | undefined;
};

const CitationsContext = createContext<Props["citations"]>(undefined);

/**
 * Untrusted Markdown: HTML is shown as text, links open in a new tab without a referrer, and images become links, since
 * fetching one would send its host whatever the author put into the address.
 */
export function Markdown({ text, isGrowing = false, citations }: Props) {
  const blocks = isGrowing ? splitMarkdown(text) : [text];
  return (
    <CitationsContext value={citations}>
      <div className={classes.markdown}>
        {blocks.map((block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks are added at the end and never change places.
          <Block key={index} text={block} />
        ))}
      </div>
    </CitationsContext>
  );
}

const Block = memo(function Block({ text }: { text: string }) {
  const citations = useContext(CitationsContext);
  const plugins = useMemo(() => [remarkGfm, ...(citations ? [() => linkCitations(citations)] : [])], [citations]);
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {text}
    </ReactMarkdown>
  );
});

const components: Components = {
  a: ({ href, children }) => <MarkdownLink href={href}>{children}</MarkdownLink>,
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

function MarkdownLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  const citation = useContext(CitationsContext)?.get(numberOfLink(href ?? ""));
  if (citation !== undefined) return citation;
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" inherit underline="always">
      {children}
    </Anchor>
  );
}

function languageOf(names: unknown): string {
  const name = Array.isArray(names) ? names.map(String).find((each) => each.startsWith("language-")) : undefined;
  return name?.slice("language-".length) ?? "";
}
