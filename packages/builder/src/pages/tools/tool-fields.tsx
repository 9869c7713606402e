import { ColorInput, FileButton, Group, Input, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { CodeEditor } from "../../forms/code/code-editor.tsx";
import { toolParametersFormat } from "../../forms/schema-editor/formats.ts";
import { SchemaEditor } from "../../forms/schema-editor/schema-editor.tsx";
import { Wrench } from "../../icons/icons.gen.ts";
import { toolsStrings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { bind } from "../../ui/controls/bind.ts";
import { Hint } from "../../ui/text/hint.tsx";
import { parametersOf, type ToolDraft } from "./tool-draft.ts";
import classes from "./tools.module.css";

type Props = { draft: ToolDraft; onChange(changed: Partial<ToolDraft>): void };

const swatches = ["#5b5bd6", "#0d9488", "#2563eb", "#c026d3", "#dc2626", "#d97706", "#16a34a", "#475569"];
const maxIconKb = 32;

/** The name and description of a tool, for the model and for people who choose a tool. */
export function ToolFacts({ draft, onChange }: Props) {
  const field = bind(draft, onChange);
  return (
    <>
      <TextInput
        label={toolsStrings.name}
        description={toolsStrings.nameHelp}
        placeholder={toolsStrings.namePlaceholder}
        required
        {...field.text("name")}
      />
      <Textarea
        label={toolsStrings.description}
        description={toolsStrings.descriptionHelp}
        placeholder={toolsStrings.descriptionPlaceholder}
        autosize
        minRows={2}
        maxRows={8}
        {...field.text("description")}
      />
      <Group align="flex-start" gap="lg">
        <ColorInput
          label={toolsStrings.colour}
          {...field.value("color")}
          swatches={swatches}
          swatchesPerRow={8}
          withEyeDropper={false}
          w={160}
        />
        <ToolIconField draft={draft} onChange={onChange} />
      </Group>
      <Input.Wrapper label={toolsStrings.parameters} description={toolsStrings.parametersHelp} labelElement="div">
        <div style={{ marginTop: 8 }}>
          <SchemaEditor format={toolParametersFormat} {...field.value("parameters")} label={toolsStrings.parameters} />
        </div>
      </Input.Wrapper>
    </>
  );
}

function ToolIconField({ draft: { color, iconSrc }, onChange }: Props) {
  const [problem, setProblem] = useState<string>();
  const read = (file: File | null) => {
    if (file === null) return;
    setProblem(file.size > maxIconKb * 1024 ? toolsStrings.iconTooLarge({ limitKb: maxIconKb }) : undefined);
    if (file.size > maxIconKb * 1024) return;
    const reader = new FileReader();
    reader.onload = () => onChange({ iconSrc: String(reader.result) });
    reader.readAsDataURL(file);
  };
  const isRemote = iconSrc !== null && iconSrc !== "" && !iconSrc.startsWith("data:");
  return (
    <Input.Wrapper label={toolsStrings.icon} labelElement="div" error={problem}>
      <Group gap="xs" mih={36}>
        <ToolPicture color={color} iconSrc={iconSrc} />
        <FileButton accept="image/png,image/jpeg,image/svg+xml,image/webp" onChange={read}>
          {(button) => <Action {...button} label={toolsStrings.iconUpload} size="xs" />}
        </FileButton>
        {iconSrc !== null && (
          <Action
            label={toolsStrings.iconRemove}
            variant="subtle"
            color="gray"
            size="xs"
            onClick={() => onChange({ iconSrc: null })}
          />
        )}
      </Group>
      {isRemote && <Hint size="xs">{toolsStrings.iconRemote}</Hint>}
    </Input.Wrapper>
  );
}

/** The code, with the names available to it. */
export function ToolCode({ draft, onChange }: Props) {
  const field = bind(draft, onChange);
  const parameters = (parametersOf(draft.parameters) ?? []).filter(({ name }) => name !== "");
  const known = toolsStrings.knownNames;
  const completions = [
    ...parameters.map(({ name, description }) => ({
      label: `$${name}`,
      detail: description || toolsStrings.parameter,
    })),
    ...Object.entries(known).map(([name, detail]) => ({ label: name === "fetch" ? name : `$${name}`, detail })),
  ];
  return (
    <Input.Wrapper label={toolsStrings.code} description={toolsStrings.codeHelp} labelElement="div">
      <div style={{ marginTop: 8 }}>
        <CodeEditor
          language="javascript"
          label={toolsStrings.code}
          {...field.value("func")}
          placeholder={sampleCode}
          completions={completions}
          minLines={14}
          maxLines={32}
        />
      </div>
      <dl className={classes.known} aria-label={toolsStrings.known}>
        {completions.map(({ label, detail }) => (
          <Known key={label} name={label} text={detail} />
        ))}
      </dl>
    </Input.Wrapper>
  );
}

function Known({ name, text }: { name: string; text: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </>
  );
}

/** A tool's own picture on its colour, or a wrench. Pictures of other sites are not fetched. */
export function ToolPicture({ color, iconSrc }: { color: string; iconSrc: string | null }) {
  const isOwn = iconSrc?.startsWith("data:image/") ?? false;
  return (
    <span className={classes.picture} style={{ backgroundColor: color }}>
      {isOwn ? (
        <img src={iconSrc ?? ""} alt="" width={20} height={20} />
      ) : (
        <Wrench size={16} color="#fff" aria-hidden />
      )}
    </span>
  );
}

const sampleCode = `const response = await fetch("https://example.com/" + $city);
return await response.text();`;
