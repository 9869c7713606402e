import type { DocumentExpectation } from "./judge-document.ts";

const title = "The lighthouse report";
const table = "| Item | Price | Note |\n| --- | --- | --- |\n| Oil | 7 |  |\n| Wick | 2 | café – naïve “quoted” |";
const languages = "Zażółć gęślą jaźń. Привет, мир. 日本語の文章です。 שלום עולם";
const bullets = "1. Oil\n2. Wick\n   - cotton\n   - linen\n3. Matches";
const link = "See [the site](https://example.org/lamp).";
const outline = [
  `# ${title}\n\n# The lamp`,
  `${link}[1]`,
  "## What it needs",
  bullets,
  table,
  languages,
  "# The keeper",
];
const notes = ["[1] A note on the lamp."];
const tides = [
  "The tide tables\n\nAnn Lee",
  "The tide at the rock rises by four metres twice a day, and the keeper writes down when it stands highest and how",
  "| Day | High | Wind |\n| --- | --- | --- |\n| Monday | 04:12 | strong |\n| Tuesday | 05:01 |  |",
  "2. Low water",
];
const ships =
  "Day\tShips\tShare\tChecked\tWatch\n2026-01-31\t98\t0.25\tTRUE\t08:30:00\n2026-02-01T17:45:00\t87.5\t\tFALSE\t26:03:00";

