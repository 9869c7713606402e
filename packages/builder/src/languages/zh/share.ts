import type { Areas } from "../areas.ts";
import { formatList, formatNumber } from "../index.ts";

export const share: Areas["share"] = {
  open: "分享",
  title: (agent) => `分享“${agent}”`,
  close: "关闭",
  publish: "设为公开",
  publishText:
    "目前，只有能在此登录的人员和拥有 API 密钥的程序可以使用此智能体。设为公开后，任何拥有链接的人都可与已发布的工作流聊天，费用计入你的模型预算。可在“共享与限制”中限制消息数。",
  budget: (runs, dollars, all) =>
    `每位访客每天最多可发送 ${formatNumber(runs)} 条消息，费用不超过 ${dollars}；所有访客合计不超过 ${all}。服务器管理员可设置更低的额度。`,
  changeBudget: "更改限制",
  isPublic: "此智能体已公开：任何拥有链接的人都可与其聊天。",
  closed: "访客仍被阻止，因为此服务器不允许公开智能体。请联系服务器管理员，使用 ALLOW_PUBLIC_FLOWS=true 启动服务器。",
  needsKey: "访客仍被阻止，因为此智能体设有专用 API 密钥。请在“共享与限制”中移除该密钥。",
  tabs: { link: "链接", embed: "网站", api: "API", openai: "OpenAI", mcp: "MCP" },
  texts: {
    link: "仅包含此智能体的页面。发送链接，或让他人扫描二维码。",
    embed: "将此代码粘贴到你的网页中，会显示一个打开聊天的按钮。",
    api: "通过 HTTP 发送消息。请将 YOUR_API_KEY 替换为 API 密钥。",
    openai: "适用于支持 OpenAI API 的程序：设置此基础地址，并将智能体的 ID 设为模型。",
    mcp: "适用于 MCP 客户端：将智能体作为带有一个工具的服务器。",
  },
  addressLabels: { link: "聊天页面", openai: "基础地址", model: "模型", mcp: "服务器地址" },
  snippet: { embed: "嵌入代码", api: "请求示例" },
  qr: "聊天页面的二维码",
  tryIt: "试用",
  tryTexts: {
    link: "以访客身份请求页面，不使用你的会话。",
    embed: "以访客身份加载脚本和智能体的聊天设置，不使用你的会话。",
    api: "使用你的会话发送“Hello!”，并显示回答。",
    openai: "使用你的会话发送“Hello!”，并显示回答。",
    mcp: "使用你的会话列出服务器的工具。",
  },
  works: "一切正常。",
  pageWorks: "访客可以打开此页面。",
  embedWorks: "访客可以打开聊天。",
  tools: (names) => `工具：${formatList(names)}`,
  noTools: "服务器的响应中没有工具。",
  answered: (text) => `智能体的回答：${text}`,
  noAnswer: "智能体的回答中没有文本。",
  refused: (status) => `访客无法打开。服务器返回状态码 ${status}。`,
};
