import { AISDKError, APICallError } from "@ai-sdk/provider";
import type { WeftError } from "@weft/schema";
import {
  fromConnection,
  fromVendorError,
  invalidAnswer,
  type ModelErrorContext,
  toRefusal,
  unreachable,
  unreadable,
  unsent,
} from "../failure/model-failure.ts";
import { readVendorError } from "../failure/vendor-error.ts";
import { describeNetworkError, toReason } from "../failure/vendor-reason.ts";

/**
 * Translates whatever the vendor's library threw into a `WeftError` of a `model-*` code. The library's own error is not
 * kept as the cause: it holds the whole prompt. An egress refusal passes through as it is, and so does an error that is
 * none of the vendor's: a bug. `isAnswered`: whether the answer had begun.
 */
export function toModelError(error: unknown, context: ModelErrorContext, isAnswered: boolean): unknown {
  const hasStatus = APICallError.isInstance(error) && error.statusCode !== undefined;
  const broken = fromConnection(error, context, isAnswered || hasStatus);
  if (broken !== undefined) return broken;
  if (APICallError.isInstance(error)) return fromCallError(error, context);
  const vendorError = readVendorError(error);
  if (vendorError !== undefined) return fromVendorError(vendorError, context);
  return AISDKError.isInstance(error) ? fromLibraryError(error, context) : error;
}

function fromCallError(error: APICallError, context: ModelErrorContext): WeftError {
  const { statusCode: status, responseBody: body, responseHeaders: headers = {}, data } = error;
  if (status === undefined) return unreachable(describeNetworkError(error.cause ?? error, context.secrets));
  if (status < 400) return unreadable(body);
  return toRefusal({ status, statusText: error.message, headers, body, data }, context);
}

/** The library found the request impossible (nothing was sent) or the answer unreadable. */
function fromLibraryError(error: AISDKError, { secrets }: ModelErrorContext): WeftError {
  if (requestErrorNames.has(error.name)) return unsent(toReason(error.message, secrets));
  return invalidAnswer("it is not what the API promises");
}

const requestErrorNames = new Set([
  "AI_UnsupportedFunctionalityError",
  "AI_InvalidArgumentError",
  "AI_InvalidPromptError",
]);
