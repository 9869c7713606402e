import { isJsonObject, type JsonObject } from "@weft/schema";
import { present } from "../../agentflow-v2/index.ts";
import type { Exit } from "../../flowise-classic/index.ts";
import { toPromptValue } from "../../flowise-classic/index.ts";
import { drawStateCode, toValue } from "../state.ts";
import { addStep, type DrawnStep, placesOf, type StepConverter, type StepScope } from "../step.ts";
import { toAuthorCode } from "../values.ts";

/** As whose message a value joins the conversation; a value for the state does not. */
function toRole({ settings }: StepScope): "assistant" | "user" | "none" {
  const role = settings.text("returnValueAs");
  if (role === "stateObj") return "none";
  return role === "humanMessage" ? "user" : "assistant";
}

/** Writes a value that is an object into the state. */
function withState(scope: StepScope, exit: Exit, output: string): DrawnStep {
  if (scope.settings.text("returnValueAs") !== "stateObj") return { ways: [exit], answers: true };
  return { ways: [drawStateCode(scope, { code: "return $flow.output;", output, from: [exit] })], answers: false };
}

const seqCustomFunction: StepConverter = {
  draw(scope) {
    const { settings, conversion } = scope;
    const source = settings.text("javascriptFunction");
    const { variables, code } = toAuthorCode(source, { hasHistory: conversion.hasHistory });
    const exit = addStep(scope, "custom-function", {
      variables: [...toVariables(scope), ...variables],
      code,
      responseRole: toRole(scope),
    });
    return withState(scope, exit, `{{ ${exit.id}.output.data }}`);
  },
};

function toVariables(scope: StepScope): JsonObject[] {
  const values = scope.settings.json("functionInputVariables");
  if (values === undefined) return [];
  if (!isJsonObject(values)) {
    scope.report.refuse(
      "function-variables",
      "The input variables of its function are not a JSON object. Correct them.",
    );
    return [];
  }
  const places = placesOf(scope);
  return Object.entries(values).map(([name, value]) => {
    const text = toPromptValue(value);
    return { name, value: toValue(scope, { source: text, template: text, places }) };
  });
}

const question = "{{ question }}";

const seqExecuteFlow: StepConverter = {
  draw(scope) {
    const { settings, report } = scope;
    const agentId = settings.text("selectedFlow");
    if (agentId === "") report.refuse("flow-missing", "It calls no flow. Choose one.", "agentId");
    if (settings.text("baseURL") !== "") {
      report.warn(
        "flow-address-ignored",
        "Its base URL is not used because it calls a flow on this server. To call another server, use an HTTP node.",
      );
    }
    const exit = addStep(
      scope,
      "execute-flow",
      present({ agentId, input: toInput(scope), overrideConfig: toOverrides(scope), responseRole: toRole(scope) }),
    );
    return withState(scope, exit, `{{ ${exit.id}.output.content }}`);
  },
};

function toInput(scope: StepScope): string {
  const source = scope.settings.text("seqExecuteFlowInput");
  if (source === "" || source === "userQuestion") return question;
  const template = scope.settings.template("seqExecuteFlowInput");
  return toValue(scope, { source, template, places: placesOf(scope) });
}

/** JSON text, its references still in it. A new session is named after the run. */
function toOverrides({ settings, report }: StepScope): string | undefined {
  const session = settings.flag("startNewSession") ? { sessionId: "{{ $flow.executionId }}" } : {};
  const given = settings.json("overrideConfig");
  const overrides = given === undefined ? {} : given;
  if (!isJsonObject(overrides)) {
    report.refuse("flow-overrides-invalid", "Its override configuration is not a JSON object. Correct it.");
    return undefined;
  }
  const all = { ...session, ...overrides };
  return Object.keys(all).length === 0 ? undefined : JSON.stringify(all);
}

export const functions: Readonly<Record<string, StepConverter>> = { seqCustomFunction, seqExecuteFlow };
