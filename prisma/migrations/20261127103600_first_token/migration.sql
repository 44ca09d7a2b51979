-- One row at most: the random token that the first start made. It ends when an administrator can sign in.
CREATE TABLE "first_token" (
    "token_id" UUID NOT NULL,
    "single" BOOLEAN NOT NULL DEFAULT TRUE CHECK ("single"),

    CONSTRAINT "first_token_pkey" PRIMARY KEY ("single"),
    CONSTRAINT "first_token_token_id_fkey" FOREIGN KEY ("token_id") REFERENCES "access_tokens"("id") ON DELETE CASCADE
);
CREATE INDEX "first_token_token_id_idx" ON "first_token"("token_id");
