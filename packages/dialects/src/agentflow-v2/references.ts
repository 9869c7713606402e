import { parsePath, templateRoots, toLiteral } from "@weft/engine/template";

export type ReferenceTarget = {
  /** Native id of the node. */
  id: string;
  /** Where native output holds what a foreign flow reads as `output.<path>`. */
  toOutputPath(path: readonly string[]): readonly string[];
};

export type ReferenceOptions = {
  /** Nodes by the id that texts use. */
  nodes: ReadonlyMap<string, ReferenceTarget>;
  /** Told of each reference that means nothing. */
  onUnknown(source: string): void;
  /** Whether `{{ output }}` is the node's own result, as in its state updates. Default false. */
  ownOutput?: boolean;
};

/**
 * Rewrites the `{{ … }}` of a text for native nodes. A reference to nothing stays text, as it was for models,
 * where native templates would put nothing in its place.
 */
export function rewriteReferences(text: string, { nodes, onUnknown, ownOutput }: ReferenceOptions): string {
  return text.replaceAll(/\{\{([^{}]*)\}\}/g, (source, inner: string) => {
    const key = inner.trim();
    const [first = ""] = key.split(/[.[]/, 1);
    const rest = parseRest(key.slice(first.length));
    if (rest === undefined) return source;
    if (roots.has(first) || (first === "output" && ownOutput)) return toReference([first, ...rest]);
    const target = nodes.get(first);
    if (target) return toReference([target.id, ...toNativePath(target, rest)]);
    if (parsePath(key) === undefined) return source;
    onUnknown(source);
    return toLiteral(source);
  });
}

const roots: ReadonlySet<string> = new Set(templateRoots);

/** Names behind the first: `.a[0]["b"]` → `a`, `0`, `b`. Undefined when that is no path. */
function parseRest(rest: string): string[] | undefined {
  const dotted = rest.replaceAll(/\[(?:"([^"\]]*)"|'([^'\]]*)')\]/g, (_, double, single) => `.${double ?? single}`);
  return parsePath(`root${dotted}`)?.slice(1);
}

function toNativePath(target: ReferenceTarget, [head, ...path]: string[]): string[] {
  if (head === undefined) return [];
  return head === "output" ? ["output", ...target.toOutputPath(path)] : [head, ...path];
}

function toReference(path: readonly string[]): string {
  return `{{ ${path.join(".")} }}`;
}
