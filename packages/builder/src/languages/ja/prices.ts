import type { Areas } from "../areas.ts";
import { languageTag } from "../index.ts";
import { counted } from "./plural.ts";

export const prices: Areas["prices"] = {
  title: "料金",
  summary: "モデル呼び出しの料金です（100万トークンあたりの米ドル）。設定した時点から、実行に適用されます。",
  sourceTitle: "料金表",
  sourceText: (count, date) =>
    `モデル${counted(count, "件")}、${date}時点。料金表はこのリリースに同梱されており、外部から取得することはありません。`,
  source: "出典",
  licence: "ライセンス",
  date: "日付",
  table: "モデル",
  search: "モデルを検索",
  emptyTitle: "呼び出されたモデルはまだありません",
  emptyText: "実行で呼び出されたモデルがここに表示されます。モデルの料金は事前に設定することもできます。",
  model: "モデル",
  input: "入力",
  output: "出力",
  origin: "設定元",
  none: "–",
  dollars: (amount) =>
    `$${amount.toLocaleString(languageTag(), { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`,
  origins: {
    set: "ここで設定",
    environment: "サーバーの構成",
    list: "料金表",
    none: "料金なし",
  },
  noPriceHint: "料金を設定するまで、実行のコストは表示されません。",
  add: "料金を設定",
  edit: "料金を変更",
  reset: "独自の料金を削除",
  addTitle: "モデルの料金を設定",
  editTitle: (model) => `${model}の料金`,
  modelHint: "実行に表示されるとおりのプロバイダーと名前: openai/gpt-4o-mini",
  inputLabel: "入力（100万トークンあたりのドル）",
  outputLabel: "出力（100万トークンあたりのドル）",
  badModel: "openai/gpt-4o-miniのように、プロバイダーと名前をスラッシュで区切って入力してください。",
  badPrice: "0以上1,000,000以下の金額をドルで入力してください。",
  unknownModel: "このモデルは料金表にも実行履歴にもありません。実行で呼び出されると、この料金が適用されます。",
  listed: (input, output) => `料金表では、入力${input}、出力${output}です。`,
  saved: (model) => `今後、${model}の実行にこの料金が適用されます。これまでのコストは変わりません。`,
  removed: (model) => `${model}の独自の料金を削除しました。`,
};
