import type { NodeType, TemplateSummary } from "@weft/client";
import { newAgentStrings } from "./strings.ts";

const [width, height, margin] = [248, 64, 40];

/** A flow drawn small, in the colours of its node families. What is inside an iteration is left out. */
export function GraphPicture({ graph, types }: Pick<TemplateSummary, "graph"> & { types: readonly NodeType[] }) {
  const nodes = graph.nodes.filter(({ parent }) => parent === undefined);
  const places = new Map(nodes.map(({ id, position }) => [id, position]));
  const left = Math.min(...nodes.map(({ position }) => position.x)) - margin;
  const top = Math.min(...nodes.map(({ position }) => position.y)) - margin;
  const right = Math.max(...nodes.map(({ position }) => position.x)) + width + margin;
  const bottom = Math.max(...nodes.map(({ position }) => position.y)) + height + margin;
  const groupOf = (type: string) => types.find((one) => one.type === type)?.group ?? "logic";
  return (
    <svg
      viewBox={`${left} ${top} ${right - left} ${bottom - top}`}
      width="100%"
      height={96}
      role="img"
      aria-label={newAgentStrings.picture(graph.nodes.length - 1)}
    >
      {graph.edges.map(({ source, sourcePort, target }) => {
        const [from, to] = [places.get(source), places.get(target)];
        if (!from || !to) return null;
        const [x1, y1, x2, y2] = [from.x + width, from.y + height / 2, to.x, to.y + height / 2];
        const path = `M${x1} ${y1}C${x1 + 60} ${y1} ${x2 - 60} ${y2} ${x2} ${y2}`;
        return (
          <path
            key={`${source} ${sourcePort} ${target}`}
            d={path}
            fill="none"
            strokeWidth={8}
            stroke="var(--weft-border-strong)"
          />
        );
      })}
      {nodes.map(({ id, type, position }) => (
        <rect
          key={id}
          {...position}
          width={width}
          height={height}
          rx={16}
          fill={`var(--weft-family-${groupOf(type)})`}
        />
      ))}
    </svg>
  );
}
