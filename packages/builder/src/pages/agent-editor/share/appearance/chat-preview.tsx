import { Group, SegmentedControl } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import type { ChatLook } from "@weft/schema";
import { useEffect, useRef, useState } from "react";
import { choicesIn, shareStrings } from "../../../../strings.ts";
import { ErrorNotice } from "../../../../ui/page/notices.tsx";
import classes from "./appearance.module.css";

const { appearance: strings } = shareStrings;

/** The part of the widget that shows an appearance: `mountPreview` of packages/widget. */
type Preview = (
  host: HTMLElement,
  shown: {
    name: string;
    look: ChatLook;
    colorScheme: "light" | "dark";
    said?: { question: string; answer: string; tool: string } | undefined;
  },
) => void;

/** Pixels that a preview takes of the dialog's height. */
const tallest = 540;

/** Pixels of the pages that are shown. */
const pages = { desktop: { width: 1_080, height: 760 }, phone: { width: 390, height: 760 } } as const;
type Width = keyof typeof pages;

type Props = { name: string; look: ChatLook };

/** The chat as visitors will see it, drawn by the widget itself. */
export function ChatPreview({ name, look }: Props) {
  const [width, setWidth] = useState<Width>("desktop");
  const [state, setState] = useState<"empty" | "answer">("empty");
  const [colorScheme, setScheme] = useState<"light" | "dark">("light");
  const [error, setError] = useState<unknown>();
  const host = useRef<HTMLDivElement>(null);
  const { ref, width: room } = useElementSize();
  const page = pages[width];
  const scale = Math.min(room / page.width, tallest / page.height) || 0.5;
  const isFixed = look.appearance?.colorScheme !== undefined;
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    let isGone = false;
    const said = { question: strings.sampleQuestion, answer: strings.sampleAnswer, tool: "search_handbook" };
    const show = (preview: Preview) =>
      isGone || preview(element, { name, look, colorScheme, said: state === "answer" ? said : undefined });
    loadPreview().then(show, setError);
    return () => {
      isGone = true;
    };
  }, [name, look, colorScheme, state]);
  return (
    <section aria-label={strings.preview} className={classes.preview}>
      <Group gap="xs" justify="space-between">
        <Choice label={strings.width} texts={strings.widths} value={width} onChange={(next) => setWidth(next)} />
        <Group gap="xs">
          {!isFixed && (
            <Choice
              label={strings.scheme}
              texts={strings.previewSchemes}
              value={colorScheme}
              onChange={(next) => setScheme(next)}
            />
          )}
          <Choice label={strings.shown} texts={strings.states} value={state} onChange={(next) => setState(next)} />
        </Group>
      </Group>
      <ErrorNotice error={error} />
      <div ref={ref} className={classes.room} style={{ height: page.height * scale }}>
        <div
          className={classes.page}
          style={{ width: page.width, height: page.height, transform: `translateX(-50%) scale(${scale})` }}
        >
          <div ref={host} className={classes.host} data-testid="chat-preview" />
        </div>
      </div>
    </section>
  );
}

type ChoiceProps<Value extends string> = {
  label: string;
  texts: Readonly<Record<Value, string>>;
  value: Value;
  onChange(value: Value): void;
};

function Choice<Value extends string>({ label, texts, value, onChange }: ChoiceProps<Value>) {
  return <SegmentedControl size="xs" aria-label={label} data={choicesIn(texts)} value={value} onChange={onChange} />;
}

/** The server has it beside the builder, as other websites load it. */
const widgetAddress = "/widget.js";

async function loadPreview(): Promise<Preview> {
  const { default: chatbot }: { default: { preview: Preview } } = await import(/* @vite-ignore */ widgetAddress);
  return chatbot.preview;
}
