import { Braces, FileText, FolderOpen, Globe, type LucideIcon, Network, Text } from "lucide-react";

const icons: Readonly<Record<string, LucideIcon | undefined>> = {
  "plain-text": Text,
  folder: FolderOpen,
  "web-page": Globe,
  "site-crawl": Network,
  "http-api": Braces,
};

/** The icon of a loader type; a document if it has none. */
export function LoaderIcon({ type }: { type: string }) {
  const Icon = icons[type] ?? FileText;
  return <Icon size={16} aria-hidden />;
}
