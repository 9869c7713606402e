import { type QuickJSContext, type QuickJSHandle, Scope, type VmFunctionImplementation } from "quickjs-emscripten-core";
import { createFetcher } from "./guest/fetcher.ts";
import { createPrinter } from "./guest/printer.ts";
import { type GuestHost, guestProgram } from "./guest/program.ts";

/** `inputJson` is JSON text of a `GuestInput`. */
export type GuestCall = { inputJson: string; hasFetch: boolean; host: GuestHost };

/** Starts `guestProgram` inside a context. The value is its settle function; the caller disposes of the result. */
export function callGuest(context: QuickJSContext, { inputJson, hasFetch, host }: GuestCall) {
  return Scope.withScope((scope) => {
    const functions = scope.manage(context.newObject());
    const expose = (name: keyof GuestHost, implementation: VmFunctionImplementation<QuickJSHandle>) => {
      context.setProp(functions, name, scope.manage(context.newFunction(name, implementation)));
    };
    expose("log", (line) => host.log(text(context, line)));
    expose("finish", (outcome) => host.finish(text(context, outcome)));
    expose("fetch", (id, request) => {
      host.fetch(id === undefined ? -1 : context.getNumber(id), text(context, request));
    });
    const parts = scope.manage(context.unwrapResult(context.evalCode(hasFetch ? allPartsSource : partsSource)));
    const program = scope.manage(context.unwrapResult(context.evalCode(programSource)));
    const input = scope.manage(context.newString(inputJson));
    return context.callFunction(program, context.undefined, parts, functions, input);
  });
}

// Parsing these is most of what a call costs: what is not needed is left out.
const partsSource = `({ createPrinter: ${createPrinter} })`;
const allPartsSource = `({ createPrinter: ${createPrinter}, createFetcher: ${createFetcher} })`;
const programSource = `(${guestProgram})`;

function text(context: QuickJSContext, handle: QuickJSHandle | undefined): string {
  return handle === undefined ? "" : context.getString(handle);
}
