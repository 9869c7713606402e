import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { acceptedTypes, takesFiles, toUpload, uploadRefusal } from "./upload-rules.ts";

const nothing = {
  isSpeechToTextEnabled: false,
  isImageUploadAllowed: false,
  isRAGFileUploadAllowed: false,
  imgUploadSizeAndTypes: [],
  fileUploadSizeAndTypes: [],
};
const pictures = { ...nothing, imgUploadSizeAndTypes: [{ fileTypes: ["image/png", "image/jpeg"], maxUploadSize: 5 }] };
const texts = { ...nothing, fileUploadSizeAndTypes: [{ fileTypes: ["text/plain"], maxUploadSize: 1 }] };
const file = (name: string, type: string, size = 10) => ({ name, type, size });

describe("files for an agent", () => {
  it("are pictures, documents, or none", () => {
    assert.deepEqual([nothing, pictures, texts].map(takesFiles), [false, true, true]);
    assert.equal(uploadRefusal(file("a.png", "image/png"), pictures), undefined);
    assert.equal(uploadRefusal(file("a.txt", "text/plain; charset=utf-8"), texts), undefined);
    assert.equal(uploadRefusal(file("a.log", ""), texts), undefined);
    const any = { ...nothing, fileUploadSizeAndTypes: [{ fileTypes: [], maxUploadSize: 1 }] };
    assert.equal(uploadRefusal(file("a.pdf", "application/pdf"), any), undefined);
  });

  it("are refused with the reason", () => {
    assert.match(uploadRefusal(file("a.txt", "text/plain"), pictures) ?? "", /a\.txt.*does not accept files/);
    assert.match(uploadRefusal(file("a.png", "image/png"), texts) ?? "", /does not support images/);
    assert.match(uploadRefusal(file("a.tiff", "image/tiff"), pictures) ?? "", /only image\/png, image\/jpeg/);
    assert.match(uploadRefusal(file("a.png", "image/png", 6 * 1024 ** 2), pictures) ?? "", /larger than 5 MB/);
    assert.match(uploadRefusal(file("a.png", "image/png", 0), pictures) ?? "", /empty/);
  });

  it("can be chosen by the types that pictures have; documents by any", () => {
    assert.equal(acceptedTypes(pictures), "image/png,image/jpeg");
    assert.equal(acceptedTypes(texts), "");
  });

  it("go as predictions take them", () => {
    assert.equal(toUpload(file("a.png", "image/png"), "data:image/png;base64,AA").type, "image");
    assert.deepEqual(toUpload(file("a.md", "text/markdown"), "data:text/markdown;base64,AA"), {
      type: "file",
      name: "a.md",
      mime: "text/markdown",
      data: "data:text/markdown;base64,AA",
    });
  });
});