/** What must be read of the files in `samples`. */
export const sampleExpectations: Readonly<Record<string, DocumentExpectation>> = {
  "pandoc.docx": { shows: [...outline, "code here", ...notes], metadata: { title } },
  "pandoc.odt": { shows: [...outline, "code here", ...notes], metadata: { title } },
  "pandoc.rtf": {
    shows: [
      title,
      "# The lamp",
      `${link}[1]`,
      "## What it needs",
      "Oil",
      "cotton",
      table,
      languages,
      "# The keeper",
      ...notes,
    ],
  },
  "pandoc.epub": { shows: ["# The lamp", link, bullets, table, languages, "# The keeper"], metadata: { title } },
  "pandoc.pptx": {
    shows: [`# ${title}`, "# The lamp", link, bullets, table, languages, "# The keeper", "# Notes\n\n1. A note"],
    sections: 5,
  },
  "pandoc.html": { shows: ["# The lamp", link, bullets, table, languages, "# The keeper", "```\ncode here\n```"] },
  "pandoc.ipynb": { shows: ["# The lamp", "cotton", "| Wick | 2     | café", languages, "# The keeper"] },
  "libreoffice.docx": { shows: [...outline, ...notes], metadata: { title } },
  "libreoffice.odt": { shows: [...outline, ...notes], metadata: { title } },
  "libreoffice.rtf": { shows: [...outline, ...notes], metadata: { title } },
  "libreoffice.pdf": {
    shows: [
      `${title}\n\nThe lamp`,
      "lit at dusk and put out at dawn. See the site.",
      "3. Matches",
      table,
      "Привет, мир.",
    ],
    metadata: { title, pages: 1 },
  },
  "libreoffice.html": { shows: ["# The lamp", link, "1. Oil\n2. Wick", "- cotton", "- linen", "3. Matches", table] },
  "libreoffice.epub": { shows: [title, "The lamp", link, "| Oil | 7 |  |", languages, "The keeper"], sections: 3 },
  "libreoffice.odp": {
    shows: [
      `# ${title}`,
      "# The lamp",
      link,
      "1. Oil\n2. Wick",
      table,
      languages,
      "# The keeper",
      "# Notes\n\n1. A note",
    ],
    sections: 5,
  },
  "libreoffice.ods": { whole: "Name\tCount\tDay\nLamp\t3\t2026-01-31\nOil\t\t2026-02-01", sections: 1 },
  "libreoffice-hidden.ods": {
    shows: ["2026-01-31\t98\t0.25", "2026-02-01T17:45:00\t87.5\t", "26:03:00\n185.5\t灯台\tline break", "\tfar cell"],
    lacks: ["secret"],
    metadata: { hiddenSheets: ["Wages"] },
  },
  "libreoffice.xlsx": {
    shows: [ships, "\n185.5\t灯台\tline break", "\tfar cell"],
    metadata: { hiddenSheets: ["Wages"] },
  },
  "openpyxl.xlsx": {
    shows: [ships, "\n\t灯台\tline break", "\tfar cell"],
    lacks: ["secret", "SUM("],
    metadata: { hiddenSheets: ["Wages"] },
  },
  "python-docx.docx": {
    shows: [
      "# Annual report\n\n# Ships\n\nIn 2026 the light guided 1,204 ships past the rock.\n\n- Tankers\n- Ferries\n1. Count them\n2. Write",
      "| Month | Ships | Fog (h) |\n| --- | --- | --- |\n| January | 98 | 41 |\n| February | 87 |  |\n| Total |  | 41 |",
      "## Crew\n\nペンギン灯台の乗組員は三人です。",
    ],
    lacks: ["Confidential header"],
    metadata: { title: "Annual report" },
  },
  "reportlab-columns.pdf": {
    shows: [
      "Article 1\n\nThe keeper",
      ...Array.from({ length: 23 }, (_, index) => `Article ${index + 2}\n\nThe keeper`),
    ],
    lacks: ["Lighthouse Gazette", "Page 2"],
    metadata: { title: "Gazette", pages: 3 },
  },
  "chromium.pdf": {
    shows: [
      "Printed by a browser\n\nThe first paragraph is long enough to be wrapped over several lines when a browser prints it on a page of paper, and it should be one line again.",
      "שלום עולם, זה המגדלור על הסלע והאור שלו נראה למרחק.",
      "المنارة على الصخرة تضيء عند الغسق.",
      "| Item | Price | Note |\n| --- | --- | --- |\n| Oil | 7 |  |\n| Wick |  | cotton |",
      "first item",
      "Маяк зажигают на закате.",
    ],
  },
  "groff.pdf": { shows: tides, metadata: { pages: 1 } },
  "ghostscript.pdf": { shows: tides, metadata: { pages: 1 } },
  "python-attachments.eml": {
    shows: [
      "From: Ann Lée <ann@example.org>\nTo: bob@example.org, cy@example.org\nCc: dee@example.org",
      "the report is attached – café.",
      "[Attachment: pandoc.docx]",
      table,
      "[Attachment: openpyxl.xlsx]",
      ships,
      "[Attachment: groff.pdf]",
      ...tides,
      "From: cy@example.org\nSubject: Oil\n\nSeven barrels.",
      "a;b\n1;2",
      "[Attachments that cannot be read: photo é.png]",
    ],
    lacks: ["HTML only words", "secret"],
    metadata: { title: "灯台の報告 – report", date: "2026-11-26T09:00:00.000Z", skippedAttachments: ["photo é.png"] },
  },
  "python-html.eml": {
    whole:
      "From: news@example.org\nTo: bob@example.org\nSubject: Новости маяка\n\n# Новости\n\nМаяк снова горит.\n\n- масло",
  },
  "python-japanese.eml": { shows: ["Subject: test\n\n灯台の明かりは日暮れに灯されます。"] },
  "polish-cp1250.txt": {
    whole: "Zażółć gęślą jaźń. Być może to jest tekst polski, który się źle czyta bez kodowania.",
  },
  "greek-8859-7.txt": { whole: "Το κείμενο αυτό είναι ελληνικό και μιλάει για τον φάρο πάνω στον βράχο." },
  "utf-16.txt": { whole: "Привет, мир. Ünïcode 日本" },
  "german-cp1252.csv": { whole: "Größe;Preis\n„Öl“;7 €\nDocht;2,50 €" },
  "russian-cp1251.srt": { whole: "Маяк стоит на скале.\nЕго зажигают на закате." },
  "japanese-sjis.html": { whole: "# 灯台\n\n灯台の明かりは日暮れに灯されます。\n\n- 油", metadata: { title: "灯台" } },
  "chinese-undeclared.html": {
    whole: "# 灯塔\n\n灯塔的灯在黄昏时点亮，在黎明时熄灭。守塔人每天晚上都要上楼。",
    metadata: { title: "灯塔" },
  },
};
