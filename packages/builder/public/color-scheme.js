// Before the first paint, so that a page in the dark does not flash white. Mantine reads and writes the same key.
(() => {
  const chosen = localStorage.getItem("mantine-color-scheme-value");
  const isDark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", isDark ? "dark" : "light");
})();
