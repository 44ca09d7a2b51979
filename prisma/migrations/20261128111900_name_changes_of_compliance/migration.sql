-- Older versions: no release has the column.
ALTER TABLE "holder_compliances" RENAME COLUMN "since" TO "modified";
