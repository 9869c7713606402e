import { execFileSync } from "node:child_process";

/** The addresses of all modules that these modules load, in a process of its own, whether or not they run there. */
export function loadedModules(urls: readonly string[]): string[] {
  const program = `
    import { registerHooks } from "node:module";
    registerHooks({
      load(url, context, next) {
        console.log(url);
        return next(url, context);
      },
    });
    for (const url of ${JSON.stringify(urls)}) await import(url).catch(() => {});
    process.exit();`;
  return execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" })
    .trim()
    .split("\n");
}

/** Those of the schema and its library, which take 20 MB and a tenth of a second in each thread. */
export function ofSchema(modules: readonly string[]): string[] {
  return modules.filter((url) => /\/packages\/schema\/|\/node_modules\/zod\//.test(url));
}
