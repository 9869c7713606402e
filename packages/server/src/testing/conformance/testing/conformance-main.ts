// Writes docs/conformance.md and docs/reference-check.md: `./weft conformance`.
import { writeFile } from "node:fs/promises";
import { createOpenApiDocument } from "@weft/http";
import { describeRoutes } from "../../../describe-routes.ts";
import { readApiDocument } from "../../api-document.ts";
import { listStatements, toReferenceCheckText } from "../letter/reference-check.ts";
import { toCases } from "./cases.ts";
import { toConformanceText } from "./conformance-text.ts";
import { allScenarios } from "./scenarios/all-scenarios.ts";

const document = readApiDocument(createOpenApiDocument(await describeRoutes(), { version: "1" }));
const docs = new URL("../../../../../../docs/", import.meta.url);
const cases = toCases(document, allScenarios);
await writeFile(new URL("conformance.md", docs), toConformanceText(cases));
await writeFile(new URL("reference-check.md", docs), toReferenceCheckText(listStatements(cases)));
