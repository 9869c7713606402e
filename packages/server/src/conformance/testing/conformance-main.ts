// Writes docs/conformance.md: `npm run -s conformance`.
import { writeFile } from "node:fs/promises";
import { absentServices } from "../../absent-services.ts";
import { createOpenApiDocument } from "../../http/openapi.ts";
import { allRoutes } from "../../routes.ts";
import { readApiDocument } from "../../testing/api-document.ts";
import { toCases } from "./cases.ts";
import { toConformanceText } from "./conformance-text.ts";
import { allScenarios } from "./scenarios/all-scenarios.ts";

const document = readApiDocument(createOpenApiDocument(allRoutes(absentServices()), { version: "1" }));
const file = new URL("../../../../../docs/conformance.md", import.meta.url);
await writeFile(file, toConformanceText(toCases(document, allScenarios)));
