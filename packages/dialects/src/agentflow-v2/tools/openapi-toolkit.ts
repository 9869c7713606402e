import { createHash } from "node:crypto";
import { isJsonObject } from "@weft/schema";
import { present } from "../node-converter.ts";
import type { ToolConverter, ToolScope } from "./tool-converter.ts";

/** The API description stands in `openApiFile`, in flows of earlier versions in `yamlFile`. */
export const openApiToolkit: ToolConverter = (scope) => {
  const { settings, report } = scope;
  const source = toSource(scope);
  if (source === undefined) return undefined;
  const headers = settings.json("headers");
  if (headers !== undefined && !isJsonObject(headers)) {
    report.refuse("tool-json-invalid", "The headers of its OpenAPI toolkit are not a JSON object. Correct them.");
    return undefined;
  }
  const operations = settings.names("selectedEndpoints");
  const config = {
    ...source,
    server: settings.text("selectedServer") || undefined,
    operations: operations.length === 0 ? undefined : operations,
    returnDirect: settings.flag("returnDirect") || undefined,
    headers,
    removeNulls: settings.flag("removeNulls") || undefined,
    customCode: toCustomCode(scope),
  };
  return { type: "openapi-toolkit", config: present(config) };
};

function toSource({ settings, report }: ToolScope): Record<string, string> | undefined {
  const isLink = settings.text("inputType") === "link";
  const link = settings.text("openApiLink").trim();
  const file = [settings.text("openApiFile"), settings.text("yamlFile")].find((text) => text.trim() !== "");
  if (link !== "" && (isLink || file === undefined)) return { openApiLink: link };
  if (file === undefined) {
    report.refuse(
      "tool-file-missing",
      "Its OpenAPI toolkit has no API description. Upload the YAML or JSON file, or enter a link to it.",
    );
    return undefined;
  }
  if (file.startsWith("FILE-STORAGE::")) {
    report.refuse(
      "tool-file-missing",
      "The file of its OpenAPI toolkit was stored outside the flow and is not part of the export. Upload it again.",
    );
    return undefined;
  }
  return { openApiFile: file };
}

/** The code that the form holds before anybody edits it: makes the call as the toolkit does by itself. */
const presetCodeSha256 = "15279dc705244b5dd9f0a608b3687258ae8597849ec57170ec4d35c85e101951";

function toCustomCode({ settings }: ToolScope): string | undefined {
  const code = settings.text("customCode").replaceAll("\r\n", "\n");
  if (code.trim() === "" || createHash("sha256").update(code).digest("hex") === presetCodeSha256) return undefined;
  return code;
}
