import type { DocumentExpectation } from "@weft/documents/testing";

/** A file by its place below the folder of its package. */
export type DebianFile = DocumentExpectation & {
  path: string;
  /** What it is called where its own name does not say what it is. */
  name?: string;
  /** A file beside it with the same text in UTF-8. */
  sameAs?: string;
};

const python = "libpython3.11-testsuite/usr/lib/python3.11/test";
const library = (name: string) => `${name}/usr/lib/R/site-library/${name.replace("r-cran-", "")}`;
const debmake = "debmake-doc/usr/share/doc/debmake-doc/debmake-doc";
const reference = "developers-reference/usr/share/developers-reference/developers-reference";
const fonts = "fonts-sil-scheherazade/usr/share/doc/fonts-sil-scheherazade/documentation/Scheherazade-features";

const mail = (number: string, expected: DocumentExpectation): DebianFile => ({
  path: `${python}/test_email/data/msg_${number}.txt`,
  name: `msg_${number}.eml`,
  ...expected,
});
const encoded = (encoding: string): DebianFile => ({
  path: `${python}/cjkencodings/${encoding}.txt`,
  sameAs: `${python}/cjkencodings/${encoding}-utf8.txt`,
});

/** What must be read of files that Debian's packages ship. */
export const debianFiles: readonly DebianFile[] = [
  mail("01", {
    whole:
      "From: John X. Doe <bbb@ddd.com>\nTo: bbb@zzz.org\nDate: 2001-05-04T18:05:44.000Z\nSubject: This is a test message\n\nHi,\n\nDo you like this message?\n\n-Me",
  }),
  mail("02", {
    shows: [
      "Subject: Ppp digest, Vol 1 #2 - 5 msgs",
      "Send Ppp mailing list submissions to",
      "[Attachment: [Ppp] testing #1.eml]",
      "hello",
      "[Attachment: [Ppp] testing #5.eml]",
      "hello",
    ],
    sections: 6,
  }),
  mail("06", {
    shows: ["Subject: forwarded message", "[Attachment: testing.eml]", "Date: 2001-09-13T21:28:28.000Z"],
    sections: 2,
  }),
  mail("07", { shows: ["This is the dingus fish."], metadata: { skippedAttachments: ["dingusfish.gif"] } }),
  mail("10", {
    shows: [
      "This is a 7bit encoded message.",
      "¡This is a Quoted Printable encoded message!",
      "This is a Base64 encoded message.",
      "This has no Content-Transfer-Encoding: header.",
    ],
  }),
  mail("14", { shows: ["I'm sorry but I'm using a drainbread ISP"] }),
  mail("16", {
    shows: ["Reason: recipient reached disk quota", "Original-envelope-id:", "[Attachment: "],
    sections: 3,
  }),
  mail("20", { metadata: { cc: "ccc@zzz.org, ddd@zzz.org, eee@zzz.org", to: "bbb@zzz.org" } }),
  mail("25", {
    shows: ["Subject: Returned mail", "The original message was received at Fri, 6 Apr 2001", "Action: failed"],
  }),
  mail("34", {
    shows: [
      "This is a text plain part that is counter to recommended practice",
      "From: cperson@dom.ain",
      "A submessage",
    ],
  }),
  mail("43", { shows: ["BANNED FILENAME ALERT", "Action: failed"], sections: 3 }),
  mail("46", { shows: ["From: Dr. Sender <sender@example.net>", "Testing email forwarding with Groupwise 1.2.2010"] }),
  ...["big5", "euc_jp", "gb18030", "gb2312", "gbk", "iso2022_jp", "shift_jis"].map(encoded),
  {
    path: `${python}/encoded_modules/module_koi8_r.py`,
    shows: ['"Познание бесконечности требует бесконечного времени."'],
  },
  {
    path: `${python}/encoded_modules/module_iso_8859_1.py`,
    shows: ["Les hommes ont oublié cette vérité", "apprivoisé"],
  },
  {
    path: `${library("r-cran-readxl")}/extdata/datasets.xlsx`,
    shows: ["Sepal.Length\tSepal.Width\tPetal.Length\tPetal.Width\tSpecies\n5.1\t3.5\t1.4\t0.2\tsetosa\n4.9\t3\t1.4"],
    sections: 4,
  },
  {
    path: `${library("r-cran-readxl")}/extdata/deaths.xlsx`,
    shows: ["at\tthe\ttop\t\tof\ttheir spreadsheets", "David Bowie\tmusician\t69\tTRUE\t1947-01-08\t2016-01-10"],
    sections: 2,
  },
  {
    path: `${library("r-cran-readxl")}/extdata/type-me.xlsx`,
    shows: [
      "2011-12-31\tdatetime\nTRUE\tboolean true",
      "2012-04-27T11:30:00\tdate and time format",
      "4.3\t4.3 (numeric)",
    ],
    sections: 4,
  },
  {
    path: `${library("r-cran-readxl")}/extdata/clippy.xlsx`,
    shows: ["Approx date of death\t2007-01-01\nWeight in grams\t0.9"],
  },
  {
    path: `${library("r-cran-openxlsx")}/extdata/ColorTabs3.xlsx`,
    shows: ["1\t2\n3\t4\n\na\tb\nc\td"],
    metadata: { hiddenSheets: ["hidden"] },
  },
  {
    path: `${library("r-cran-openxlsx")}/extdata/loadExample.xlsx`,
    shows: ["6.4\t2.7\t5.3\t1.9\tvirginica\t\tRow Labels\tSum of Sepal Length", "Grand Total\t294.8\t158\t185.3\t57.9"],
  },
  {
    path: `${library("r-cran-openxlsx")}/extdata/namedRegions3.xlsx`,
    shows: ["S0A1\tS0B1", "S4A1\tS4B1"],
    metadata: { hiddenSheets: ["Sheet6"] },
  },
  {
    path: `${library("r-cran-officer")}/doc_examples/example.docx`,
    shows: [
      "# Title 1\n\nLorem ipsum dolor sit amet",
      "# Title 2\n\n1. Quisque tristique\n2. Augue nisi, et convallis\n3. Sapien mollis nec.",
      "## Sub title 1\n\n- Quisque tristique\n- Augue nisi, et convallis",
      "| Petals | Internode | Sepal | Bract |\n| --- | --- | --- | --- |\n| 5,621498349 |  | 2,462106579 18,2034091 |  |",
    ],
    metadata: { title: "document title" },
  },
  {
    path: `${library("r-cran-officer")}/doc_examples/example.pptx`,
    shows: [
      "# Title\n\n- A table",
      "| Header 1 | Header 2 | Header 3 |\n| --- | --- | --- |\n| A | 12.23 | blah blah |",
      "- This is\n  - an unordered\n    - list of paragraphs\n1. This is an ordered\n2. list",
    ],
    sections: 3,
  },
  {
    path: `${debmake}.de.pdf`,
    shows: [
      "8.11 Autotools (Paket mit mehreren Programmen) …",
      "Heutzutage ist der Befehl git ein unverzichtbares Werkzeug, um den Quellbau mit Verlauf zu verwalten.",
      '$ git config --global user.name "Name Surname"',
      "A.10 SIEHE AUCH",
    ],
    lacks: ["KAPITEL 3. "],
    metadata: { title: "Leitfaden für Debian-Betreuer", pages: 145 },
  },
  {
    path: `${debmake}.ja.pdf`,
    shows: ["3.5 devscripts\n\nThe debsign command, included in the devscripts package", "3.6 sbuild"],
    lacks: ["CHAPTER 3. "],
    metadata: { title: "Debian メンテナー用ガイド", pages: 143 },
  },
  {
    path: `${debmake}.zh-cn.pdf`,
    shows: [
      "debuild 命令同样由 devscripts 软件包提供，它可以构建二进制软件包并使用 lintian 命令对其进行检查。",
      "3.6 sbuild",
    ],
    lacks: ["CHAPTER 3. "],
    metadata: { title: "Debian 维护者指南", pages: 142 },
  },
  {
    path: `${debmake}.ru.pdf`,
    shows: [
      "3.3 git\n\nНа сегодняшний день команда git является необходимым инструментом для работы с деревом исходного кода",
    ],
    lacks: ["CHAPTER 3. "],
    metadata: { pages: 146 },
  },
  {
    path: `${reference}.pdf`,
    shows: [
      "5.10.1 Being kind to porters …",
      "4.6.2 Architectures\n\nIn the first days, the Linux kernel was only available for Intel i386 (or greater) platforms, and so was Debian. But as Linux became",
    ],
    metadata: { title: "Debian Developer's Reference", pages: 114 },
  },
  {
    path: `${library("r-cran-tm")}/doc/tm.pdf`,
    shows: [
      "Introduction to the tm Package",
      "This vignette gives a short introduction to text mining in R utilizing the text mining framework provided by the tm package. We present",
      "| Metadata: | corpus specific: 0, document level (indexed): 0 |",
      "• only DirSource and VectorSource are supported,",
      "References",
    ],
    metadata: { pages: 8 },
  },
  {
    path: `${library("r-cran-tm")}/doc/extensions.pdf`,
    shows: [
      "Extensions\nHow to Handle Custom File Formats",
      "Each source must provide implementations for following interface functions:\n\nclose() closes the source and returns it,",
    ],
    metadata: { pages: 4 },
  },
  {
    path: "latex2rtf-doc/usr/share/doc/latex2rtf-doc/latex2rtf.pdf.gz",
    shows: [
      "If this is not your first time installation, you may want to preserve your old configuration (*.cfg) files.",
      "2.4 plain DOS",
      "| -M128 | convert inline equations to EPS files",
    ],
    metadata: { pages: 70 },
  },
  {
    path: `${fonts}.pdf.gz`,
    shows: [
      "Font Features for Scheherazade\n\nThe Scheherazade font includes a number of optional features that provide alternative rendering that might be preferable for use in some contexts. The chart below",
    ],
    metadata: { pages: 9 },
  },
  {
    path: `${fonts}.odt`,
    shows: [
      "# Font Features for Scheherazade\n\nThe Scheherazade font includes",
      "[http://www.libreoffice.org/download/](http://www.libreoffice.org/download/)",
      "| Feature Name | Feature ID | Feature Setting",
      "| Kurdish (Northern) | kmr |",
      "[1] ",
    ],
  },
  {
    path: "debian-policy/usr/share/doc/debian-policy/policy.epub",
    shows: ["# 1. About this manual", "# 3. Binary packages", "# 4. Source packages"],
    metadata: { title: "Debian Policy Manual" },
  },
  {
    path: `${debmake}.ja.epub`,
    shows: ["# 序文", "# Chapter 1. Overview", "# 2.4. Technical reminders"],
    metadata: { title: "Debian メンテナー用ガイド" },
  },
  {
    path: `${debmake}.zh-tw.epub`,
    shows: ["# 前言", "# Chapter 1. 概覽", "# Chapter 2. 預備知識"],
    metadata: { title: "Debian 維護者指南" },
  },
  { path: `${debmake}.ru.epub`, shows: ["## 5.7.2. Переменные подстановки", "## 5.10.2. dquilt и dpkg-source"] },
  { path: `${reference}.epub`, shows: ["# 1. Scope of This Document", "# 3. Debian Developer's Duties"] },
  {
    path: "debian-faq-ja/usr/share/doc/debian/FAQ/ja/software.ja.html",
    shows: [
      "# 第5章 Debian システムで利用可能なソフトウェア\n\n**目次**",
      "5.2. このソフトウェア全ては誰が書いたのですか?",
    ],
    lacks: ["戻る", "| --- |"],
    metadata: { title: "第5章 Debian システムで利用可能なソフトウェア" },
  },
  {
    path: "debian-policy/usr/share/doc/debian-policy/policy.html/ch-binary.html",
    shows: [
      "# 3. Binary packages\n\nThe Debian distribution is based on the Debian package management system, called `dpkg`.",
      "## 3.1. The package name",
    ],
    lacks: ["¶"],
  },
  {
    path: "debian-faq-ja/usr/share/doc/debian/FAQ/debian-faq.ja.txt.gz",
    shows: ["製作著作 © 1996-2021 Software in the Public Interest"],
  },
  {
    path: `${library("r-cran-tm")}/texts/rcv1_2330.xml`,
    shows: ["<title>USA: Tylan stock jumps; weighs sale of company.</title>"],
  },
];
