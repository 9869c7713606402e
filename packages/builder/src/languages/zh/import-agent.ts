import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";

export const imports: Areas["import"] = {
  title: "导入智能体",
  back: "智能体",
  files: "文件",
  text: "将一个智能体的文件拖放到此处：Weft 或 AgentFlow V2 的工作流、经典 Chatflow、Flowise 的多智能体流程、Microsoft Foundry 的工作流及其智能体，或 OpenAI Agent Builder 导出的代码。",
  choose: "选择文件",
  add: "添加文件",
  paste: "或粘贴单个文件的文本",
  remove: (name) => `移除“${name}”`,
  pasted: "粘贴的文本",
  tooLarge: (name) => `“${name}”大于 4 MB，超出任何工作流的大小。请选择其他文件。`,
  name: "名称",
  nameHelp: "智能体的名称。",
  fallbackName: "导入的工作流",
  several: (count) => `此文件包含 ${formatNumber(count)} 个工作流`,
  chooseFlow: "选择一个",
  choices: "对应关系",
  choicesText: "文件中只有以下各项的名称。请指定它们在此服务器上对应什么，也可稍后在编辑器中指定。",
  missingText: "工作流需要以下各项，而此服务器上没有完全对应的内容。请现在选择，或稍后在编辑器中选择。",
  kinds: {
    model: (name) => `用于替代“${name}”的模型`,
    agent: (name) => `智能体“${name}”`,
    "document-store": (name) => `用于替代“${name}”的文档库`,
    credential: (name) => `用于替代“${name}”的凭据`,
  },
  defaultModels: (count) => (count === 1 ? "使用默认模型" : "全部使用默认模型"),
  secrets: "机密",
  secretsText:
    "文件中包含以下机密。它们会作为凭据加密存储，绝不会成为工作流的一部分。拿到过这些文件的人都可能读取过它们，请在其提供商处更换。",
  sentTo: (host) => `仅发送至 ${host}`,
  findings: "注意事项",
  counts: ({ exact, approximate, refused }) =>
    `${[
      `${exact} 个节点已精确转换`,
      ...(approximate > 0 ? [`${approximate} 个附有说明`] : []),
      ...(refused > 0 ? [`${refused} 个需要处理`] : []),
    ].join("，")}。`,
  submit: "导入",
  unread: "无法读取这些文件",
  empty: "存储之前，工作流会先显示在这里。",
};
