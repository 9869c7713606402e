import react from "@vitejs/plugin-react";
import { defineConfig, type HtmlTagDescriptor, type Plugin } from "vite";

/** Where `vite dev` finds a running server for everything that is not the builder's own. */
const server = process.env.WEFT_SERVER ?? "http://127.0.0.1:3000";
const proxied = ["/api", "/v1", "/docs", "/openapi.json", "/event-api.yaml", "/livez", "/readyz"];

/**
 * What every page needs is in `framework` and `interface`, so that a change of ours leaves them in the browser's cache.
 * The rest is loaded by the pages that use it.
 */
const sharedChunks = [
  { name: "framework", test: /node_modules[\\/](react|react-dom|scheduler|@tanstack)[\\/]/, priority: 2 },
  { name: "code-editor", test: /node_modules[\\/](@codemirror|@lezer|style-mod|crelt|w3c-keyname)[\\/]/, priority: 2 },
  { name: "canvas-library", test: /node_modules[\\/](@xyflow|@dagrejs|d3-[a-z]+)[\\/]/, priority: 2 },
  {
    name: "markdown",
    test: /node_modules[\\/](react-markdown|remark-[a-z]+|rehype-[a-z]+|micromark[^\\/]*|mdast-[^\\/]+|hast-[^\\/]+|unified|vfile[^\\/]*)[\\/]/,
    priority: 2,
  },
  // Runs before the texts are read, which a chunk with both would not wait for. So does what it loads them with.
  { name: "language", test: /packages[\\/]builder[\\/]src[\\/]languages[\\/]|vite[\\/]preload-helper/, priority: 3 },
  // Data, so that a change of code leaves it in the cache, and the reverse.
  { name: "english", test: /packages[\\/]builder[\\/]messages[\\/]en\.json/, priority: 3 },
  // Modules that about half of the pages share. A higher count means more requests for a page, a lower one more bytes.
  { name: "interface", minShareCount: 18, priority: 1 },
];

/** The font that every page begins with, so that the browser need not read the styles to ask for it. */
const firstFont = /inter-latin-wght-normal-[\w-]+\.woff2$/;

const preloadFont: Plugin = {
  name: "preload-font",
  transformIndexHtml(_html, { bundle = {} }) {
    const attrs = { rel: "preload", as: "font", type: "font/woff2", crossorigin: true };
    const fonts = Object.keys(bundle).filter((file) => firstFont.test(file));
    return fonts.map((file) => ({ tag: "link", attrs: { ...attrs, href: `/${file}` }, injectTo: "head" }));
  },
};

/** What main.tsx imports as soon as it has chosen a language: the browser need not run main.tsx to ask for it. */
const application = /packages[\\/]builder[\\/]src[\\/]app\.tsx$/;

const preloadApplication: Plugin = {
  name: "preload-application",
  transformIndexHtml(html, { bundle = {} }) {
    const chunks = new Map(
      Object.values(bundle).flatMap((file) => (file.type === "chunk" ? [[file.fileName, file]] : [])),
    );
    const needed = new Set<string>();
    const visit = (fileName: string) => {
      if (needed.has(fileName)) return;
      needed.add(fileName);
      for (const imported of chunks.get(fileName)?.imports ?? []) visit(imported);
    };
    for (const { fileName, facadeModuleId } of chunks.values()) {
      if (application.test(facadeModuleId ?? "")) visit(fileName);
    }
    const preloads = [...needed].filter((fileName) => !html.includes(fileName));
    const styles = preloads.flatMap((fileName) => [...(chunks.get(fileName)?.viteMetadata?.importedCss ?? [])]);
    return [
      ...preloads.map((file) => toLink({ rel: "modulepreload", crossorigin: true, href: `/${file}` })),
      ...styles.map((file) => toLink({ rel: "stylesheet", crossorigin: true, href: `/${file}` })),
    ];
  },
};

function toLink(attrs: Record<string, string | boolean>): HtmlTagDescriptor {
  return { tag: "link", attrs, injectTo: "head" };
}

export default defineConfig({
  plugins: [react(), preloadFont, preloadApplication],
  server: { proxy: Object.fromEntries(proxied.map((path) => [path, { target: server }])) },
  build: {
    target: "es2023",
    // These know light-dark(), which could not be rewritten: the colour scheme is set elsewhere.
    cssTarget: ["chrome123", "edge123", "firefox120", "safari17.5"],
    manifest: true,
    // Nothing becomes a data: address, which the content security policy would have to allow for scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: sharedChunks } } },
  },
});
