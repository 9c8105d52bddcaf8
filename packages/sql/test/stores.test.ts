import {
  callbackStoreSuite,
  fileStoreSuite,
  idempotencyStoreSuite,
  keyStoreSuite,
  ledgerStoreSuite,
  queueSuite,
  settingsStoreSuite,
  taskStoreSuite,
  transactionSuite,
} from "@atelier/core/testing"
import { Sql } from "@atelier/sql"
import { temporaryDatabase } from "./temporary.ts"

const database = (filename = temporaryDatabase()) => Sql.layerSqlite({ filename })

callbackStoreSuite("SQLite", database())
fileStoreSuite("SQLite", database())
idempotencyStoreSuite("SQLite", database())
keyStoreSuite("SQLite", database())
ledgerStoreSuite("SQLite", database())
settingsStoreSuite("SQLite", database())
taskStoreSuite("SQLite", database())
transactionSuite("SQLite", database())

const queue = temporaryDatabase()
queueSuite("SQLite", database(queue), database(queue))
