import type { IconName } from "@weft/schema";
import type { LucideIcon } from "../icons/create-icon.ts";
import {
  BookOpen,
  Bot,
  CircleDot,
  CircleHelp,
  Clock,
  Code,
  Database,
  GitFork,
  Globe,
  MessageSquareText,
  Play,
  Repeat,
  Search,
  Signpost,
  Sparkles,
  Split,
  StickyNote,
  Undo2,
  UserRound,
  Workflow,
  Wrench,
  Zap,
} from "../icons/icons.gen.ts";
import classes from "./node-icon.module.css";

/** Pictures by the names that the catalogue uses, those of groups among them. */
const icons: Readonly<Record<string, LucideIcon>> = {
  play: Play,
  bot: Bot,
  sparkles: Sparkles,
  wrench: Wrench,
  globe: Globe,
  code: Code,
  database: Database,
  search: Search,
  book: BookOpen,
  workflow: Workflow,
  split: Split,
  signpost: Signpost,
  loop: Undo2,
  repeat: Repeat,
  person: UserRound,
  clock: Clock,
  message: MessageSquareText,
  note: StickyNote,
  start: Play,
  model: Sparkles,
  action: Zap,
  logic: GitFork,
  answer: MessageSquareText,
} satisfies Record<IconName, LucideIcon> & Record<string, LucideIcon>;

/** Of the picture; the tile around it is larger. */
const pixels = { xs: 12, sm: 16, md: 18 } as const;

type Props = { icon: string | undefined; group: string | undefined; size?: keyof typeof pixels };

/** The icon of a node type, in the colour of its group; a dot while the type is not known yet. */
export function NodeIcon({ icon = "", group = "", size = "md" }: Props) {
  const Icon = icons[icon] ?? icons[group] ?? (group === "" ? CircleDot : CircleHelp);
  return (
    <span className={classes.icon} data-group={group} data-size={size}>
      <Icon size={pixels[size]} strokeWidth={1.9} aria-hidden />
    </span>
  );
}
