import type { PinnedPackage } from "../debian-package.ts";

/** The documentation that is searched: the manual of PostgreSQL 15 as Debian 12 ships it, in HTML. */
export const source: PinnedPackage = {
  name: "postgresql-doc-15",
  version: "15.20-0+deb12u1",
  architecture: "all",
  sha256: "4c44bf2c599f208b3f46454a6cf7a72e25ec46ff74d37b59dd31ad76b00eebb7",
};

export const sourceFolder = "usr/share/doc/postgresql-doc-15/html";
