import {
  Bot,
  Boxes,
  Calculator,
  Clock,
  Globe,
  type LucideIcon,
  Plug,
  Search,
  SquareFunction,
  Wrench,
} from "lucide-react";
import classes from "../form/form.module.css";

const icons: Readonly<Record<string, LucideIcon>> = {
  agent: Bot,
  calculator: Calculator,
  clock: Clock,
  function: SquareFunction,
  mcp: Plug,
  search: Search,
  request: Globe,
  toolkit: Boxes,
};

/** The picture of an integration, else that of its group. */
export function ToolIcon({ icon = "", group = "" }: { icon?: string | undefined; group?: string | undefined }) {
  const Icon = icons[icon] ?? icons[group] ?? Wrench;
  return (
    <span className={classes.icon}>
      <Icon size={15} strokeWidth={1.9} aria-hidden />
    </span>
  );
}
