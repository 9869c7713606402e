import { VisuallyHidden } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { createContext, memo, useContext, useMemo, useState } from "react";
import { Braces, Check, ChevronRight, Copy } from "../../icons/icons.gen.ts";
import { commonStrings, jsonStrings } from "../../strings.ts";
import { prettyJson } from "../content/format.ts";
import { entriesOf, isBranch, type JsonBranch, type JsonEntry, openAtFirst, sizeOf } from "./json-entries.ts";
import classes from "./json-tree.module.css";
import { LongText } from "./long-text.tsx";

type Props = {
  value: JsonBranch;
  /** Its accessible name. */
  label: string;
  /** Where the value stands, as a template names it. Paths that are copied begin with it. */
  path?: string;
};

/** What a tree's rows share: which branches are open at first, and the clipboard. */
type Shared = { open: ReadonlySet<string>; copied: string; copy: (key: string, text: string) => void };

const Tree = createContext<Shared>({ open: new Set(), copied: "", copy: () => {} });

/**
 * An object or a list, to be opened branch by branch. What is closed is not made, and of a long branch only the
 * beginning is: a value of megabytes costs no more than what is in sight.
 */
export const JsonTree = memo(function JsonTree({ value, label, path = "" }: Props) {
  const open = useMemo(() => openAtFirst(value, path), [value, path]);
  const clipboard = useClipboard();
  const [last, setLast] = useState("");
  const copied = clipboard.copied ? last : "";
  const copy = (key: string, text: string) => {
    setLast(key);
    clipboard.copy(text);
  };
  return (
    <Tree value={{ open, copied, copy }}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than the frame is scrolled by keyboard. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a field set is for fields. */}
      <div className={classes.tree} role="group" aria-label={label} tabIndex={0}>
        <div className={classes.whole}>
          <CopyPart kind="value" entry={{ name: label, path, value }} />
        </div>
        <Branch value={value} path={path} />
        <VisuallyHidden aria-live="polite">{copied === "" ? "" : commonStrings.copied}</VisuallyHidden>
      </div>
    </Tree>
  );
});

const firstEntries = 100;
const moreEntries = 200;

function Branch({ value, path }: { value: JsonBranch; path: string }) {
  const [limit, setLimit] = useState(firstEntries);
  const size = sizeOf(value);
  if (size === 0) return <div className={classes.empty}>{Array.isArray(value) ? "[ ]" : "{ }"}</div>;
  const rest = size - limit;
  return (
    <ul className={classes.list}>
      {entriesOf(value, path, limit).map((entry) => (
        <li key={entry.path}>
          {isBranch(entry.value) ? <Fold entry={entry} value={entry.value} /> : <Leaf entry={entry} />}
        </li>
      ))}
      {rest > 0 && (
        <li>
          <button type="button" className={classes.more} onClick={() => setLimit(limit + Math.min(rest, moreEntries))}>
            {rest > moreEntries
              ? jsonStrings.showMore({ count: moreEntries, rest })
              : jsonStrings.showAll({ count: size })}
          </button>
        </li>
      )}
    </ul>
  );
}

function Fold({ entry, value }: { entry: JsonEntry; value: JsonBranch }) {
  const [isOpen, setOpen] = useState(useContext(Tree).open.has(entry.path));
  return (
    <>
      <div className={classes.row}>
        <button type="button" className={classes.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <ChevronRight size={13} aria-hidden data-open={isOpen} />
          <span className={classes.name}>{entry.name}</span>
          <span className={classes.size}>
            {Array.isArray(value)
              ? jsonStrings.items({ count: value.length })
              : jsonStrings.members({ count: sizeOf(value) })}
          </span>
        </button>
        <CopyParts entry={entry} />
      </div>
      {isOpen && (
        <div className={classes.inside}>
          <Branch value={value} path={entry.path} />
        </div>
      )}
    </>
  );
}

function Leaf({ entry: { name, value }, entry }: { entry: JsonEntry }) {
  return (
    <div className={classes.row}>
      <div className={classes.leaf}>
        <span className={classes.name}>{name}</span>
        {typeof value === "string" && value !== "" ? (
          <LongText text={value} limit={300} className={classes.value} dataType="string" />
        ) : (
          <span className={classes.value} data-type={value === null || value === "" ? "null" : typeof value}>
            {value === "" ? '""' : String(value)}
          </span>
        )}
      </div>
      <CopyParts entry={entry} />
    </div>
  );
}

function CopyParts({ entry }: { entry: JsonEntry }) {
  return (
    <span className={classes.actions}>
      <CopyPart kind="value" entry={entry} />
      <CopyPart kind="path" entry={entry} />
    </span>
  );
}

/** Puts a value, or where it stands, on the clipboard. The value becomes text only then. */
function CopyPart({ kind, entry: { name, path, value } }: { kind: "value" | "path"; entry: JsonEntry }) {
  const { copied, copy } = useContext(Tree);
  const key = `${kind} ${path}`;
  const label = kind === "value" ? jsonStrings.copyValue({ name }) : jsonStrings.copyPath({ name });
  const Icon = copied === key ? Check : kind === "value" ? Copy : Braces;
  return (
    <button
      type="button"
      className={classes.copy}
      aria-label={label}
      title={kind === "path" ? path : label}
      onClick={() => copy(key, kind === "value" ? prettyJson(value) : path)}
    >
      <Icon size={13} aria-hidden />
    </button>
  );
}
