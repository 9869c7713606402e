import type { Areas } from "../areas.ts";
import { formatNumber } from "../index.ts";

export const storeQuery: Areas["storeQuery"] = {
  compare: "比較",
  compareHelp: "同じ質問を各モードで検索し、結果を並べて表示します。",
  asSetUp: "ストアの設定どおり",
  asSetUpHelp: "「ストアの設定どおり」は再ランクなどストア自身の検索設定を使います。ほかのモードでは使いません。",
  column: (mode) => `パッセージ：${mode}`,
  places: {
    keyword: (place) => `単語で ${place} 位`,
    vector: (place) => `意味で ${place} 位`,
    hybrid: (place) => `ハイブリッドで ${place} 位`,
    store: (place) => `設定どおりで ${place} 位`,
  },
  absent: {
    keyword: (depth) => `単語では上位 ${depth} 件の外`,
    vector: (depth) => `意味では上位 ${depth} 件の外`,
    hybrid: (depth) => `ハイブリッドでは上位 ${depth} 件の外`,
    store: (depth) => `設定どおりでは上位 ${depth} 件の外`,
  },
  showAll: "すべて表示",
  showLess: "表示を減らす",

  filter: "フィルター",
  filterOf: (conditions) => `フィルター（${formatNumber(conditions)}）`,
  filterJson: "フィルター（JSON）",
  filterHelp:
    "メタデータがすべての条件を満たすパッセージだけが見つかります。数値、true、false はそのまま比較され、引用符で囲むとテキストとして比較されます。",
  asFields: "フィールド",
  asJson: "JSON",
  filterAs: "フィルターの書き方",
  condition: (number) => `条件 ${number}`,
  field: "メタデータ",
  operator: "演算子",
  operators: {
    $eq: "等しい",
    $ne: "等しくない",
    $in: "いずれか",
    $nin: "いずれでもない",
    $gt: "より大きい",
    $gte: "以上",
    $lt: "より小さい",
    $lte: "以下",
    present: "存在する",
    absent: "存在しない",
  },
  value: "値",
  valuesPlaceholder: "一, 二, 三",
  addCondition: "条件を追加",
  removeCondition: (number) => `条件 ${number} を削除`,
  jsonWrong: "フィルターは JSON オブジェクトにしてください。",
};
