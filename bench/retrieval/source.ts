/** The documentation that is searched: the manual of PostgreSQL 15 as Debian 12 ships it, in HTML. */
export const source = {
  package: "postgresql-doc-15",
  version: "15.20-0+deb12u1",
  sha256: "4c44bf2c599f208b3f46454a6cf7a72e25ec46ff74d37b59dd31ad76b00eebb7",
  folder: "usr/share/doc/postgresql-doc-15/html",
} as const;

export const archiveName = `${source.package}_${source.version}_all.deb`;
