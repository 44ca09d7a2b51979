-- What waits for a person is counted for whoever watches the gateway: over an index that has nothing else in it.
CREATE INDEX "upload_notifications_failed_idx" ON "upload_notifications" ("received_at") WHERE "state" = 'FAILED';
