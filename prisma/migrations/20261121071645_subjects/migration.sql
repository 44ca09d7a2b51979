-- AlterTable
ALTER TABLE "users" ADD COLUMN     "issuer" TEXT,
ADD COLUMN     "role" "role",
ADD COLUMN     "subject" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "users_issuer_subject_key" ON "users"("issuer", "subject");

-- Subjects are found by their e-mail address in whichever organization.
CREATE INDEX "users_email_idx" ON "users"(lower("email"));
