-- Chat channels that get reminders, and the deliveries to them.
-- CreateEnum
CREATE TYPE "channel_kind" AS ENUM ('NTFY', 'SLACK', 'DISCORD', 'TEAMS', 'GOTIFY', 'APPRISE');

-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "channel_id" UUID;

-- CreateTable
CREATE TABLE "channels" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "kind" "channel_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "sealed_url" BYTEA NOT NULL,
    "host" TEXT NOT NULL,
    "sealed_token" BYTEA,
    "tells_failures" BOOLEAN NOT NULL DEFAULT false,
    "quiet_from" TEXT,
    "quiet_to" TEXT,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "last_ok_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "channels_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "channels_team_id_idx" ON "channels"("team_id");

-- CreateIndex
CREATE INDEX "channels_organization_id_name_id_idx" ON "channels"("organization_id", "name", "id");

-- AddForeignKey
ALTER TABLE "channels" ADD CONSTRAINT "channels_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The queue of chat messages: without a mail server, mails must not be in their way.
CREATE INDEX "deliveries_chat_due_idx" ON "deliveries"("due_at") WHERE "kind" = 'CHAT' AND "due_at" IS NOT NULL;
