import type { Areas } from "../areas.ts";
import { formatList } from "../index.ts";

export const transfer: Areas["transfer"] = {
  title: "导出和导入",
  text: "以单个文件在不同安装实例之间迁移智能体、工具、变量、助手和文档库。凭据的值、API 密钥、文档、聊天和运行记录不会迁移。",
  withVersions: "包含智能体的历史版本",
  download: "下载导出文件",
  fileName: (isoDay) => `weft-export-${isoDay}.json`,
  choose: "选择导出文件",
  notJson: (name) => `“${name}”不是有效的 JSON。请选择下载的导出文件。`,
  checking: "正在检查文件…",
  preview: (name) => `导入“${name}”将产生以下结果。目前尚未更改任何内容。`,
  nothingToDo: (name) => `导入“${name}”不会更改任何内容。`,
  imported: (name) => `已导入“${name}”。`,
  report: "各类型的条目",
  mode: "当条目与现有内容不同时",
  modes: { skip: "保留现有内容", overwrite: "用文件覆盖" },
  kind: "类型",
  kinds: {
    agents: "智能体",
    assistants: "助手",
    tools: "工具",
    variables: "变量",
    documentStores: "文档库",
  },
  outcomes: { added: "新增", unchanged: "未变", overwritten: "覆盖", skipped: "保持原样" },
  named: (outcome, names) => `${outcome}：${formatList(names)}`,
  next: "后续步骤",
  submit: "导入",
  cancel: "取消",
  done: "完成",
};
