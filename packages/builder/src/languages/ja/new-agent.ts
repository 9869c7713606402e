import type { Areas } from "../areas.ts";
import { counted } from "./plural.ts";

export const newAgent: Areas["newAgent"] = {
  title: "新しいエージェント",
  summary: "すぐに動くフローから始めて自由に変更するか、手元のフローを取り込めます。",
  blank: "空白",
  blankText: "回答するモデルが1つだけのフロー。ステップは自分で追加します。",
  import: "インポート",
  importText:
    "ファイルまたは貼り付けたテキスト: Weft、AgentFlow V2、従来のChatflow、マルチエージェントフロー、Microsoft Foundry、OpenAI Agent Builder。",
  templates: "テンプレート",
  search: "テンプレートを検索",
  category: "カテゴリ",
  all: "すべて",
  categories: {
    support: "サポート",
    research: "リサーチ",
    data: "データ",
    content: "コンテンツ",
    operations: "運用",
  },
  needs: "必要なもの",
  picture: (steps) => `ステップ${counted(steps, "個")}のフローの図`,
  count: (count) => `テンプレート${counted(count, "件")}`,
  name: "名前",
  blankName: "無題のエージェント",
  model: "すべてのステップのモデル",
  otherModel: "モデルを変更",
  address: "ベースURL（パスなし）",
  later: "まだないものは空欄のままで構いません。エディターに一覧が表示されます。",
  submit: "作成して開く",
};
