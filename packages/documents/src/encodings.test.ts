import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeText } from "./decode-text.ts";
import { openTestReader } from "./testing/open-test-reader.ts";

const reader = openTestReader();

const texts = {
  japanese: "これは日本語の文章です。機械学習についての説明を書きます。東京は晴れ。",
  simplified: "这是一个中文文件，用来测试编码的自动检测功能。北京欢迎你。",
  traditional: "這是一個中文檔案，用來測試編碼的自動偵測功能。台北歡迎你。",
  korean: "이것은 한국어 문서입니다. 서울의 날씨는 맑습니다.",
  russian: "Это русский текст для проверки кодировки. Москва столица России.",
  polish: "Zażółć gęślą jaźń. Być może to jest tekst polski do sprawdzenia, który się źle czyta.",
  turkish: "Bu bir Türkçe metindir. İstanbul'da hava güneşli ve çok güzel, şimdi gidiyoruz.",
  hebrew: "זהו טקסט בעברית לבדיקת הקידוד. ירושלים היא בירת ישראל.",
  arabic: "هذا نص عربي لاختبار الترميز. القاهرة عاصمة مصر.",
  greek: "Το κείμενο αυτό είναι ελληνικό και μιλάει για τις πόλεις της χώρας.",
  french: "À l’été, où l’élève âgé goûte ça, il a été déçu : ÇA ÉTÉ, dit-il, « là-bas ».",
  german: "Die Größe der Übung ist natürlich für alle schön – „Zürich“ kostet 5 €.",
};

for (const [language, encoding] of [
  ["japanese", "shift_jis"],
  ["japanese", "euc-jp"],
  ["simplified", "gb18030"],
  ["traditional", "big5"],
  ["korean", "euc-kr"],
  ["russian", "windows-1251"],
  ["russian", "koi8-r"],
  ["russian", "ibm866"],
  ["russian", "x-mac-cyrillic"],
  ["polish", "windows-1250"],
  ["turkish", "windows-1254"],
  ["hebrew", "windows-1255"],
  ["arabic", "windows-1256"],
  ["greek", "windows-1253"],
  ["german", "windows-1252"],
  ["french", "windows-1252"],
] as const) {
  test(`${language} text is read in ${encoding}`, async () => {
    const text = texts[language];
    assert.equal(await reader.text("a.txt", encode(text, encoding)), text);
    const late = `${"plain ".repeat(20_000)}\n${text}`;
    assert.ok((await reader.text("a.csv", encode(late, encoding))).endsWith(`\n${text}`));
  });
}

test("a few Japanese words are enough", async () => {
  for (const encoding of ["shift_jis", "euc-jp"]) {
    assert.equal(await reader.text("a.txt", encode("日本語テスト", encoding)), "日本語テスト");
  }
  assert.equal(await reader.text("a.txt", "\u001b$BF|K\\\u001b(B"), "日本");
});

test("a few letters of the West are not taken for Russian", async () => {
  for (const text of ["äöü", "Zürich €", "éèê àâ", "Ä Ö Ü ß", "señor: ¿qué?"])
    assert.equal(await reader.text("a.txt", encode(text, "windows-1252")), text);
});

test("UTF-16 without a mark is read, in both orders", async () => {
  for (const text of ["plain text", "Русский текст", "日本語の文章。\n次の行。\n"]) {
    assert.equal(await reader.text("a.txt", Buffer.from(text, "utf16le")), text);
    assert.equal(await reader.text("a.txt", Buffer.from(text, "utf16le").swap16()), text);
  }
  const wide = "Ā 😀 and words, which have zeros at the other place";
  assert.equal(await reader.text("a.txt", Buffer.from(wide, "utf16le")), wide);
  assert.equal(await reader.text("a.txt", "a stray\0 sign!!"), "a stray sign!!");
});

test("UTF-32 is read in both orders, with a mark and without, and the bytes stay as they are", async () => {
  for (const text of ["plain text", "Русский текст 😀", "日本語の文章。"]) {
    for (const isLittle of [true, false]) {
      for (const mark of ["", "\ufeff"]) {
        const bytes = toUtf32(mark + text, isLittle);
        const before = Buffer.from(bytes);
        assert.equal(decodeText(bytes), text);
        assert.deepEqual(bytes, before);
        assert.equal(await reader.text("a.txt", bytes), text);
      }
    }
  }
});

test("the encoding that a file's type names comes first", async () => {
  const bytes = encode("Мир", "koi8-r");
  const content = await reader.read("a.txt", bytes, "text/plain; charset=KOI8-R");
  assert.equal(content.sections[0]?.text, "Мир");
  assert.equal(
    (
      await reader.read(
        "a.srt",
        Buffer.concat([Buffer.from("00:00:01,000 --> 00:00:02,000\n"), bytes]),
        "text/plain; charset=KOI8-R",
      )
    ).sections[0]?.text,
    "Мир",
  );
});

function toUtf32(text: string, isLittle: boolean): Buffer {
  const bytes = Buffer.alloc([...text].length * 4);
  for (const [index, sign] of [...text].entries()) {
    const code = sign.codePointAt(0) ?? 0;
    if (isLittle) bytes.writeUInt32LE(code, index * 4);
    else bytes.writeUInt32BE(code, index * 4);
  }
  return bytes;
}

/** The bytes of a text, found by decoding all that an encoding has. */
function encode(text: string, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const bytesOf = new Map<string, number[]>();
  const note = (...bytes: number[]) => {
    try {
      const sign = decoder.decode(Uint8Array.from(bytes));
      if (sign.length === 1 && !bytesOf.has(sign)) bytesOf.set(sign, bytes);
    } catch {
      // Not every pair is a character.
    }
  };
  for (let first = 0; first < 256; first += 1) note(first);
  for (let first = 0x81; first < 255; first += 1)
    for (let second = 0x40; second < 255; second += 1) note(first, second);
  return Uint8Array.from([...text].flatMap((sign) => bytesOf.get(sign) ?? assert.fail(sign)));
}
