import { principalSuite, queueSuite, storeSuites } from "@atelier/core/testing"
import { Sql } from "@atelier/sql"
import { temporaryDatabase } from "./temporary.ts"

const database = (filename = temporaryDatabase()) => Sql.layerSqlite({ filename })

storeSuites("SQLite", () => database())

const keys = temporaryDatabase()
principalSuite("SQLite", database(keys), database(keys))

const queue = temporaryDatabase()
queueSuite("SQLite", database(queue), database(queue))
