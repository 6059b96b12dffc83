-- CreateTable
CREATE TABLE "requests" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "digest" TEXT NOT NULL,
    "joinKey" TEXT,
    "kind" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "gist" TEXT NOT NULL,
    "extended" TEXT,
    "dangerLevel" TEXT,
    "options" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "revision" INTEGER NOT NULL DEFAULT 1,
    "instanceId" TEXT NOT NULL,
    "instanceLabel" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "settledAt" DATETIME,
    "deliveredAt" DATETIME,
    "words" TEXT,
    "chosenIndex" INTEGER,
    "chosenLabel" TEXT,
    "via" TEXT,
    "by" TEXT,
    "account" TEXT,
    "chainSeq" INTEGER NOT NULL,
    "chainHash" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "decisions" (
    "requestId" TEXT NOT NULL PRIMARY KEY,
    "choice" TEXT NOT NULL,
    "optionIndex" INTEGER,
    "text" TEXT,
    "eventId" TEXT,
    "via" TEXT,
    "by" TEXT,
    "account" TEXT,
    "at" DATETIME NOT NULL,
    CONSTRAINT "decisions_requestId_fkey" FOREIGN KEY ("requestId") REFERENCES "requests" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "entries" (
    "chain" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "at" DATETIME NOT NULL,
    "kind" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "previousHash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    PRIMARY KEY ("chain", "seq")
);

-- CreateTable
CREATE TABLE "chain_heads" (
    "chain" TEXT NOT NULL PRIMARY KEY,
    "seq" INTEGER NOT NULL,
    "hash" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "addresses" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "channel" TEXT NOT NULL,
    "configuredChatId" TEXT NOT NULL,
    "chatId" TEXT NOT NULL,
    "threadId" TEXT NOT NULL,
    "disabledReason" TEXT,
    "leaseUntil" DATETIME,
    "leaseOwner" TEXT,
    "leasedPageId" TEXT
);

-- CreateTable
CREATE TABLE "pages" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "token" TEXT NOT NULL,
    "requestId" TEXT NOT NULL,
    "addressId" TEXT NOT NULL,
    "receipt" TEXT,
    "messageChatId" TEXT,
    "messageId" TEXT,
    "shownRevision" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lastError" TEXT,
    "dueAt" DATETIME,
    "rank" INTEGER,
    "createdAt" DATETIME NOT NULL,
    "forgotten" BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT "pages_requestId_fkey" FOREIGN KEY ("requestId") REFERENCES "requests" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "pages_addressId_fkey" FOREIGN KEY ("addressId") REFERENCES "addresses" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "instances" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "label" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "lastSeenAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "settings" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "keys" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME,
    "lastUsedAt" DATETIME,
    "revokedAt" DATETIME
);

-- CreateTable
CREATE TABLE "sign_ins" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "displayName" TEXT NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "usedAt" DATETIME
);

-- CreateTable
CREATE TABLE "sessions" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "id" TEXT NOT NULL,
    "displayName" TEXT NOT NULL,
    "formToken" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "lastSeenAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "probes" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "touches" INTEGER NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "requests_joinKey_key" ON "requests"("joinKey");

-- CreateIndex
CREATE INDEX "requests_status_expiresAt_idx" ON "requests"("status", "expiresAt");

-- CreateIndex
CREATE INDEX "requests_status_createdAt_idx" ON "requests"("status", "createdAt");

-- CreateIndex
CREATE INDEX "requests_instanceId_createdAt_idx" ON "requests"("instanceId", "createdAt");

-- CreateIndex
CREATE INDEX "requests_keyId_createdAt_idx" ON "requests"("keyId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "addresses_channel_configuredChatId_threadId_key" ON "addresses"("channel", "configuredChatId", "threadId");

-- CreateIndex
CREATE UNIQUE INDEX "pages_token_key" ON "pages"("token");

-- CreateIndex
CREATE INDEX "pages_addressId_rank_createdAt_id_idx" ON "pages"("addressId", "rank", "createdAt", "id");

-- CreateIndex
CREATE INDEX "pages_messageChatId_messageId_idx" ON "pages"("messageChatId", "messageId");

-- CreateIndex
CREATE UNIQUE INDEX "pages_requestId_addressId_key" ON "pages"("requestId", "addressId");

-- CreateIndex
CREATE UNIQUE INDEX "keys_hash_key" ON "keys"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_id_key" ON "sessions"("id");
