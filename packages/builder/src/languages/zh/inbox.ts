import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";

export const inbox: Areas["inbox"] = {
  title: "待办",
  summary: "等待人工处理的运行。答复后会继续运行。",
  list: "问题",
  emptyTitle: "没有等待答复的问题",
  emptyText: "当智能体请求批准或输入时，问题会显示在这里，可直接答复。",
  exampleAgent: "退款",
  exampleQuestion: "为订单 17 退款 40 美元？",
  exampleYes: "批准",
  exampleNo: "拒绝",
  stale: "列表可能不是最新",
  agentGone: "已删除的智能体",
  startedBy: {
    account: "账号发起的聊天",
    "api-key": "通过 API 密钥发起的聊天",
    schedule: "定时启动",
    visitor: "访客发起的聊天",
  },
  session: (id) => `会话 ${id}`,
  asked: (moment) => `${moment}提问`,
  began: "起始消息",
  viewRun: "查看运行",
  viewRunOf: (agent) => `查看“${agent}”的运行`,
  failed: "答复未发送",
  outcomes: {
    answered: (label) => `已答复：${label}。运行将继续。`,
    late: "其他人已先答复，或运行已结束。你的答复未被采用。",
    gone: "其他人已答复此问题，或运行已结束。",
  },
  range: (from, to, total) => `第 ${formatNumber(from)}–${formatNumber(to)} 条，共 ${formatNumber(total)} 条`,
  pages: "问题分页",
  previousPage: "上一页",
  nextPage: "下一页",
};
