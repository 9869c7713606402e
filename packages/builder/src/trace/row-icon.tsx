import { Bot, CircleDot, Code, Globe, Layers, type LucideIcon, Search, Workflow, Wrench } from "lucide-react";
import type { TimelineSource } from "./timeline-tree.ts";

const icons: Record<string, LucideIcon> = {
  model: Bot,
  tool: Wrench,
  http: Globe,
  flow: Workflow,
  function: Code,
  retrieval: Search,
};

/** Tells at a glance what a row stands for. */
export function RowIcon({ source }: { source: TimelineSource }) {
  const Icon =
    source.type === "effect" ? (icons[source.effect.category] ?? Wrench) : source.type === "item" ? Layers : CircleDot;
  return <Icon size={14} aria-hidden />;
}
