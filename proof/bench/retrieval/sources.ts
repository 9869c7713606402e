import type { PinnedPackage } from "../debian-package.ts";

/** A documentation that is searched, as Debian 12 ships it in HTML. */
export type DocumentationSource = PinnedPackage & {
  /** The folder under `questions/` with its questions and the names of its pages. */
  manual: string;
  /** Of its pages, within the package. */
  folder: string;
};

/** Manuals of different topics and styles: a reference with examples, a framework's guides, and the help of a program with windows. */
export const sources: readonly DocumentationSource[] = [
  {
    manual: "postgresql",
    name: "postgresql-doc-15",
    version: "15.20-0+deb12u1",
    architecture: "all",
    sha256: "4c44bf2c599f208b3f46454a6cf7a72e25ec46ff74d37b59dd31ad76b00eebb7",
    folder: "usr/share/doc/postgresql-doc-15/html",
  },
  {
    manual: "django",
    name: "python-django-doc",
    version: "3:3.2.25-0+deb12u7",
    architecture: "all",
    sha256: "87307f067916df72e17180d35b7cde5c7ea6080336cda518efd7f6e66988a7ca",
    folder: "usr/share/doc/python-django-doc/html",
  },
  {
    manual: "gimp",
    name: "gimp-help-en",
    version: "2.10.34-2",
    architecture: "all",
    sha256: "a2deec76763aaf2fcdd197bac0736cdcb0770ba993d48d233329e1c92b0bfe36",
    folder: "usr/share/gimp/2.0/help/en",
  },
];
