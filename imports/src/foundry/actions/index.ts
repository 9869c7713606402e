import type { ConvertAction } from "../step.ts";
import { endings } from "../workflow-facts.ts";
import { invokeAgent } from "./agent-actions.ts";
import { httpRequest, invokeFunctionTool, invokeMcpTool } from "./call-actions.ts";
import { breakLoop, conditionGroup, continueLoop, endRun, foreach, gotoAction, ifAction } from "./control-actions.ts";
import {
  addConversationMessage,
  copyConversationMessages,
  createConversation,
  retrieveConversationMessages,
} from "./conversation-actions.ts";
import {
  appendValue,
  clearAllVariables,
  editTable,
  parseValue,
  resetVariable,
  setMultipleVariables,
  setTextVariable,
  setVariable,
} from "./state-actions.ts";
import { question, requestExternalInput, sendActivity } from "./talk-actions.ts";

export { agentFor, keepQuestion } from "./agent-actions.ts";
export { agentNameIn } from "./agent-node.ts";

/** Every action that becomes nodes, by its kind in lower case. A new one is a function and a line here. */
const actions = {
  addconversationmessage: addConversationMessage,
  appendvalue: appendValue,
  breakloop: breakLoop,
  clearallvariables: clearAllVariables,
  conditiongroup: conditionGroup,
  continueloop: continueLoop,
  copyconversationmessages: copyConversationMessages,
  createconversation: createConversation,
  edittable: editTable,
  edittablev2: editTable,
  foreach,
  gotoaction: gotoAction,
  httprequestaction: httpRequest,
  if: ifAction,
  invokeazureagent: invokeAgent,
  invokefunctiontool: invokeFunctionTool,
  invokemcptool: invokeMcpTool,
  parsevalue: parseValue,
  question,
  requestexternalinput: requestExternalInput,
  resetvariable: resetVariable,
  retrieveconversationmessage: retrieveConversationMessages,
  retrieveconversationmessages: retrieveConversationMessages,
  sendactivity: sendActivity,
  sendmessage: sendActivity,
  setmultiplevariables: setMultipleVariables,
  settextvariable: setTextVariable,
  setvalue: setVariable,
  setvariable: setVariable,
} satisfies Record<string, ConvertAction>;

const table: ReadonlyMap<string, ConvertAction> = new Map<string, ConvertAction>([
  ...Object.entries(actions),
  ...[...endings].map((kind) => [kind, endRun] as const),
]);

/** How actions of a kind are drawn; undefined for kinds that are not supported. */
export function converterOf(kind: string): ConvertAction | undefined {
  return table.get(kind.toLowerCase());
}
