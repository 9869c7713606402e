import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";

export const newAgent: Areas["newAgent"] = {
  title: "新建智能体",
  summary: "从现成可用的工作流开始，按需修改；也可导入自己的工作流。",
  blank: "空白",
  blankText: "一个用于回答的模型，其余节点自行添加。",
  import: "导入",
  importText:
    "文件或粘贴的文本：Weft、AgentFlow V2、经典 Chatflow、多智能体流程、Microsoft Foundry、OpenAI Agent Builder。",
  templates: "模板",
  search: "搜索模板",
  category: "类别",
  all: "全部",
  categories: {
    support: "客服",
    research: "研究",
    data: "数据",
    content: "内容",
    operations: "运营",
  },
  needs: "所需条件",
  picture: (steps) => `包含 ${formatNumber(steps)} 个节点的工作流示意图`,
  count: (count) => `${formatNumber(count)} 个模板`,
  name: "名称",
  blankName: "未命名智能体",
  model: "所有节点使用的模型",
  otherModel: "更换模型",
  address: "基础地址，不含路径",
  later: "暂时没有的内容可以留空，编辑器会列出。",
  submit: "创建并打开",
};
