import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOllamaHost } from "./ollama-host.ts";

test("OLLAMA_HOST is read as Ollama reads it", () => {
  const cases: [string, string | undefined][] = [
    ["gpu.local", "http://gpu.local:11434"],
    ["gpu.local:8080", "http://gpu.local:8080"],
    ["gpu.local:80", "http://gpu.local"],
    ["http://gpu.local:11434/", "http://gpu.local:11434"],
    ["http://gpu.local", "http://gpu.local"],
    ["https://ollama.com", "https://ollama.com"],
    ["https://example.org/ollama/", "https://example.org/ollama"],
    ["0.0.0.0", "http://127.0.0.1:11434"],
    ["0.0.0.0:9000", "http://127.0.0.1:9000"],
    ["[::1]:11434", "http://[::1]:11434"],
    ["[::]", "http://127.0.0.1:11434"],
    ["http://", undefined],
    ["ftp://gpu.local", undefined],
    ["http://user:secret@gpu.local", undefined],
    ["gpu.local:port", undefined],
    ["gpu.local:11434/", undefined],
    ["gpu.local:70000", undefined],
  ];
  for (const [text, url] of cases) assert.equal(parseOllamaHost(text), url, text);
});
