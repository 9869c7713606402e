import { defineConfig } from "vite";

/** Two files whose names stay, because pages of other sites name them: what changes in them is found by their ETag. */
export default defineConfig({
  build: {
    target: "es2023",
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: { widget: "src/main.ts", "chat-page": "src/chat-page.ts" },
      // The page takes the client from widget.js, which stays one file.
      preserveEntrySignatures: "allow-extension",
      output: { entryFileNames: "[name].js" },
    },
  },
});
