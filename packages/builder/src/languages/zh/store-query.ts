import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";

export const storeQuery: Areas["storeQuery"] = {
  compare: "比较",
  compareHelp: "在每种模式下提出同一个问题，并排显示结果。",
  column: (mode) => `片段：${mode}`,
  places: {
    keyword: (place) => `按词排第 ${place}`,
    vector: (place) => `按语义排第 ${place}`,
    hybrid: (place) => `混合排第 ${place}`,
  },
  absent: {
    keyword: (depth) => `按词不在前 ${depth} 名`,
    vector: (depth) => `按语义不在前 ${depth} 名`,
    hybrid: (depth) => `混合不在前 ${depth} 名`,
  },
  showAll: "全部显示",
  showLess: "收起",

  filter: "筛选",
  filterOf: (conditions) => `筛选（${formatNumber(conditions)}）`,
  filterJson: "筛选条件（JSON）",
  filterHelp: "只查找元数据满足所有条件的片段。数字、true 和 false 按其类型比较；加引号则按文本比较。",
  asFields: "字段",
  asJson: "JSON",
  filterAs: "筛选条件的写法",
  condition: (number) => `条件 ${number}`,
  field: "元数据",
  operator: "运算符",
  operators: {
    $eq: "等于",
    $ne: "不等于",
    $in: "属于",
    $nin: "不属于",
    $gt: "大于",
    $gte: "至少",
    $lt: "小于",
    $lte: "至多",
    present: "存在",
    absent: "不存在",
  },
  value: "值",
  valuesPlaceholder: "一, 二, 三",
  addCondition: "添加条件",
  removeCondition: (number) => `移除条件 ${number}`,
  jsonWrong: "筛选条件必须是 JSON 对象。",
};
